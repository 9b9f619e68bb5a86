/** All that widget and dialog say, in English: one constant each, which the bundle inlines. */
export const label = 'Balance';
export const dues = 'Association dues';
export const offer = 'Split it into 2, 3 or 4 payments';
export const nothingDue = 'Nothing due';
/** `{date}` stands for the day, such as "Feb 15". */
export const nextPayment = 'Next payment on {date}';
export const hasPlan = 'Your plan is active';
export const unavailable = 'Not available right now';
export const opening = 'Opening your options…';
export const missed = 'That didn’t open. Try again';
export const options = 'See my options';
export const plan = 'See my plan';
export const terms = 'Fees and terms apply. Subject to approval.';
export const title = 'Payment options';
export const close = 'Close';
export const failed = 'Your options didn’t load';
export const failedHint = 'Your place is kept.';
export const retry = 'Try again';
