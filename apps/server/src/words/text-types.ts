import type { MailType } from './mail-types.ts';

/** The mails that are also sent as text messages. Each has words in every language. */
export const textTypes = [
  'installment.upcoming',
  'installment.failed',
  'plan.past_due',
] as const satisfies readonly MailType[];
export type TextType = (typeof textTypes)[number];
