import { installation } from '../../domain/audit/record.ts';
import { resendGivenUpMails, resendMail } from '../../domain/mail/resend.ts';
import { defineCommand, flag, optionalArgument } from '../command.ts';
import { countOf } from '../format.ts';

export const mailResend = defineCommand({
  name: 'mail resend',
  summary: 'send a mail again with a fresh link, or all that were --given-up',
  input: {
    mail_id: optionalArgument('[mail id]'),
    given_up: flag('--given-up', 'all mails that failed six times'),
  },
  effect: 'control',
  console: { needs: 'support', partner: 'mail_id' },
  refuse: ({ mail_id, given_up = false }) =>
    (mail_id === undefined) !== given_up
      ? 'needs either the id of a mail or --given-up'
      : undefined,
  async run(ctx, { mail_id }) {
    if (mail_id === undefined) {
      const queued = await resendGivenUpMails(ctx);
      await ctx.record(installation, { action: 'mails.resent', details: { queued } });
      return { queued };
    }
    const { partner_id, type } = await resendMail(ctx, { mailId: mail_id });
    const entry = { action: 'mail.resent', subject_id: mail_id, details: { type } } as const;
    await ctx.record(partner_id, entry);
    return { queued: 1 };
  },
  describe: ({ queued }) =>
    `${countOf(queued, 'mail is', 'mails are')} sent again within a minute, each with a fresh link.\n`,
});
