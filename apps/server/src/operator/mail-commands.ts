import { json, nullable, row, sql, text } from '@svc/db';
import { z } from 'zod';
import type { Ctx } from '../context.ts';
import { type AuditEntry, installation } from '../domain/index.ts';
import type { Listed } from '../domain/listed.ts';
import { defaultBrand } from '../domain/mail/brand.ts';
import { loadLetters } from '../domain/mail/claim.ts';
import { composePaper } from '../domain/mail/compose.ts';
import { listMails, type MailLine } from '../domain/mail/list-mails.ts';
import { listNoticesToPrint, type NoticeToPrint } from '../domain/mail/list-notices.ts';
import { recordPrinted, resendGivenUpMails, resendMail } from '../domain/mail/resend.ts';
import { signerOf } from '../domain/offers/disclosure.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Lease } from '../domain/tenants/tenant.ts';
import { table } from './table.ts';
import { UsageError } from './usage-error.ts';

/** The commands about mails to tenants. */
export type MailRequest =
  | {
      readonly command: 'mail list';
      readonly pms?: string;
      readonly only?: 'bounced' | 'to_print';
    }
  | { readonly command: 'mail print' | 'mail sent'; readonly mail_id: string }
  /** Without an id, all mails that were given up. */
  | { readonly command: 'mail resend'; readonly mail_id?: string };

type Name = MailRequest['command'];

export const mailCommands: Record<Name, { readonly argument?: string; readonly does: string }> = {
  'mail list': {
    argument: '[<pms>]',
    does: 'list mails of the last 30 days, those --bounced, or notices --to-print',
  },
  'mail print': { argument: '<mail id>', does: 'print a mail as a letter, to send on paper' },
  'mail sent': { argument: '<mail id>', does: 'record that a notice was sent on paper' },
  'mail resend': {
    argument: '[<mail id>]',
    does: 'send a mail again with a fresh link, or all that were --given-up',
  },
};

export const mailOptions = {
  bounced: { type: 'boolean', default: false },
  'to-print': { type: 'boolean', default: false },
  'given-up': { type: 'boolean', default: false },
} as const;

export const mailHelp = `  --bounced              only mails whose address takes none (mail list)
  --to-print             notices that the law asks for and that cannot be mailed (mail list)
  --given-up             all mails that failed six times (mail resend)
`;

type Values = { readonly [Option in keyof typeof mailOptions]: boolean };

export function isMail(request: { readonly command: string }): request is MailRequest {
  return Object.hasOwn(mailCommands, request.command);
}

export function isMailName(name: string): name is Name {
  return Object.hasOwn(mailCommands, name);
}

/** Whether the command changes something or shows personal data: it needs a reason, for the audit log. */
export function isMailControl(command: string): boolean {
  return command !== 'mail list' && isMail({ command });
}

/** @throws UsageError */
export function readMailCommand(
  name: Name,
  argument: string | undefined,
  values: Values,
): MailRequest {
  if (name === 'mail list') {
    if (values.bounced && values['to-print']) {
      throw new UsageError('Pass either --bounced or --to-print.');
    }
    const only = values.bounced ? 'bounced' : values['to-print'] ? 'to_print' : undefined;
    return {
      command: name,
      ...(argument === undefined ? {} : { pms: argument }),
      ...(only === undefined ? {} : { only }),
    };
  }
  if (name !== 'mail resend') return { command: name, mail_id: argument ?? '' };
  if ((argument === undefined) !== values['given-up']) {
    throw new UsageError('"mail resend" needs either the id of a mail or --given-up.');
  }
  return argument === undefined ? { command: name } : { command: name, mail_id: argument };
}

/** @throws UsageError for an option that the command does not use */
export function refuseUnusedMailOptions(name: string, values: Values): void {
  for (const [option, user] of [
    ['bounced', 'mail list'],
    ['to-print', 'mail list'],
    ['given-up', 'mail resend'],
  ] as const) {
    if (values[option] && name !== user) {
      throw new UsageError(`"${name}" takes no --${option}; only "${user}" does.`);
    }
  }
}

