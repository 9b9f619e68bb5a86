import { createHash } from 'node:crypto';
import { isRoutingNumber } from '@svc/contract';
import { integer, nullable, type Queryable, type RowOf, recordset, row, sql, text } from '@svc/db';
import type { Poster } from '../../domain/ledger/post.ts';
import type { AccountCorrection } from '../../domain/payments/correct-account.ts';
import type { ProcessorEvent } from '../../domain/payments/processor.ts';
import { newId } from '../../ids.ts';
import { BadEntry, BadFile } from '../../statements/bad-file.ts';
import type { AchSettings } from './ach-settings.ts';
import { bookReturns } from './book-cash.ts';
import {
  type Entry,
  eventsOf,
  failAfterPrenotes,
  lockEntries,
  type NamedEntry,
  recordReturns,
} from './entries.ts';
import { type Addenda, isDebit } from './nacha.ts';
import { type ParsedEntry, parseNacha } from './parse-nacha.ts';

/** A file of the bank, as it was in the inbox. */
interface IncomingFile {
  readonly name: string;
  readonly content: Buffer;
}

/** The result of applying a file from the bank. */
export interface Received {
  readonly id: string;
  /** False if a file with the same bytes was read before. */
  readonly isNew: boolean;
  readonly returns: number;
  readonly events: readonly ProcessorEvent[];
  readonly corrections: readonly AccountCorrection[];
  /** Entries that a person has to look at. */
  readonly exceptions: number;
}

type Uow = Poster;

/**
 * Applies a file of the bank: returns, notifications of change, or the acknowledgement of one of our files
 * (its name with `.ack`). An entry that cannot be applied is stored as an exception. A file is applied once,
 * whatever its name, and again only while it has open exceptions: a setting may have been corrected.
 * @throws BadFile
 */
export async function receiveFile(
  uow: Uow,
  file: IncomingFile,
  settings: AchSettings,
): Promise<Received> {
  const { tx } = uow;
  const sha256 = createHash('sha256').update(file.content).digest();
  const newFileId = newId('ach', uow.now);
  const nothing = {
    id: newFileId,
    isNew: true,
    returns: 0,
    events: [],
    corrections: [],
    exceptions: 0,
  };
  if (file.name.endsWith('.ack')) {
    await acknowledge(uow, file.name.slice(0, -'.ack'.length));
    return nothing;
  }
  const { batches, unreadable } = parseNacha(file.content);
  const entries = batches.flatMap((it) => it.entries);
  // If two processes read the same file, the second one waits here for the first, and has nothing to do.
  const inserted = await tx.run(sql`
    insert into ach_file (id, direction, name, state, entries, sha256, created_at, changed_at)
    values (${newFileId}, 'in', ${file.name.slice(0, 200)}, 'read', ${entries.length}, ${sha256}, ${uow.now}, ${uow.now})
    on conflict (sha256) where state = 'read' do nothing`);
  const id = inserted === 1 ? newFileId : await reopenFile(tx, sha256);
  if (id === undefined) return { ...nothing, isNew: false };
  // It may have been rejected before, when a setting was wrong.
  await tx.run(sql`
    update ach_file set state = 'dismissed', changed_at = ${uow.now}
    where state = 'rejected' and sha256 = ${sha256}`);
  const named = await lockEntries(tx, entries.map(numberOf));
  const matched: Matched[] = [];
  const exceptions: EntryException[] = unreadable.map(({ originalTrace, ...it }) => ({
    ...it,
    traceNumber: ourNumberIn(originalTrace, settings),
  }));
  for (const entry of entries) {
    try {
      matched.push(match(entry, named, { settings, file: file.name }));
    } catch (error) {
      if (!(error instanceof BadEntry)) throw error;
      const { line, message } = error;
      const traceNumber = ourNumberIn(entry.addenda?.originalTrace ?? null, settings);
      exceptions.push({ line, reason: message, traceNumber });
    }
  }
  await recordExceptions(uow, id, exceptions);
  const changed = await applyReturns(uow, matched);
  await bookReturns(uow, changed, settings.bankRoutingNumber);
  return {
    id,
    isNew: inserted === 1,
    returns: changed.length,
    events: changed.flatMap(eventsOf),
    corrections: matched.flatMap(({ correction }) => correction ?? []),
    exceptions: exceptions.length,
  };
}

