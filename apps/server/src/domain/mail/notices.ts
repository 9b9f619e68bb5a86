import type { MailType } from '../../words/mail-types.ts';

/** The mails that the law asks for, with the rule. They are kept until they have been sent or printed. */
export const noticeRules: Readonly<Partial<Record<MailType, string>>> = {
  'application.declined': '12 CFR 1002.9(a)(1)',
  'plan.activated': '12 CFR 1005.10(b)',
  'plan.payment_method': '12 CFR 1005.10(b)',
  'autopay.enabled': '12 CFR 1005.10(b)',
};

export const noticeTypes = Object.keys(noticeRules) as MailType[];

/** A decline notice is due within 30 days of the application. */
export const declineNoticeDays = 30;
