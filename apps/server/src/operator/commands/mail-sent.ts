import { recordPrinted } from '../../domain/mail/resend.ts';
import { argument, defineCommand } from '../command.ts';

export const mailSent = defineCommand({
  name: 'mail sent',
  summary: 'record that a notice was sent on paper',
  input: { mail_id: argument('<mail id>') },
  effect: 'control',
  console: { needs: 'support', partner: 'mail_id' },
  async run(ctx, { mail_id }) {
    const { partner_id, type } = await recordPrinted(ctx, { mailId: mail_id });
    const entry = { action: 'mail.sent_on_paper', subject_id: mail_id, details: { type } } as const;
    await ctx.record(partner_id, entry);
    return { mail_id, type };
  },
  describe: ({ mail_id }) => `${mail_id} is recorded as sent on paper.\n`,
});
