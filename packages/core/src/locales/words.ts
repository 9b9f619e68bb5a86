/**
 * The widget's and the dialog's texts in English. A locale translates each by its English text.
 * `{date}` stands for a day, such as "Feb 15".
 */
export const balance = 'Balance';
export const dues = 'Association dues';
export const credit = 'Credit';

export const offerStatus = 'Split it into 2, 3 or 4 payments';
export const offerAction = 'See my options';
export const offerTerms = 'Fees and terms apply. Subject to approval.';

export const nextPayment = 'Next payment on {date}';
export const planActive = 'Your plan is active';
export const planAction = 'See my plan';
export const planTerms = 'The terms of your agreement apply.';

export const nothingDue = 'Nothing due';
export const detailsAction = 'See details';
export const nothingDueTerms = 'Check back when you have a balance.';

export const unavailable = 'Not available right now';
export const unavailableUntil = 'Not available until {date}';
export const unavailableAction = 'See why';
export const unavailableTerms = 'Your balance is due as usual.';

export const opening = 'Opening…';
export const openFailed = 'That didn’t open. Try again';

export const dialogTitle = 'Payment options';
export const close = 'Close';
export const loadFailed = 'Your options didn’t load';
export const loadFailedHint = 'You won’t lose your place.';
export const retry = 'Try again';
