import {
  type Adjusted,
  type BookException,
  type BooksReport,
  type ChartLine,
  type ClosedDay,
  chart,
  type DayLine,
  type Exceptions,
  type Imported,
  type Journal,
  type ListedAccount,
  type Matched,
  type MatchedByHand,
  type Replaced,
  type TrialBalance,
  type Unmatched,
} from '../domain/index.ts';
import type { BooksRequest } from './books-commands.ts';
import { table } from './table.ts';

/** Formats the result of a command of the books as text for the operator's terminal. */
export function describeBooks(request: BooksRequest, result: object): string {
  switch (request.command) {
    case 'bank add':
      return `${request.name} is compared with the ledger's ${request.ledger_account} from ${request.starts_on} on. Import its statement of that day next.\n`;
    case 'bank list':
      return describeAccounts((result as { items: ListedAccount[] }).items);
    case 'statement import':
      return describeImport(result as Imported);
    case 'statement replace':
      return describeReplaced(result as Replaced);
    case 'statement simulate':
      return (result as { text: string }).text;
    case 'books reconcile': {
      const { collected, ...matched } = result as Matched & { collected: number };
      return `${collected} new ledger entries. ${describeMatched(matched)}`;
    }
    case 'books exceptions':
      return describeExceptions(result as Exceptions);
    case 'books match': {
      const { match_id, items, amount_in_cents, difference } = result as MatchedByHand;
      const posted =
        difference === undefined
          ? ''
          : ` Posted the difference of $${dollars(difference.amount_in_cents)} as ${difference.transfer_id}: ${chart[difference.account].name} changed by $${dollars(-difference.amount_in_cents)}.`;
      return `Matched ${items.length} items of $${dollars(amount_in_cents)} as ${match_id}.${posted}\n`;
    }
    case 'books unmatch': {
      const { match_id, items, reversed_by } = result as Unmatched;
      const reversed =
        reversed_by.length === 0
          ? ''
          : ` What it had posted was taken back by ${reversed_by.join(', ')}.`;
      return `Undid ${match_id}.${reversed} Not matched again: ${items.join(', ')}.\n`;
    }
    case 'books assign':
      return `${request.owner} looks into ${request.item}.\n`;
    case 'books adjust':
    case 'books write-off': {
      const { transfer_id, match_id, amount_in_cents, account } = result as Adjusted;
      return `Posted ${transfer_id}: ${account} changed by $${dollars(amount_in_cents)}. Matched as ${match_id}.\n`;
    }
    case 'books close':
      return describeClose(result as ClosedDay);
    case 'books reopen': {
      const { closed_through } = result as { closed_through: string | null };
      return `${request.day} is open again. ${closed_through === null ? 'No day is closed' : `The books are closed through ${closed_through}`}.\n`;
    }
    case 'books days':
      return describeDays((result as { items: DayLine[] }).items);
    case 'books accounts':
      return describeChart((result as { items: ChartLine[] }).items);
    case 'books trial-balance':
      return describeTrial(result as TrialBalance);
    case 'books export':
      return (result as Journal).csv;
    case 'books verify':
      return describeReport(result as BooksReport);
  }
}

function describeAccounts(items: readonly ListedAccount[]): string {
  return table(
    'accounts. Add one with "svc bank add"',
    [
      'name',
      'ends with',
      'currency',
      'compared with',
      'from',
      'imported through',
      'balance',
      'not matched',
    ],
    items.map((it) => [
      it.name,
      it.account_last4,
      it.currency,
      it.ledger_account,
      it.starts_on,

      it.imported_through ?? '',
      it.closing_in_cents === null ? '' : dollars(it.closing_in_cents),
      String(it.open_lines),
    ]),
  );
}

function describeImport({
  bank,
  imported,
  lines,
  known,
  other_accounts,
  notes,
  imported_through,
  closing_in_cents,
}: Imported): string {
  const before = known === 0 ? '' : ` ${known} were imported before and changed nothing.`;
  const others =
    other_accounts === 0 ? '' : ` ${other_accounts} are of other accounts and were left out.`;
  const noted = notes.map((it) => `${it}\n`).join('');
  return `${noted}Imported ${imported} statements of ${bank} with ${lines} lines.${before}${others} The last one ends on ${imported_through} with $${dollars(closing_in_cents)}.\n`;
}

function describeReplaced({
  bank,
  removed,
  added,
  unmatched,
  reversed_by,
  notes,
}: Replaced): string {
  const list = (statements: Replaced['added']) =>
    statements
      .map((it) => `${it.from} to ${it.to}, ${it.lines} lines, $${dollars(it.closing_in_cents)}`)
      .join('; ');
  const reversed =
    reversed_by.length === 0
      ? ''
      : ` What they had posted was taken back by ${reversed_by.join(', ')}.`;
  const noted = notes.map((it) => `${it}\n`).join('');
  return `${noted}Removed from ${bank}: ${list(removed)}.\nAdded: ${list(added)}.\nUndid ${unmatched} matches.${reversed} Match again with "svc books reconcile".\n`;
}

