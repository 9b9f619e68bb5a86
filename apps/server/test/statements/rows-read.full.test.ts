import { join } from 'node:path';
import { expect, test } from 'vitest';
import { measureReads } from './measure-reads.ts';
import { readRecordings } from './recordings.ts';
import { findSource, isIn, readSourceStatements } from './source-statements.ts';

/** The limit: a batch or page of 500 rows, and three rows that are joined to each. */
const maxRows = 2_000;
/** The comment in a statement that says that it reads many rows on purpose, and why. */
const OPT_OUT = '/* many rows:';
/** The limit with that comment: ten whole tables. A statement that reads more reads some rows repeatedly. */
const maxRowsOfMany = 100_000;
/** The least share of all statements that the files of the Vitest project `reads` must run. */
const minMeasuredShare = 0.84;

const statements = readSourceStatements(join(import.meta.dirname, '../../../..'));
const measured = (await measureReads(readRecordings())).filter(
  (it) => it.without !== null && it.with !== null,
);

test('no statement reads more than a bounded number of rows, with or without statistics', () => {
  const found = measured.flatMap((it) => {
    const source = findSource(statements, it.text);
    const rows = Math.max(it.without ?? 0, it.with ?? 0);
    const bound = source?.text.includes(OPT_OUT) ? maxRowsOfMany : maxRows;
    return rows <= bound
      ? []
      : [`${source?.place} reads ${it.without} rows without statistics, and ${it.with} with them`];
  });
  expect([...new Set(found)].toSorted()).toEqual([]);
});

test('the statements that are measured do not become fewer', () => {
  const missing = statements.filter((it) => !measured.some(({ text }) => isIn(it, text)));
  const share = 1 - missing.length / statements.length;
  const list = missing.map(({ place }) => place).join('\n');
  expect(share, `not measured:\n${list}`).toBeGreaterThan(minMeasuredShare);
  console.log(
    `${statements.length - missing.length} of ${statements.length} statements measured (${share.toFixed(3)})`,
  );
});
