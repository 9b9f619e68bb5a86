import { growPartners, growTenants } from './growth/grow.ts';
import { type Measured, measureOperations } from './growth/operations.ts';
import { playTenants } from './growth/play-tenants.ts';
import { type Bench, median, plainRow, type Row, range } from './rows.ts';

const tenantSizes = [1_000, 100_000, 1_000_000] as const;
const partnerSizes = [1, 100, 10_000] as const;
// The logarithm of a million is twice that of a thousand.
const maxGrowth = 2;
/** PostgreSQL reads a table of a few pages as a whole, so fewer rows say nothing about growth. */
const minRows = 500;

/** Measures the most frequent operations with growing numbers of tenants of one partner, and of partners. */
export const bench: Bench = async ({ databaseUrl }) => {
  const measure = async (name: string, grow: (db: Stage['db']) => Promise<void>) => {
    const stage = await playTenants(await databaseUrl());
    await grow(stage.db);
    const measured = await measureOperations(stage);
    await stage.db.close();
    console.log(name, [...measured].map(([it, { rows }]) => `${it} ${rows}`).join(', '));
    return { name, measured };
  };
  const ofTenants = [];
  for (const size of tenantSizes) {
    ofTenants.push(await measure(`${size} tenants`, (db) => growTenants(db, size)));
  }
  const ofPartners = [];
  for (const size of partnerSizes) {
    ofPartners.push(await measure(`${size} partners`, (db) => growPartners(db, size)));
  }
  return [...rowsOf(ofTenants), ...rowsOf(ofPartners)];
};

type Stage = Awaited<ReturnType<typeof playTenants>>;

interface Size {
  readonly name: string;
  readonly measured: ReadonlyMap<string, Measured>;
}

/**
 * Returns the rows that each operation reads at each size, and its time. For the larger sizes, the ratio is the growth
 * since the first one.
 */
function rowsOf([first, ...larger]: readonly Size[]): Row[] {
  if (!first) return [];
  return [first, ...larger].flatMap(({ name, measured }) =>
    [...measured].flatMap(([operation, { rows, ms }]): Row[] => {
      const before = first.measured.get(operation);
      const time = plainRow(`${operation}, ${name}`, median(ms), 'ms', range(ms));
      if (!before || name === first.name) {
        return [plainRow(`${operation}, ${name}`, rows, 'rows'), time];
      }
      const ratio = rows / Math.max(before.rows, minRows);
      return [
        {
          ...plainRow(`${operation}, ${name}`, rows, 'rows', [ratio, ratio]),
          ratio,
          ceiling: maxGrowth,
        },
        time,
      ];
    }),
  );
}
