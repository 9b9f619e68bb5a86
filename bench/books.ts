import type { Database } from '@svc/db';
import { bigint, date, raw, row, sql, text } from '@svc/db';
import { addBankAccount } from '../apps/server/src/domain/books/bank-accounts.ts';
import { collectItems } from '../apps/server/src/domain/books/collect-items.ts';
import { importStatements } from '../apps/server/src/domain/books/import-statements.ts';
import { lockBooks } from '../apps/server/src/domain/books/lock-books.ts';
import { runMatchRules } from '../apps/server/src/domain/books/match-rules.ts';
import type { StatementLine } from '../apps/server/src/domain/books/statement.ts';
import { post } from '../apps/server/src/domain/ledger/post.ts';
import { openStage, runCommand, type Stage } from './domain/setup.ts';
import { type Bench, compare } from './rows.ts';

const count = 100_000;
const rounds = 5;
const batch = 200;
const day = '2026-03-02';
const now = new Date('2026-03-03T17:00:00Z');
const timeoutMs = 600_000;
const system = { kind: 'system' } as const;

/** Compares matching a day of 100,000 lines with a sort-merge of the same rows that stores only the pairs. */
export const bench: Bench = async ({ databaseUrl }) => {
  const stage = await openStage(await databaseUrl());
  await fillBooks(stage);
  const { db } = stage;
  const measured: number[] = [];
  const baseline: number[] = [];
  // The first round fills the caches of both and does not count.
  for (let round = 0; round <= rounds; round += 1) {
    await undo(db);
    const bare = await measureSeconds(() => sortMerge(db));
    const ours = await measureSeconds(() => match(db));
    if (round === 0) continue;
    baseline.push(count / bare);
    measured.push(count / ours);
    console.log(`round ${round}: bare ${bare.toFixed(2)} s, rules ${ours.toFixed(2)} s`);
  }
  await db.close();
  return compare(
    'match 100,000 lines by the rules',
    'lines/s',
    { floor: 0.04 },
    measured,
    baseline,
  );
};

async function measureSeconds(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1_000;
}

/**
 * Posts the entries and imports the lines. Of each 1,000 lines, 980 have the reference of their entry, 10 match by
 * amount only, and 10 have no entry.
 */
async function fillBooks({ db, partner }: Stage): Promise<void> {
  const { partnerId } = partner;
  const began = performance.now();
  for (let from = 0; from < count; from += batch) {
    // With the statistics of an empty table, the check of each transfer's balance would read the whole table.
    if ([1, 10, 100].includes(from / batch)) await db.run(raw('analyze'));
    await runCommand(db, now, system, (ctx) =>
      post(
        ctx,
        Array.from({ length: batch }, (_, index) => ({
          ...({
            partnerId,
            tenantId: null,
            kind: 'refund',
            sourceId: nameOf(from + index),
          } as const),
          occurredAt: new Date(`${day}T17:00:00Z`),
          entries: [
            { kind: 'cash', amountInCents: centsOf(from + index) } as const,
            { kind: 'fee_income', amountInCents: -centsOf(from + index) } as const,
          ],
        })),
      ),
    );
  }
  console.log(`posted in ${((performance.now() - began) / 1_000).toFixed(1)} s`);
  await runCommand(db, now, system, (ctx) =>
    addBankAccount(ctx, {
      name: 'operating',
      currency: 'USD',
      account_last4: '6789',
      ledger_account: 'cash',
      starts_on: day,
    }),
  );
  const lines = Array.from({ length: count }, (_, index): StatementLine => {
    const rest = index % 1_000;
    return {
      fileLine: 0,
      kind: 'entry',
      bookedOn: day,
      description: 'A movement',
      reference: rest < 980 ? nameOf(index) : rest < 990 ? '' : `unknown-${index}`,
      amountInCents: centsOf(index) + (rest < 990 ? 0 : 1),
    };
  });
  await runCommandWithin(db, async (ctx) => {
    const started = performance.now();
    await importStatements(ctx, {
      bank: 'operating',
      format: 'csv',
      user: 'bench',
      unusable: [],
      statements: [
        {
          fileLine: 1,
          account: '6789',
          currency: 'USD',
          from: day,
          to: day,
          openingInCents: 0,
          lines,
          closingInCents: lines.reduce((sum, it) => sum + it.amountInCents, 0),
        },
      ],
    });
    const imported = performance.now();
    await collectItems(ctx);
    const collected = performance.now();
    console.log(
      `imported in ${((imported - started) / 1_000).toFixed(1)} s, collected in ${((collected - imported) / 1_000).toFixed(1)} s`,
    );
  });
  await db.run(raw('create table bare_pair (line_id text, transfer_id text)'));
  await db.run(raw('analyze'));
}