const exceptionRow = row('exception of an ACH file', {
  line: integer,
  reason: text,
  /** The last 7 digits of the trace number of our entry. That entry waits until the exception is resolved. */
  traceNumber: nullable(integer),
});
type EntryException = RowOf<typeof exceptionRow>;

async function recordExceptions(
  { tx, now }: Uow,
  fileId: string,
  exceptions: readonly EntryException[],
): Promise<void> {
  if (exceptions.length === 0) return;
  await tx.run(sql`
    insert into ach_exception (file_id, number, line, reason, trace_number, created_at)
    select ${fileId}, row_number() over (order by x.line), x.line, x.reason, x.trace_number, ${now}
    from ${recordset(exceptionRow, exceptions, 'x')}`);
}

/** Deletes the open exceptions of a file with these bytes, to decide them again. Undefined if it has none. */
async function reopenFile(tx: Queryable, sha256: Buffer): Promise<string | undefined> {
  const file = await tx.maybe(
    readFileRow,
    sql`select id from ach_file where state = 'read' and sha256 = ${sha256} for update`,
  );
  if (!file) return undefined;
  const open = await tx.run(
    sql`delete from ach_exception where file_id = ${file.id} and resolved_at is null`,
  );
  return open === 0 ? undefined : file.id;
}

/** Returns the last 7 digits of a trace number of our bank. Null for any other. */
function ourNumberIn(trace: string | null, { bankRoutingNumber }: AchSettings): number | null {
  return trace?.startsWith(bankRoutingNumber.slice(0, 8)) ? Number(trace.slice(8)) : null;
}

/** Records that a file was rejected. Until an operator has dealt with it, no debit counts as succeeded. */
export async function recordRejected(
  { tx, now }: Uow,
  { name, content }: IncomingFile,
  reason: string,
): Promise<string> {
  const id = newId('ach', now);
  const sha256 = createHash('sha256').update(content).digest();
  await tx.run(sql`
    insert into ach_file (id, direction, name, state, entries, sha256, reason, created_at, changed_at)
    select ${id}, 'in', ${name.slice(0, 200)}, 'rejected', 0, ${sha256}, ${reason}, ${now}, ${now}
    where not exists (select from ach_file where state = 'rejected' and sha256 = ${sha256})`);
  return id;
}

const readFileRow = row('file that was read', { id: text });
const rejectedRow = row('rejected file', { id: text });

/** Returns whether a rejected file may hold returns that we do not know. An acknowledgement holds none. */
export async function hasRejected(q: Queryable): Promise<boolean> {
  const found = await q.maybe(
    rejectedRow,
    sql`select id from ach_file where state = 'rejected' and name not like '%.ack' limit 1`,
  );
  return found !== undefined;
}

const ackRow = row('acknowledged file', { state: text });

async function acknowledge({ tx, now }: Uow, name: string): Promise<void> {
  const file = await tx.maybe(
    ackRow,
    sql`
    select state from ach_file where direction = 'out' and name = ${name}
      and state in ('sent', 'acknowledged', 'refused') for update`,
  );
  if (!file) throw new BadFile(1, `no file that we sent has the name "${name.slice(0, 40)}".`);
  if (file.state === 'refused') {
    throw new BadFile(
      1,
      `the bank has taken ${name}, but an operator said that it was refused, so its entries were sent again. Ask the bank at once to cancel one of the two files.`,
    );
  }
  await tx.run(sql`
    update ach_file set state = 'acknowledged', changed_at = ${now}
    where direction = 'out' and name = ${name} and state = 'sent'`);
}

interface Matched {
  readonly ours: NamedEntry;
  readonly addenda: Addenda;
  /** Set for a notification of change. */
  readonly correction: AccountCorrection | undefined;
}

function numberOf({ addenda }: ParsedEntry): number {
  return Number(addenda?.originalTrace.slice(8) ?? -1);
}

