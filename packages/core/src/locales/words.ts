/**
 * The widget's and the dialog's texts in English. A locale translates each by its English text.
 * `{date}` stands for a day, such as "Feb 15".
 */
/** Marks a page that moves no real money. */
export const sandbox = 'Sandbox';

export const balance = 'Balance';
export const dues = 'Association dues';
export const credit = 'Credit';

export const offerStatus = 'Split it into 2, 3 or 4 payments';
export const offerAction = 'See my options';
export const offerTerms = 'Fees and terms apply. Subject to approval.';
export const offerCount = 'Choose how many payments';
export const offerCost = 'See every date and the total cost';
export const offerConsent = 'Nothing is charged until you agree';

export const tooEarlyStatus = 'You can split it starting {date}';

export const appliedStatus = 'You’ve started an application';
export const appliedAction = 'Continue';
export const inReviewStatus = 'We’re reviewing your application';
export const inReviewAction = 'See status';

export const approvedStatus = 'You’re approved. Choose a plan';
export const approvedAction = 'Choose my plan';
export const approvedTerms = 'Fees and terms apply.';

export const nextPayment = 'Next payment: {date}';
export const paymentsMade = '{paid} of {count} payments made';
export const planActive = 'Plan active';
export const planStatus = 'You’re paying over time';
export const planAction = 'Manage plan';
export const planTerms = 'The terms of your agreement apply.';

export const starting = 'First payment processing';
export const startingStatus = 'Your plan starts once it’s paid';

export const paymentFailed = 'A payment didn’t go through';

export const pastDue = 'A payment is late';
export const pastDueStatus = 'It was due {date}';
export const pastDueAction = 'Pay now';

export const paid = 'Paid';
export const processing = 'Processing';
export const next = 'Next';
export const scheduled = 'Scheduled';
export const failed = 'Failed';
export const late = 'Late';

export const paidOff = 'Your plan is paid off';
export const nothingDue = 'Nothing due';
export const detailsAction = 'See details';
export const nothingDueTerms = 'Check back when you have a balance.';
export const nothingDueHint = 'When you have a balance, see your options here';

export const needsAttention = 'Something needs your attention';
export const needsAttentionStatus = 'We’ll show you what to do';

export const movedOut = 'Not available after you move out';
/** Replaces `movedOut` for the owner of a home. */
export const sold = 'No longer available for this home';
export const unavailable = 'Not available right now';
export const unavailableUntil = 'Not available until {date}';
export const unavailableAction = 'See why';
export const unavailableTerms = 'Your balance is due as usual.';
export const unavailableHint = 'You can still pay in your portal as usual';

export const opening = 'Opening…';
export const openFailed = 'That didn’t open. Try again';

export const dialogTitle = 'Payment options';
export const close = 'Close';
export const loadFailed = 'Your options didn’t load';
export const loadFailedHint = 'You won’t lose your place.';
export const retry = 'Try again';
