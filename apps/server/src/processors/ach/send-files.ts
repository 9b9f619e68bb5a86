import {
  bigint,
  bytes,
  date,
  instant,
  integer,
  json,
  nullable,
  oneOf,
  type Queryable,
  type RowOf,
  recordset,
  row,
  sql,
  text,
} from '@svc/db';
import type { Vault } from '@svc/runtime';
import { byKey } from '../../cluster.ts';
import { mayBeginMoney } from '../../domain/controls/money-switch.ts';
import type { BankAccount } from '../../domain/payments/processor.ts';
import { localDate } from '../../domain/tenants/calendar.ts';
import {
  openPersonal,
  type StoredPersonal,
  storedPersonal,
} from '../../domain/tenants/personal-data.ts';
import { newId } from '../../ids.ts';
import type { AchSettings } from './ach-settings.ts';
import { achText } from './ach-text.ts';
import {
  achTimeZone,
  earliestDebitAfterPrenote,
  effectiveOn,
  settlesAt,
} from './banking-windows.ts';
import { traceOf } from './entries.ts';
import { type NachaBatch, type NachaEntry, transactionCodeOf } from './nacha.ts';
import { writeNacha } from './write-nacha.ts';

// A file's states on its way to the bank, with one transaction for each step:
//
//   assembled  its entries are chosen; its text may still be written, and again after a crash
//   staged     one text is final, under the name `staged_as`; only that one may be moved to the outbox
//   sent       it was moved
//
// The move is a rename, which happens once. A process that dies between two steps leaves a file that any
// process can continue: before `staged` by writing a new text, after it by moving the staged one. So a
// batch can neither be lost nor come to the bank twice, also if the bank has emptied the outbox in between.

// A busy day has several files. Each is one transaction, and one text in memory.
const mostEntries = 5_000;
const fileIdModifiers = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

const dueRow = row('entry to write', {
  partnerId: text,
  key: text,
  kind: oneOf('debit', 'credit', 'prenote'),
  writeAt: instant,
});
const assignedRow = row('entry of a file', {
  partnerId: text,
  key: text,
  effectiveOn: date,
  settlesAt: instant,
});
const usedRow = row('files of a day', { used: integer });

/**
 * Puts the entries whose cut-off has come into a new file. Concurrent processes choose different entries.
 * While money is stopped, none are chosen. Returns how many entries were chosen.
 */
export async function assembleFile(
  { tx, now }: { readonly tx: Queryable; readonly now: Date },
  settings: AchSettings,
): Promise<number> {
  if (!(await mayBeginMoney(tx))) return 0;
  const due = await tx.many(
    dueRow,
    sql`
    /* all partners: we have one account at the bank for all of them */
    select e.partner_id, e.key, e.kind, e.write_at from ach_entry e
    where e.state = 'waiting' and e.write_at <= ${now}
      and (e.kind <> 'debit' or not exists (select from ach_entry p
        where p.partner_id = e.partner_id and p.payment_method_id = e.payment_method_id
          and p.kind = 'prenote' and p.state in ('waiting', 'sent')))
    order by e.write_at, e.number limit ${mostEntries} for update skip locked`,
  );
  if (due.length === 0) return 0;
  const id = newId('ach', now);
  const day = localDate(now, achTimeZone);
  const { used } = await tx.one(
    usedRow,
    sql`select count(*)::int4 as used from ach_file where created_on = ${day}`,
  );
  const modifier = fileIdModifiers[used];
  if (modifier === undefined)
    throw new Error(`${fileIdModifiers.length} ACH files were written on ${day}.`);
  // Another process can take the same letter at the same time. Then this one waits for the next pass.
  const inserted = await tx.run(sql`
    insert into ach_file (id, direction, name, state, created_on, modifier, entries, created_at,
      changed_at)
    values (${id}, 'out', ${`ACH-${day}-${modifier}.txt`}, 'assembled', ${day}, ${modifier},
      ${due.length}, ${now}, ${now})
    on conflict do nothing`);
  if (inserted === 0) return 0;
  const entries = due.map(({ partnerId, key, kind, writeAt }) => {
    const on = effectiveOn(now, writeAt, settings);
    const at = kind === 'prenote' ? earliestDebitAfterPrenote(on) : settlesAt(on, settings);
    return { partnerId, key, effectiveOn: on, settlesAt: at };
  });
  await tx.run(sql`
    update ach_entry e set state = 'sent', file_id = ${id}, effective_on = a.effective_on,
      settles_at = a.settles_at
    from ${recordset(assignedRow, entries, 'a')}
    where e.partner_id = a.partner_id and e.key = a.key`);
  return due.length;
}

const openFileRow = row('file on its way to the outbox', {
  id: text,
  name: text,
  state: oneOf('assembled', 'staged'),
  stagedAs: nullable(text),
  modifier: text,
  createdAt: instant,
});
type OpenFile = RowOf<typeof openFileRow>;

/** Files that are not in the outbox yet, oldest first. */
export async function listOpenFiles(q: Queryable): Promise<OpenFile[]> {
  return q.many(
    openFileRow,
    sql`
    select id, name, state, staged_as, modifier, created_at from ach_file
    where direction = 'out' and state in ('assembled', 'staged') order by id limit 100`,
  );
}

const refusedRow = row('refused file', { name: text });

/** Returns the names of files that the bank refused in the last 7 days. Their entries go into other files. */
export async function listRefusedFiles(q: Queryable, now: Date): Promise<string[]> {
  const since = new Date(now.getTime() - 7 * 86_400_000);
  const found = await q.many(
    refusedRow,
    sql`select name from ach_file where state = 'refused' and changed_at >= ${since} limit 100`,
  );
  return found.map(({ name }) => name);
}