const nameOf = (index: number) => `R${String(index).padStart(6, '0')}`;
// The amounts are in no order, and few of them are equal.
const centsOf = (index: number) => 10_000 + ((index * 7_919) % 9_999_991);

function runCommandWithin(
  db: Database,
  work: (ctx: Parameters<Parameters<typeof runCommand>[3]>[0]) => Promise<void>,
): Promise<void> {
  return db.transaction((tx) => work({ tx, now } as Parameters<typeof work>[0]), { timeoutMs });
}

async function match(db: Database): Promise<void> {
  await runCommandWithin(db, async (ctx) => {
    await lockBooks(ctx.tx);
    const { reference, amount } = await runMatchRules(ctx);
    if (reference !== count * 0.98 || amount !== count * 0.01) {
      throw new Error(`The rules matched ${reference} by reference and ${amount} by amount.`);
    }
  });
}

const lineRow = row('bare line', { id: text, reference: text, cents: bigint, day: date });

/** Reads both sides, sorts them by reference and amount, merges them, and stores the pairs. */
async function sortMerge(db: Database): Promise<void> {
  const lines = await db.many(
    lineRow,
    sql`select id, reference, amount_in_cents as cents, booked_on as day from bank_line`,
  );
  const items = await db.many(
    lineRow,
    sql`
    /* all partners */
    select transfer_id as id, reference, amount_in_cents as cents, day from book_item`,
  );
  const compareRows = (a: (typeof lines)[number], b: (typeof lines)[number]) =>
    a.reference < b.reference ? -1 : a.reference > b.reference ? 1 : a.cents - b.cents;
  lines.sort(compareRows);
  items.sort(compareRows);
  const pairs: [string, string][] = [];
  for (let lineIndex = 0, itemIndex = 0; lineIndex < lines.length && itemIndex < items.length; ) {
    const [line, item] = [lines[lineIndex], items[itemIndex]];
    if (!line || !item) break;
    const compared = compareRows(line, item);
    if (compared === 0) pairs.push([line.id, item.id]);
    if (compared <= 0) lineIndex += 1;
    if (compared >= 0) itemIndex += 1;
  }
  if (pairs.length !== count * 0.98) throw new Error(`The sort-merge found ${pairs.length} pairs.`);
  await db.transaction(
    (tx) =>
      tx.run(sql`
      insert into bare_pair select * from unnest(${pairs.map(([id]) => id)}::text[],
        ${pairs.map(([, id]) => id)}::text[])`),
    { timeoutMs },
  );
}

/** Removes all matches, and vacuums so that no dead rows slow down the next round. */
async function undo(db: Database): Promise<void> {
  await db.transaction(
    async (tx) => {
      await tx.run(sql`update bank_line set match_id = null where match_id is not null`);
      await tx.run(
        sql`/* all partners */ update book_item set match_id = null where match_id is not null`,
      );
      await tx.run(sql`delete from book_match`);
      await tx.run(raw('truncate bare_pair'));
    },
    { timeoutMs },
  );
  await db.run(raw('vacuum analyze bank_line, book_item, book_match'));
}
