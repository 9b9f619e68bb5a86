import type { Ctx } from '../context.ts';
import {
  type AccountKind,
  type AuditEntry,
  accountKinds,
  addBankAccount,
  adjustItem,
  assignItem,
  booksDay,
  booksToday,
  chart,
  closeDay,
  exportJournal,
  findBankAccount,
  importStatements,
  installation,
  listBankAccounts,
  listDays,
  listExceptions,
  matchItems,
  type NewBankAccount,
  Refusal,
  reconcile,
  reopenDay,
  replaceStatements,
  trialBalance,
  unmatch,
  verifyBooks,
} from '../domain/index.ts';
import { addDays } from '../domain/tenants/calendar.ts';
import { simulatedStatement } from '../simulator/simulated-statement.ts';
import type { ParsedStatements, StatementFormat } from '../statements/parse-statements.ts';
import { writeStatements } from '../statements/write-statements.ts';
import type { Operator } from './record-by-operator.ts';

/** The commands about statements and closed days. */
export type BooksRequest =
  | ({ readonly command: 'bank add' } & NewBankAccount)
  | { readonly command: 'bank list' }
  | {
      readonly command: 'statement import' | 'statement replace';
      readonly file: string;
      readonly bank: string;
      /** The file, once the process of the command has read it. */
      readonly content: ParsedStatements | null;
    }
  | {
      readonly command: 'statement simulate';
      readonly bank: string;
      readonly day: string;
      readonly format: StatementFormat;
    }
  | { readonly command: 'books reconcile' }
  | { readonly command: 'books exceptions'; readonly bank?: string }
  | {
      readonly command: 'books match';
      readonly items: readonly string[];
      readonly account?: AccountKind;
      readonly partner?: string;
    }
  | { readonly command: 'books unmatch'; readonly match_id: string }
  | { readonly command: 'books assign'; readonly item: string; readonly owner: string }
  | {
      readonly command: 'books adjust';
      readonly item: string;
      readonly account: AccountKind;
      readonly partner?: string;
    }
  | { readonly command: 'books write-off'; readonly item: string; readonly partner?: string }
  | { readonly command: 'books close'; readonly day: string }
  | { readonly command: 'books reopen'; readonly day: string }
  | { readonly command: 'books days' }
  | { readonly command: 'books accounts' }
  | { readonly command: 'books trial-balance'; readonly as_of?: string }
  | { readonly command: 'books export'; readonly from: string; readonly to: string }
  | { readonly command: 'books verify' };

const needReason: readonly string[] = [
  'statement replace',
  'books match',
  'books unmatch',
  'books assign',
  'books adjust',
  'books write-off',
  'books close',
  'books reopen',
];
const reports: readonly string[] = [
  'bank list',
  'statement simulate',
  'books exceptions',
  'books days',
  'books accounts',
  'books trial-balance',
  'books export',
  'books verify',
];

export function isBooks(request: { readonly command: string }): request is BooksRequest {
  return /^(bank|books|statement) /.test(request.command);
}

/** Whether the command needs a reason, for the audit log. */
export function isBooksControl(command: string): boolean {
  return needReason.includes(command);
}

export function isBooksReport(command: string): boolean {
  return reports.includes(command);
}

