/** The kinds of mails to tenants. Each has words in every language. */
export const mailTypes = [
  'experience.code',
  'application.declined',
  'plan.activated',
  'plan.canceled',
  'plan.payment_method',
  'plan.refunded',
  'plan.past_due',
  'plan.completed',
  'plan.charged_off',
  'installment.upcoming',
  'installment.failed',
  'installment.paid',
  'installment.rescheduled',
  'autopay.enabled',
  'autopay.disabled',
] as const;
export type MailType = (typeof mailTypes)[number];
