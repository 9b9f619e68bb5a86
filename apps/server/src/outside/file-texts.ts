import type { TextSender } from '../domain/texts/text-sender.ts';
import type { MailFiles } from './mail-files.ts';

/** Writes each text as a mail to the folder of the sandbox's mails. No phone gets it, and none can reply. */
export function createFileTexts(files: MailFiles): TextSender {
  return {
    takesSimulated: true,
    async send({ id, to, body, date }) {
      const lines = [
        'From: "Text message (simulated)" <text@svc.invalid>',
        `To: "${to}" <text@svc.invalid>`,
        `Subject: Text message to ${to} (simulated)`,
        `Date: ${date.toUTCString().replace('GMT', '+0000')}`,
        'Content-Type: text/plain; charset=utf-8',
        '',
        body,
        '',
      ];
      await files.write(id, date, Buffer.from(lines.join('\r\n')));
      return { kind: 'accepted', ref: id };
    },
    readWebhook: () => null,
    answer: () => ({ type: 'text/plain', body: '' }),
  };
}
