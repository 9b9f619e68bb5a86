import { type Database, openDatabase } from '@svc/db';
import { countReads } from '@svc/db/testing';
import { mostCounted } from '../packages/webhooks/src/replay/select-replayed.ts';
import {
  attemptCases,
  endpointsCase,
  type ListCase,
  messageCases,
  otherCases,
} from '../packages/webhooks/src/testing/list-cases.ts';
import { type History, storeHistory } from '../packages/webhooks/src/testing/store-history.ts';
import { type Bench, plainRow, type Row, range } from './rows.ts';
import { openMigrated } from './webhooks/setup.ts';

const sizes = [100_000, 1_000_000] as const;
const fullSize = 10_000_000;
// With ten times the rows, a B-tree is one level higher, or another plan is as good. A scan reads ten times as much.
const maxGrowth = 2;
// A preview is a count, so it grows with what it counts, up to `mostCounted` messages of each state.
const maxRowsPerCounted = 20;

const families: Record<string, (history: History) => ListCase[]> = {
  messages: (history) => messageCases(history, 2),
  attempts: (history) => attemptCases(history, 2),
  'events, endpoints': (history) => [
    ...otherCases(history).filter((it) => !isPreview(it)),
    endpointsCase(history),
  ],
};

function isPreview({ name }: ListCase): boolean {
  return name.startsWith('replay preview');
}

/** Compares the rows that each list reads from 100,000 messages and from a million; with `--full`, from ten million. */
export const bench: Bench = async ({ databaseUrl, full }) => {
  const url = await databaseUrl();
  await (await openMigrated({ url })).close();
  // Vacuuming millions of rows takes longer than a statement may in service.
  const db = await openDatabase({ url }, { limits: { statement: 0 } });
  const [small, ...larger] = [...sizes, ...(full ? [fullSize] : [])];
  const base = await store(db, small ?? 0);
  const rows = [];
  for (const size of larger) {
    const large = await store(db, size);
    rows.push(...(await compareReads(db, base, large)), await measurePreviews(db, large));
  }
  await db.close();
  return rows;
};

interface Stored {
  readonly size: number;
  readonly history: History;
}

async function store(db: Database, size: number): Promise<Stored> {
  console.log(`storing ${size} messages …`);
  return { size, history: await storeHistory(db, `owner_${size}`, size, new Date()) };
}

async function compareReads(db: Database, small: Stored, large: Stored): Promise<Row[]> {
  const rows = [];
  for (const [family, casesOf] of Object.entries(families)) {
    const cases = casesOf(large.history);
    const measured = [];
    for (const [index, { name, ask }] of casesOf(small.history).entries()) {
      const before = await countReads(db, ask);
      const after = await countReads(db, cases[index]?.ask ?? ask);
      measured.push({ name, rows: after.rows, growth: after.rows / Math.max(50, before.rows) });
    }
    rows.push(...worst(`${family}: ${large.size} ÷ ${small.size} stored`, measured));
  }
  return rows;
}

/** Returns the row of the replay preview that reads the most rows per message that it may count. */
async function measurePreviews(db: Database, { size, history }: Stored): Promise<Row> {
  const measured = [];
  for (const { name, ask } of otherCases(history).filter(isPreview)) {
    measured.push({ name, rows: (await countReads(db, ask)).rows });
  }
  const [most] = measured.toSorted((one, other) => other.rows - one.rows);
  const rows = measured.map((it) => it.rows);
  return {
    name: `${most?.name} of ${size}: rows read per message counted at most`,
    value: most?.rows ?? 0,
    unit: 'rows read',
    ratio: (most?.rows ?? 0) / Math.min(size, mostCounted),
    ceiling: maxRowsPerCounted,
    spread: range(rows),
  };
}

/** Returns the rows of the list with the largest growth, and of the one that reads the most rows. */
function worst(
  name: string,
  measured: readonly { name: string; rows: number; growth: number }[],
): Row[] {
  const [grown] = measured.toSorted((one, other) => other.growth - one.growth);
  const [most] = measured.toSorted((one, other) => other.rows - one.rows);
  if (!grown || !most) return [];
  return [
    {
      name: `${name}, worst of ${measured.length}: ${grown.name}`,
      value: grown.rows,
      unit: 'rows read',
      ceiling: maxGrowth,
      ratio: grown.growth,
      spread: range(measured.map(({ growth }) => growth)),
    },
    plainRow(`${name}, most: ${most.name}`, most.rows, 'rows read'),
  ];
}