/** Runs a command of the books in the transaction of its audit entry. */
export async function runBooks(
  ctx: Ctx,
  request: BooksRequest,
  { by, record }: { by: Operator; record: (id: string, entry: AuditEntry) => Promise<void> },
): Promise<object> {
  const { tx, now } = ctx;
  const isSandbox = ctx.service.simulator !== null;
  const stated = { user: by.user, reason: by.reason ?? '' };
  const note = (action: AuditEntry['action'], subject_id: string, details: AuditEntry['details']) =>
    record(installation, { action, subject_id, ...(details && { details }) });
  switch (request.command) {
    case 'bank add': {
      const { command: _, ...input } = request;
      const added = await addBankAccount(ctx, input);
      await note('bank.added', added.id, { ...input });
      return added;
    }
    case 'bank list':
      return { items: await listBankAccounts(tx) };
    case 'statement import': {
      const { bank, file, content } = request;
      if (!content) throw new Error(`The file ${file} was not read.`);
      const imported = await importStatements(ctx, { bank, user: by.user, ...content });
      const { bank: _, notes: __, ...counts } = imported;
      if (imported.imported > 0) {
        await note('statement.imported', bank, { file: file.slice(-100), ...counts });
      }
      return imported;
    }
    case 'statement replace': {
      const { bank, file, content } = request;
      if (!content) throw new Error(`The file ${file} was not read.`);
      const replaced = await replaceStatements(ctx, { bank, user: by.user, ...content }, stated);
      const { removed, added, unmatched, reversed_by } = replaced;
      await note('statement.replaced', bank, {
        file: file.slice(-100),
        removed: JSON.stringify(removed).slice(0, 2_000),
        added: JSON.stringify(added).slice(0, 2_000),
        unmatched,
        ...(reversed_by.length > 0 && { reversed_by: reversed_by.join(' ').slice(0, 500) }),
      });
      return replaced;
    }
    case 'statement simulate':
      return simulate(ctx, request);
    case 'books reconcile': {
      const done = await reconcile(ctx);
      if (Object.values(done).some((it) => it > 0))
        await note('books.reconciled', 'rules', { ...done });
      return done;
    }
    case 'books exceptions':
      return listExceptions(tx, {
        bank: request.bank,
        today: await booksToday(tx, { today: booksDay(now), isSandbox }),
      });
    case 'books match': {
      const { items: named, account, partner: pms } = request;
      const input = {
        items: named,
        ...(account !== undefined && { account }),
        ...(pms !== undefined && { pms }),
      };
      const matched = await matchItems(ctx, input, stated);
      const { match_id, items, amount_in_cents, difference } = matched;
      await note('books.matched', match_id, {
        items: items.join(' ').slice(0, 500),
        amount_in_cents,
        ...(difference && {
          difference_in_cents: difference.amount_in_cents,
          account: difference.account,
          transfer_id: difference.transfer_id,
          partner_id: difference.partner_id,
        }),
      });
      return matched;
    }
    case 'books unmatch': {
      const undone = await unmatch(ctx, request.match_id, stated);
      const { match_id, items, reversed_by, ...details } = undone;
      await note('books.unmatched', match_id, {
        items: items.join(' ').slice(0, 500),
        ...details,
        ...(reversed_by.length > 0 && { reversed_by: reversed_by.join(' ').slice(0, 500) }),
      });
      return undone;
    }
    case 'books assign': {
      const { item, owner } = request;
      const assigned = await assignItem(ctx, { item, owner, user: by.user });
      await note('books.assigned', item, { owner });
      return assigned;
    }
    case 'books adjust':
    case 'books write-off': {
      const isWriteOff = request.command === 'books write-off';
      const account = isWriteOff ? 'books_difference' : request.account;
      const { item, partner } = request;
      const input = { item, account, ...(partner !== undefined && { pms: partner }) };
      const { partner_id, ...adjusted } = await adjustItem(ctx, input, stated);
      const action = isWriteOff ? 'books.written_off' : 'books.adjusted';
      const { item: _, ...details } = adjusted;
      await note(action, item, { ...details, partner_id });
      return adjusted;
    }
    case 'books close': {
      const closed = await closeDay(ctx, request.day);
      const { seal, sha256, unmatched, after_close } = closed;
      const counts = { unmatched: unmatched.length, after_close: after_close.length };
      await note('books.closed', request.day, { seal, sha256, ...counts });
      return closed;
    }
    case 'books reopen': {
      const reopened = await reopenDay(ctx, { day: request.day, ...stated });
      await note('books.reopened', request.day, { seal: reopened.seal });
      return reopened;
    }
    case 'books days':
      return { items: await listDays(tx, 100) };
    case 'books accounts':
      return { items: accountKinds.map((kind) => ({ kind, ...chart[kind] })) };
    case 'books trial-balance':
      return trialBalance(tx, request.as_of ?? booksDay(now));
    case 'books export':
      return exportJournal(tx, request);
    case 'books verify':
      return verifyBooks(tx, { vault: ctx.service.vault, today: booksDay(now), isSandbox });
  }
}

/** The next statement of an account, as the sandbox's bank or processor would send it. */
async function simulate(
  { tx, service }: Ctx,
  { bank, day, format }: Extract<BooksRequest, { command: 'statement simulate' }>,
): Promise<object> {
  if (!service.simulator) {
    throw new Refusal('validation_failed', {
      message: 'Statements are simulated in the sandbox only. Ask your bank for its file.',
    });
  }
  const account = await findBankAccount(tx, bank);
  const known = (await listBankAccounts(tx)).find((it) => it.id === account.id);
  const through = known?.imported_through ?? null;
  const from = through === null ? account.starts_on : addDays(through, 1);
  if (day < from) {
    throw new Refusal('validation_failed', {
      message: `The next statement of ${bank} begins on ${from}. Pass that day or a later one.`,
    });
  }
  const openingInCents = known?.closing_in_cents ?? 0;
  // A BAI2 group is one day.
  const days = format === 'bai2' ? daysFrom(from, day) : [[from, day] as const];
  const statements = [];
  let opening = openingInCents;
  for (const [first, last] of days) {
    const next = await simulatedStatement(tx, {
      account,
      from: first,
      to: last,
      openingInCents: opening,
    });
    statements.push(next);
    opening = next.closingInCents;
  }
  return { text: writeStatements({ format, statements }) };
}

function daysFrom(from: string, to: string): (readonly [string, string])[] {
  return from > to ? [] : [[from, from], ...daysFrom(addDays(from, 1), to)];
}