function describeMatched({ reference, same_reference, amount, batch }: Matched): string {
  return `Matched ${reference} by reference, ${same_reference} by the sum of a reference, ${amount} by amount and days, ${batch} by the sum of a day.\n`;
}

function describeExceptions({ items, has_more, count, total_in_cents }: Exceptions): string {
  const more = has_more ? `Only the oldest ${items.length} of ${count} are listed.` : '';
  const lines = tableOf(items, more);
  return count === 0 ? lines : `${lines}Lines minus entries: $${dollars(total_in_cents)}.\n`;
}

function tableOf(items: readonly BookException[], note = ''): string {
  return table(
    'exceptions: everything is matched',
    ['item', 'where', 'day', 'age', 'amount', 'reference', 'owner', 'why'],
    items.map((it) => [
      it.item,
      it.bank ?? `ledger of ${it.pms}`,
      it.day,
      `${it.age_in_days} d`,
      dollars(it.amount_in_cents),
      it.reference,
      it.owner ?? '',
      `${it.after_close ? 'Came after its day was closed. ' : ''}${it.why}`,
    ]),
    note,
  );
}

function describeClose({ day, seal, sha256, matched, unmatched, after_close }: ClosedDay): string {
  const late =
    after_close.length === 0
      ? ''
      : `${after_close.length} entries came after their day was closed: ${after_close.join(', ')}.\n`;
  const open =
    unmatched.length === 0 ? 'Everything is matched.\n' : `Not matched:\n${tableOf(unmatched)}`;
  return `${describeMatched(matched)}Closed ${day} as seal ${seal}, ${sha256}.\n${late}${open}`;
}

function describeDays(items: readonly DayLine[]): string {
  return table(
    'closed days',
    ['seal', 'what', 'day', 'when'],
    items.map((it) => [
      String(it.number),
      it.action,
      it.day ?? '',
      `${it.sealed_at.slice(0, 16).replace('T', ' ')} UTC`,
    ]),
  );
}

function describeChart(items: readonly ChartLine[]): string {
  return table(
    'accounts',
    ['number', 'name', 'type', 'kind'],
    items.map((it) => [String(it.number), it.name, it.type, it.kind]),
  );
}

function describeTrial({ as_of, lines, debit_in_cents, credit_in_cents }: TrialBalance): string {
  const side = (cents: number) => (cents === 0 ? '' : dollars(cents)).padStart(16);
  const rows = lines.map(
    (it) =>
      `${it.number}  ${it.name.padEnd(30)} ${side(it.debit_in_cents)} ${side(it.credit_in_cents)}`,
  );
  const total = `      ${''.padEnd(30)} ${dollars(debit_in_cents).padStart(16)} ${dollars(credit_in_cents).padStart(16)}`;
  return `${[`Trial balance at the end of ${as_of}`, ...rows, total].map((it) => it.trimEnd()).join('\n')}\n`;
}

function describeReport(report: BooksReport): string {
  const { sides, deposits, exceptions, faults } = report;
  const compared = table(
    'accounts',
    ['account', 'ledger', 'statements', 'lines not matched', 'entries not matched'],
    sides.map((it) => [
      it.ledger_account,
      dollars(it.ledger_in_cents),
      dollars(it.statements_in_cents),
      `${it.open_lines}: ${dollars(it.open_lines_in_cents)}`,
      `${it.open_entries}: ${dollars(it.open_entries_in_cents)}`,
    ]),
  );
  const through = `Deposits: ledger $${dollars(deposits.ledger_in_cents)}, confirmed by the processor $${dollars(deposits.processor_in_cents)}, by the bank $${dollars(deposits.bank_in_cents)}.\n`;
  const closed = `Closed through ${report.closed_through ?? 'no day'}, ${report.seals} seals, ${report.statements} statements.${report.last_seal === null ? '' : ` Last seal: ${report.last_seal}.`}\n`;
  const open =
    exceptions.count === 0
      ? 'Ledger, processor and bank agree.\n'
      : `${exceptions.count} exceptions explain the differences: see "svc books exceptions".\n`;
  return `${compared}\n${through}${closed}${open}${faults.map((it) => `FAULT: ${it}\n`).join('')}`;
}

/** `1234.50`, without a currency sign. */
function dollars(cents: number): string {
  return (cents / 100).toFixed(2);
}
