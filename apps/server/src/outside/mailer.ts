import { createTransport, type SendMailOptions } from 'nodemailer';
import type { Mail } from '../domain/mail/compose.ts';
import type { MailFiles } from './mail-files.ts';

/** Where mails go. `send` rejects when it was not taken; the caller tries again later. */
export interface Mailer {
  /** The tenants of a simulation have addresses that others may own. */
  readonly takesSimulated: boolean;
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** Leaves each mail in a file. */
export function createFileMailer(files: MailFiles, from: string): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    takesSimulated: true,
    async send(mail) {
      const { message } = await transport.sendMail(options(mail, from));
      await files.keep(mail.id, mail.date, message as Buffer);
    },
    close: () => transport.close(),
  };
}

const waitMs = 10_000;

/** Hands mails to a server: `smtp://` upgrades to TLS where offered, `smtps://` begins with it. */
export function createSmtpMailer(url: string, from: string): Mailer {
  const server = new URL(url);
  const secure = server.protocol === 'smtps:';
  const { username, password } = server;
  const transport = createTransport({
    host: server.hostname,
    port: Number(server.port || (secure ? 465 : 587)),
    secure,
    ...(username === ''
      ? {}
      : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: waitMs,
    greetingTimeout: waitMs,
    socketTimeout: waitMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    takesSimulated: false,
    async send(mail) {
      await transport.sendMail(options(mail, from));
    },
    close: () => transport.close(),
  };
}

/** The address as an object, so that nothing in it is read as a list; the id is the mail's own. */
function options(mail: Mail, from: string): SendMailOptions {
  const domain = from.replace(/^.*@|[>\s]+$/g, '') || 'localhost';
  return {
    from,
    to: { name: '', address: mail.to },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    date: mail.date,
    messageId: `<${mail.id}@${domain}>`,
    headers: { 'auto-submitted': 'auto-generated' },
  };
}