/**
 * Finds our entry that came back. Throws instead of guessing if none is clearly meant.
 * @throws BadEntry
 */
function match(
  entry: ParsedEntry,
  named: ReadonlyMap<number, NamedEntry>,
  { settings, file }: { readonly settings: AchSettings; readonly file: string },
): Matched {
  const { line, addenda, code, amountInCents } = entry;
  if (addenda === null) {
    throw new BadEntry(line, 'it is neither a return nor a notification of change.');
  }
  const { originalTrace } = addenda;
  const ours = named.get(numberOf(entry));
  if (!ours || ourNumberIn(originalTrace, settings) === null) {
    throw new BadEntry(line, `the original trace number ${originalTrace} is not one of ours.`);
  }
  if (isDebit(code) !== (ours.kind !== 'credit')) {
    throw new BadEntry(line, `its code is ${code}, but our entry was a ${ours.kind}.`);
  }
  if (addenda.kind === 'change') {
    return { ours, addenda, correction: correctionOf(line, ours, addenda, file) };
  }
  if (amountInCents !== ours.amountInCents) {
    throw new BadEntry(
      line,
      `its amount is ${amountInCents} cents, and that of our entry ${ours.amountInCents}.`,
    );
  }
  return { ours, addenda, correction: undefined };
}

/** Records returns. An entry can come back only once, so another return of it changes nothing. */
async function applyReturns({ tx, now }: Uow, matched: readonly Matched[]): Promise<Entry[]> {
  const returns = matched.filter(({ addenda }) => addenda.kind === 'return');
  const once = new Map(returns.map((it) => [`${it.ours.partnerId} ${it.ours.key}`, it]));
  const changed = await recordReturns(
    tx,
    [...once.values()].map(({ ours: { partnerId, key }, addenda }) => ({
      partnerId,
      key,
      returnCode: addenda.reason,
    })),
    now,
  );
  const prenotes = returns.filter(({ ours }) => ours.kind === 'prenote');
  if (prenotes.length === 0) return changed;
  const methods = prenotes.map(({ ours: { partnerId, methodId } }) => ({ partnerId, methodId }));
  return [...changed, ...(await failAfterPrenotes(tx, methods, now))];
}

/** Reads the 29 characters of corrected data as the change code defines them. Other codes change nothing here. */
function correctionOf(
  line: number,
  { partnerId, tenantId, methodId }: NamedEntry,
  { reason, corrected }: Extract<Addenda, { kind: 'change' }>,
  file: string,
): AccountCorrection {
  const part = (from: number, to: number) => corrected.slice(from - 1, to).trim();
  const base = { partnerId, tenantId, methodId, processor: 'ach', code: reason, file };
  const account = (from: number, to: number) => {
    const account_number = part(from, to);
    if (/^[0-9A-Za-z][0-9A-Za-z -]{0,16}$/.test(account_number)) return { account_number };
    throw new BadEntry(line, `the corrected account number of ${reason} is missing.`);
  };
  const bank = (from: number, to: number) => {
    const routing_number = part(from, to);
    if (isRoutingNumber(routing_number)) return { routing_number };
    throw new BadEntry(line, `the corrected routing number of ${reason} is not one of a bank.`);
  };
  const type = (from: number, to: number) => {
    const code = part(from, to);
    const account_type = ({ 2: 'checking', 3: 'savings' } as const)[code[0] ?? ''];
    if (/^\d\d$/.test(code) && account_type) return { account_type };
    throw new BadEntry(
      line,
      `the corrected transaction code of ${reason} is not one of an account.`,
    );
  };
  switch (reason) {
    case 'C01':
      return { ...base, changes: account(1, 17) };
    case 'C02':
      return { ...base, changes: bank(1, 9) };
    case 'C03':
      return { ...base, changes: { ...bank(1, 9), ...account(13, 29) } };
    case 'C05':
      return { ...base, changes: type(1, 2) };
    case 'C06':
      return { ...base, changes: { ...account(1, 17), ...type(21, 22) } };
    case 'C07':
      return { ...base, changes: { ...bank(1, 9), ...account(10, 26), ...type(27, 28) } };
    default:
      return { ...base, changes: {} };
  }
}
