import { createTransport, type SendMailOptions } from 'nodemailer';
import type { Mail } from '../domain/mail/compose.ts';
import type { MailFiles } from './mail-files.ts';

/** Sends mails. `send` rejects when the mail was not accepted; the caller retries later. */
export interface Mailer {
  /** Whether mails of simulated tenants may be sent: their addresses may belong to other people. */
  readonly takesSimulated: boolean;
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** Writes each mail to a file. */
export function createFileMailer(files: MailFiles, from: string): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    takesSimulated: true,
    async send(mail) {
      const { message } = await transport.sendMail(options(mail, from));
      await files.write(mail.id, mail.date, message as Buffer);
    },
    close: () => transport.close(),
  };
}

const timeoutMs = 10_000;

/** Sends mails to an SMTP server. `smtp://` upgrades to TLS if offered; `smtps://` starts with TLS. */
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
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
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

/** The address in `Svc <no-reply@svc.example>` or `no-reply@svc.example`. */
function addressOf(sender: string): string {
  return sender.replace(/^.*<|>$/g, '').trim();
}

/**
 * Sender and recipient are objects, so that nodemailer does not parse them as lists. The Message-ID is the
 * same in each attempt, so that mail programs can recognize duplicates.
 */
function options(mail: Mail, from: string): SendMailOptions {
  const domain = from.replace(/^.*@|[>\s]+$/g, '') || 'localhost';
  return {
    from: { name: mail.from, address: addressOf(from) },
    to: { name: '', address: mail.to },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    date: mail.date,
    messageId: `<${mail.id}@${domain}>`,
    headers: { 'auto-submitted': 'auto-generated' },
  };
}