/** Runs a command in the transaction of its audit entry. */
export async function runMail(
  ctx: Ctx,
  request: MailRequest,
  record: (partnerId: string, entry: AuditEntry) => Promise<void>,
): Promise<object> {
  switch (request.command) {
    case 'mail list':
      return request.only === 'to_print'
        ? listNoticesToPrint(ctx.tx, request)
        : listMails(ctx, request);
    case 'mail print': {
      const { partner_id, ...letter } = await readLetter(ctx, request.mail_id);
      await record(partner_id, { action: 'mail.printed', subject_id: request.mail_id });
      return letter;
    }
    case 'mail sent': {
      const { partner_id, type } = await recordPrinted(ctx, { mailId: request.mail_id });
      const details = { type };
      await record(partner_id, {
        action: 'mail.sent_on_paper',
        subject_id: request.mail_id,
        details,
      });
      return { mail_id: request.mail_id, type };
    }
    case 'mail resend': {
      const { mail_id } = request;
      if (mail_id === undefined) {
        const queued = await resendGivenUpMails(ctx);
        await record(installation, { action: 'mails.resent', details: { queued } });
        return { queued };
      }
      const { partner_id, type } = await resendMail(ctx, { mailId: mail_id });
      await record(partner_id, { action: 'mail.resent', subject_id: mail_id, details: { type } });
      return { queued: 1 };
    }
  }
}

const addressedRow = row('mail with its tenant', {
  partner_id: text,
  lease: nullable(json(z.custom<Lease>((value) => typeof value === 'object'))),
});

async function readLetter(ctx: Ctx, mailId: string) {
  const found = await ctx.tx.maybe(
    addressedRow,
    sql`
    /* all partners: the operator names the mail */
    select m.partner_id, t.lease from mail m
    join tenant t on t.partner_id = m.partner_id and t.id = m.tenant_id where m.id = ${mailId}`,
  );
  const [letter] = found
    ? await loadLetters(ctx, [{ partnerId: found.partner_id, id: mailId }])
    : [];
  if (!found || !letter) {
    throw new Refusal('not_found', {
      message: `There is no mail ${mailId}. "svc mail list" shows the ids of mails.`,
    });
  }
  const brand = defaultBrand({ name: letter.portal, pms: letter.pms });
  const { home } = signerOf(null, found.lease);
  const { creditor } = ctx.service;
  return { partner_id: found.partner_id, letter: composePaper(letter, { creditor, brand, home }) };
}

/** Formats the result of a command as text for the operator's terminal. */
export function describeMail(request: MailRequest, result: object): string {
  switch (request.command) {
    case 'mail list':
      return request.only === 'to_print'
        ? describeNotices(result as Listed<NoticeToPrint>)
        : describeMails(result as Listed<MailLine>);
    case 'mail print':
      return (result as { letter: string }).letter;
    case 'mail sent':
      return `${request.mail_id} is recorded as sent on paper.\n`;
    case 'mail resend': {
      const { queued } = result as { queued: number };
      const mails = queued === 1 ? '1 mail is' : `${queued} mails are`;
      return `${mails} sent again within a minute, each with a fresh link.\n`;
    }
  }
}

function describeNotices({ items, has_more }: Listed<NoticeToPrint>): string {
  return table(
    'notices to print',
    ['send by', 'mail id', 'tenant', 'type', 'rule', 'why it was not mailed'],
    items.map((it) => [
      it.deadline ?? 'soon',
      it.mail_id,
      `${it.pms}/${it.external_id}`,
      it.type,
      it.rule,
      it.failure ?? '',
    ]),
    has_more ? 'Notices with later deadlines are left out.' : '',
  );
}

function describeMails({ items, has_more }: Listed<MailLine>): string {
  return table(
    'mails',
    ['written', 'mail id', 'tenant', 'type', 'state', 'answer of the mail server'],
    items.map((it) => [
      minute(it.created_at),
      it.mail_id,
      `${it.pms}/${it.external_id}`,
      it.type,
      mailState(it),
      it.failure ?? '',
    ]),
    has_more ? 'Older ones are left out.' : '',
  );
}

function mailState({ sent_at, bounced_at, due_at, address_bounces }: MailLine): string {
  if (sent_at !== null) return `sent ${minute(sent_at)}`;
  if (bounced_at !== null) {
    return `bounced ${minute(bounced_at)}${address_bounces ? '' : ', fixed since'}`;
  }
  return due_at === null ? 'not sent' : `next try ${minute(due_at)}`;
}

/** `2026-02-01 12:00 UTC`. */
function minute(instant: string): string {
  return `${instant.slice(0, 16).replace('T', ' ')} UTC`;
}