/** Makes this text the one that is sent. Returns false if another process was first. */
export async function recordStaged(
  { tx, now }: { readonly tx: Queryable; readonly now: Date },
  id: string,
  stagedAs: string,
): Promise<boolean> {
  const staged = await tx.run(sql`
    update ach_file set state = 'staged', staged_as = ${stagedAs}, changed_at = ${now}
    where id = ${id} and state = 'assembled'`);
  return staged > 0;
}

export async function recordSent(
  { tx, now }: { readonly tx: Queryable; readonly now: Date },
  id: string,
): Promise<void> {
  await tx.run(sql`
    update ach_file set state = 'sent', changed_at = ${now} where id = ${id} and state = 'staged'`);
}

const lineRow = row('entry to format', {
  number: bigint,
  kind: oneOf('debit', 'credit', 'prenote'),
  occasion: oneOf('single', 'recurring', 'retry'),
  amountInCents: bigint,
  effectiveOn: date,
  methodId: text,
  detailsSealed: bytes,
  tenantId: text,
  personal: json(),
});
type Line = RowOf<typeof lineRow>;

/** Returns the text of a file, with the account numbers that are stored now, including every correction. */
export async function formatFile(
  q: Queryable,
  { id, modifier, createdAt }: OpenFile,
  { settings, vault }: { readonly settings: AchSettings; readonly vault: Vault },
): Promise<string> {
  const lines = await q.many(
    lineRow,
    sql`
    /* all partners: we have one account at the bank for all of them */
    select e.number, e.kind, e.occasion, e.amount_in_cents,
      e.effective_on, m.id as method_id, m.details_sealed,
      t.id as tenant_id, ${storedPersonal} as personal
    from ach_entry e cross join lateral (
        select m.id, m.details_sealed from payment_method m
        where m.partner_id = e.partner_id and m.id = e.payment_method_id ${byKey(q)}) m
      cross join lateral (
        select t.* from tenant t where t.partner_id = e.partner_id and t.id = e.tenant_id ${byKey(q)}) t
    where e.file_id = ${id}`,
  );
  const batches = new Map<string, { batch: Omit<NachaBatch, 'entries'>; entries: NachaEntry[] }>();
  for (const line of lines) {
    const batch = batchOf(line, settings);
    const name = [batch.effectiveOn, batch.serviceClass, batch.description].join(' ');
    const known = batches.get(name) ?? { batch, entries: [] };
    batches.set(name, known);
    known.entries.push(entryOf(line, { settings, vault }));
  }
  const names = [...batches.keys()].sort();
  return writeNacha({
    destination: settings.bankRoutingNumber,
    origin: settings.originId,
    destinationName: achText(settings.bankName, 23),
    modifier,
    reference: '',
    originName: achText(settings.companyName, 23),
    ...dateOf(createdAt),
    batches: names.flatMap((name) => {
      const found = batches.get(name);
      if (!found) return [];
      const entries = found.entries.sort((a, b) => (a.trace < b.trace ? -1 : 1));
      return [{ ...found.batch, entries }];
    }),
  });
}

/** The batch description that the Nacha rules require for a debit that is retried after a return. */
const retryDescription = 'RETRY PYMT';

/** Consumers authorize debits on the internet, which is WEB. A credit to a consumer is PPD. */
function batchOf(
  { kind, occasion, effectiveOn }: Line,
  settings: AchSettings,
): Omit<NachaBatch, 'entries'> {
  const isCredit = kind === 'credit';
  return {
    serviceClass: isCredit ? '220' : '225',
    entryClass: isCredit ? 'PPD' : 'WEB',
    companyName: achText(settings.companyName, 16),
    companyId: settings.companyId,
    description: occasion === 'retry' ? retryDescription : achText(settings.description, 10),
    discretionary: '',
    descriptiveDate: '',
    effectiveOn,
    settlementDay: '',
    originatingBank: settings.bankRoutingNumber.slice(0, 8),
  };
}

function entryOf(
  { kind, occasion, amountInCents, methodId, detailsSealed, tenantId, personal, ...line }: Line,
  { settings, vault }: { readonly settings: AchSettings; readonly vault: Vault },
): NachaEntry {
  const account = JSON.parse(vault.open(detailsSealed, methodId)) as BankAccount;
  const owner = openPersonal(vault, tenantId, personal as StoredPersonal);
  const purposes = { debit: 'debit', credit: 'credit', prenote: 'prenote_debit' } as const;
  return {
    code: transactionCodeOf(account.account_type, purposes[kind]),
    routingNumber: account.routing_number,
    accountNumber: account.account_number,
    amountInCents,
    // Our id of the tenant, so that the bank can name the entry in questions to us.
    individualId: tenantId.slice(-15).toUpperCase(),
    individualName: achText(owner ? `${owner.firstName} ${owner.lastName}` : '', 22) || 'TENANT',
    discretionary: kind === 'credit' ? '' : occasion === 'single' ? 'S' : 'R',
    trace: traceOf(line, settings.bankRoutingNumber),
    addenda: null,
  };
}

function dateOf(at: Date): { createdOn: string; createdAt: string } {
  const time = new Intl.DateTimeFormat('en-GB', {
    timeZone: achTimeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return { createdOn: localDate(at, achTimeZone), createdAt: time.format(at).replace(':', '') };
}
