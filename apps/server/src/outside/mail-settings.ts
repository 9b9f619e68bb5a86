import { z } from 'zod';
import { flag } from '../setting-types.ts';
import { setting } from '../settings.ts';

const defaultFrom = 'Svc <no-reply@svc.example>';

/** The settings for mails to tenants. */
export const mailSettings = {
  /** Undefined means files in the data folder in the sandbox, and no mail in production. */
  smtpUrl: setting({
    name: 'SVC_SMTP_URL',
    type: z.string().refine((url) => /^smtp(s|\+starttls)?:\/\//.test(url) && URL.canParse(url), {
      error: 'must be a URL such as smtps://user:password@mail.example:465',
    }),
    secret: 'url',
    defaultNote: '`.eml` files in the data folder, for 30 days; required in production',
    inProduction: (url, { SVC_MAIL, SVC_ALLOW_PLAIN_SMTP }) => {
      if (url === undefined && SVC_MAIL !== 'none') {
        return 'must be set in production. Without mail, tenants do not get their agreements and decline notices: set SVC_MAIL=none to start anyway, and send the notices that "svc-admin mail list --to-print" lists on paper.';
      }
      return (
        url?.startsWith('smtp://') &&
        SVC_ALLOW_PLAIN_SMTP !== true &&
        'must use TLS in production: write smtps:// (port 465) or smtp+starttls:// (port 587). Set SVC_ALLOW_PLAIN_SMTP=1 to send mails without TLS.'
      );
    },
    description:
      '`smtps://user:password@host:port`, or `smtp+starttls://` for a server that starts TLS on port 587; `smtp://` uses TLS only if the server offers it. Never used for simulated tenants. `svc-admin mail test <address>` tries it',
  }),
  mail: setting({
    name: 'SVC_MAIL',
    type: z.enum(['none']),
    defaultNote: 'mails are sent',
    description:
      '`none` starts production without a mail server: [notices that the law asks for](mail.md) are listed, to print and send',
  }),
  allowPlainSmtp: setting({
    name: 'SVC_ALLOW_PLAIN_SMTP',
    type: flag,
    default: '0',
    description: 'accept `smtp://` in production, for example to a mail server on the same host',
  }),
  mailFrom: setting({
    name: 'SVC_MAIL_FROM',
    type: z.string().regex(/^([^<>\r\n]* <)?[^<>@\s]+@[^<>@\s]+>?$/, {
      error: 'must be an address such as Svc <no-reply@svc.example>',
    }),
    default: defaultFrom,
    inProduction: (from, { SVC_SMTP_URL }) =>
      SVC_SMTP_URL !== undefined &&
      from === defaultFrom &&
      'must be set in production to the sender address of your mails.',
    description:
      "the sender's address of mails; required in production with `SVC_SMTP_URL`. The sender's name is the lender's, with the portal's",
  }),
};
