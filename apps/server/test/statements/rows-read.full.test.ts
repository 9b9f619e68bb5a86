import { join } from 'node:path';
import { expect, test } from 'vitest';
import { measureReads } from './measure-reads.ts';
import { readRecordings } from './recordings.ts';
import { findSource, isIn, readSourceStatements } from './source-statements.ts';

/** A batch or page of 500 rows, and three rows that are joined to each. */
const most = 2_000;
/** In a statement, says that it reads many rows on purpose, and why. */
const OPT_OUT = '/* many rows:';
/** Ten tables, each as a whole. A statement that reads more reads some rows again and again. */
const mostOfMany = 100_000;
/** The part of all statements that the files of the Vitest project `reads` run. */
const leastMeasured = 0.84;

const statements = readSourceStatements(join(import.meta.dirname, '../../../..'));
const measured = (await measureReads(readRecordings())).filter(
  (it) => it.without !== null && it.with !== null,
);

test('no statement reads more than a bounded number of rows, with or without statistics', () => {
  const found = measured.flatMap((it) => {
    const source = findSource(statements, it.text);
    const rows = Math.max(it.without ?? 0, it.with ?? 0);
    const bound = source?.text.includes(OPT_OUT) ? mostOfMany : most;
    return rows <= bound
      ? []
      : [`${source?.place} reads ${it.without} rows without statistics, and ${it.with} with them`];
  });
  expect([...new Set(found)].toSorted()).toEqual([]);
});

test('the statements that are measured do not become fewer', () => {
  const missing = statements.filter((it) => !measured.some(({ text }) => isIn(it, text)));
  const part = 1 - missing.length / statements.length;
  const list = missing.map(({ place }) => place).join('\n');
  expect(part, `not measured:\n${list}`).toBeGreaterThan(leastMeasured);
  console.log(
    `${statements.length - missing.length} of ${statements.length} statements measured (${part.toFixed(3)})`,
  );
});
