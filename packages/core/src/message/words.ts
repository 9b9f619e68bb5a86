/** The words of the on-site message, in English; `{…}` stands for numbers, money and the rate. */
export const offer = '{count} payments of {amount}';
export const terms =
  'First payment of {first} plus a {fee} fee today, then one every {days} days. {apr} APR. Subject to approval.';
export const free =
  'First payment of {first} today, then one every {days} days. No fee, 0% APR. Subject to approval.';
