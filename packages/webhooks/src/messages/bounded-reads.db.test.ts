import { countReads, openTestDatabase, type TestDatabase, testKind } from '@svc/db/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPartitions } from '../partitions/create-partitions.ts';
import { endFirstPartition } from '../testing/end-first-partition.ts';
import { migrations, silentLog } from '../testing/harness.ts';
import { attemptCases, type ListCase, messageCases, otherCases } from '../testing/list-cases.ts';
import { type History, storeHistory } from '../testing/store-history.ts';

const [few, many] = [2_000, 20_000] as const;
// Lower than in production, so that both histories have more candidates of every kind than the limit.
const search = { perPage: 100, perEndpoint: 100 };
const counted = 100;
const maxRows = 3_000;
const now = new Date('2026-03-21T12:00:00.000Z');
// Runs hundreds of statements, each of them planned three times.
const timeoutMs = 300_000;

let database: TestDatabase;
let small: History;
let large: History;

beforeAll(async () => {
  database = await openTestDatabase([migrations]);
  // The histories of eighty days are in four partitions, and two more are empty.
  await endFirstPartition(database.db, new Date('2026-01-16T00:00:00.000Z'));
  await createPartitions(database.db, silentLog, now);
  small = await storeHistory(database.db, 'partner_small', few, now);
  large = await storeHistory(database.db, 'partner_large', many, now);
});

afterAll(() => database.close());

test(
  'a page of messages or attempts reads no more rows of ten times as many, whatever the filter',
  async () => {
    expect(await casesThatGrew((history) => messageCases(history, 1, search))).toEqual([]);
    expect(await casesThatGrew((history) => attemptCases(history, 1, search))).toEqual([]);
  },
  timeoutMs,
);

test('events, activity and replay previews do not read more either', async () => {
  expect(await casesThatGrew((history) => otherCases(history, counted))).toEqual([]);
});

// The embedded database has the same planner and takes longer.
test.runIf(testKind() === 'postgres')(
  'two filters at once read a few thousand rows at most',
  async () => {
    const cases = [...messageCases(large, 2, search), ...attemptCases(large, 2, search)];
    const found = [];
    for (const { name, ask } of cases) {
      const { rows } = await countReads(database.db, ask);
      if (rows > maxRows) found.push({ name, rows });
    }
    expect(cases.length).toBeGreaterThan(100);
    expect(found).toEqual([]);
  },
  timeoutMs,
);

/**
 * Returns the cases that read too many more rows of the larger history. Another plan may double the
 * rows. A list that reads everything reads ten times as many, or all rows of both owners.
 */
async function casesThatGrew(casesOf: (history: History) => ListCase[]): Promise<object[]> {
  const found = [];
  const cases = casesOf(large);
  for (const [index, { name, ask }] of casesOf(small).entries()) {
    const before = await countReads(database.db, ask);
    const after = await countReads(database.db, cases[index]?.ask ?? ask);
    if (after.rows > Math.min(2 * before.rows + 50, maxRows)) found.push({ name, before, after });
  }
  return found;
}
