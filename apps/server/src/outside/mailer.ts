import { createTransport, type SendMailOptions } from 'nodemailer';
import type { Mail } from '../domain/mail/compose.ts';
import type { MailFiles } from './mail-files.ts';

/**
 * The recipient's mail server said that the address takes no mail, now and later. The message is its
 * answer, which may quote the address.
 */
export class MailBounced extends Error {
  override readonly name = 'MailBounced';
}

/**
 * Sends mails. `send` rejects with `MailBounced` when the address takes no mail, and with another error
 * when the mail was not accepted for another reason; then the caller retries later.
 */
export interface Mailer {
  /** True if mails of simulated tenants may be sent: their addresses may belong to other people. */
  readonly takesSimulated: boolean;
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** The mailbox of the sandbox that takes no mail: `bounce@…`, or `bounce+ada@…` for one of many. */
const bouncingMailbox = /^bounce[+@]/;

/** Writes each mail to a file, except those to the mailbox that bounces. */
export function createFileMailer(files: MailFiles, from: string): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    takesSimulated: true,
    async send(mail) {
      if (bouncingMailbox.test(mail.to)) {
        throw new MailBounced('550 5.1.1 There is no such mailbox');
      }
      const { message } = await transport.sendMail(options(mail, from));
      await files.write(mail.id, mail.date, message as Buffer);
    },
    close: () => transport.close(),
  };
}

const timeoutMs = 10_000;

/**
 * Sends mails to an SMTP server. `smtps://` starts with TLS, `smtp+starttls://` sends nothing before TLS
 * has started, and `smtp://` uses TLS if the server offers it.
 */
export function createSmtpMailer(url: string, from: string): Mailer {
  const transport = openTransport(url);
  return {
    takesSimulated: false,
    async send(mail) {
      await transport.sendMail(options(mail, from)).catch((error: unknown) => {
        throw isBounce(error) ? new MailBounced(error.response, { cause: error }) : error;
      });
    },
    close: () => transport.close(),
  };
}

/** Connects and logs in, without sending anything. Rejects with the server's answer. */
export async function verifySmtp(url: string): Promise<void> {
  const transport = openTransport(url);
  await transport.verify().finally(() => transport.close());
}

function openTransport(url: string) {
  const server = new URL(url);
  const secure = server.protocol === 'smtps:';
  const { username, password } = server;
  return createTransport({
    host: server.hostname,
    port: Number(server.port || (secure ? 465 : 587)),
    secure,
    requireTLS: server.protocol === 'smtp+starttls:',
    ...(username === ''
      ? {}
      : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/**
 * Returns whether the server refused the recipient for good. An extended code says what the refusal is about
 * (RFC 3463): 5.1 is the address and 5.2 the mailbox. Others, such as 5.7 for a server that does not
 * trust us, are not about the address, and the mail is tried again.
 */
function isBounce(error: unknown): error is Error & { readonly response: string } {
  const { command, responseCode, response } = error as {
    command?: string;
    responseCode?: number;
    response?: string;
  };
  if (command !== 'RCPT TO' || response === undefined) return false;
  const extended = /^\d{3}[ -](\d\.\d{1,3})\.\d{1,3}\b/.exec(response)?.[1];
  const isPermanent = responseCode !== undefined && responseCode >= 500 && responseCode < 600;
  return isPermanent && (extended === undefined || extended === '5.1' || extended === '5.2');
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
