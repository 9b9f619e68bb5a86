// Local times and waits that follow from how banks work. They are the same for every version of the terms.

/** From this hour on, a debit that we announce is made on the next banking day. */
export const cutOffHour = 14;

/** The hour of reminders and collections, at which the processor also answers and deposits. */
export const workHour = 9;

/** Banking days after `debit_by` until an open settlement is stale. */
export const staleAfterDays = 3;
