/** The events about which the tenant also gets a mail. Each has words in every language. */
export const mailTypes = [
  'installment.upcoming',
  'installment.failed',
  'installment.paid',
] as const;
export type MailType = (typeof mailTypes)[number];
