/** The words of the on-site message, in English; `{…}` stands for numbers, money and the rate. */
export const offer = '{count} payments of {amount}';
export const terms =
  'First payment of {first} today with a {fee} fee, then every {days} days. APR {apr}. Subject to approval.';
export const free =
  'First payment of {first} today, then every {days} days. No fee, APR 0%. Subject to approval.';
