/** The widget's and the dialog's texts in English. A locale translates each by its English. */
export const label = 'Balance';
export const dues = 'Association dues';
export const offer = 'Split it into 2, 3 or 4 payments';
export const nothingDue = 'Nothing due';
export const opening = 'Opening your options…';
export const missed = 'That didn’t open. Try again';
export const options = 'See my options';
export const terms = 'Fees and terms apply. Subject to approval.';
export const title = 'Payment options';
export const close = 'Close';
export const failed = 'Your options didn’t load';
export const failedHint = 'Your place is kept.';
export const retry = 'Try again';
