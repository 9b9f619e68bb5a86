import type { Listed } from '../../domain/listed.ts';
import { listMails, type MailLine } from '../../domain/mail/list-mails.ts';
import { listNoticesToPrint, type NoticeToPrint } from '../../domain/mail/list-notices.ts';
import { defineCommand, flag, optionalArgument } from '../command.ts';
import { formatMinute } from '../format.ts';
import { table } from '../table.ts';

export const mailList = defineCommand({
  name: 'mail list',
  summary: 'list mails of the last 30 days, those --bounced, or notices --to-print',
  input: {
    pms: optionalArgument('[pms]'),
    bounced: flag('--bounced', 'only mails whose address takes none'),
    to_print: flag('--to-print', 'notices that the law asks for and that cannot be mailed'),
  },
  effect: 'report',
  console: { needs: 'read', partner: 'pms' },
  refuse: ({ bounced, to_print }) =>
    bounced && to_print ? 'takes either --bounced or --to-print' : undefined,
  run: (ctx, { to_print, ...filter }): Promise<Listed<MailLine> | Listed<NoticeToPrint>> =>
    to_print ? listNoticesToPrint(ctx.tx, filter) : listMails(ctx, filter),
  describe: (found, { to_print }) =>
    to_print
      ? describeNotices(found as Listed<NoticeToPrint>)
      : describeMails(found as Listed<MailLine>),
});

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
      formatMinute(it.created_at),
      it.mail_id,
      `${it.pms}/${it.external_id}`,
      it.type,
      stateOf(it),
      it.failure ?? '',
    ]),
    has_more ? 'Older ones are left out.' : '',
  );
}

function stateOf({ sent_at, bounced_at, due_at, address_bounces }: MailLine): string {
  if (sent_at !== null) return `sent ${formatMinute(sent_at)}`;
  if (bounced_at !== null) {
    return `bounced ${formatMinute(bounced_at)}${address_bounces ? '' : ', fixed since'}`;
  }
  return due_at === null ? 'not sent' : `next try ${formatMinute(due_at)}`;
}
