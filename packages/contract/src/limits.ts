/**
 * The dates that a request may name. Early enough for births and old leases, late enough for any
 * plan, and far from the years where PostgreSQL, JavaScript and ISO 8601 disagree (0, 10000).
 */
export const earliestDate = '1900-01-01';
export const latestDate = '2199-12-31';

/** The date that many systems store for a lease without an end. Accepted only for a lease's end. */
export const noEndDate = '9999-12-31';

/** The largest single charge, payment or refund, also as a credit: $1,000,000.00. */
export const largestAmountInCents = 100_000_000;

/** The largest total of a tenant's charges, and so of any sum in a response: $10,000,000.00. Fits an int4. */
export const largestTotalInCents = 1_000_000_000;
