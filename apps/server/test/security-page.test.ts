import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../../../', import.meta.url);
const page = readFileSync(new URL('docs/security.md', root), 'utf8');
const rows = page
  .slice(page.indexOf('\n## OWASP ASVS'))
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, requirement = '', status = '', proof = '']) => ({ requirement, status, proof }));

test('the table has every row once, in order, with a known status', () => {
  const numbers = rows.map(({ requirement }) => requirement.split(' ')[0]?.split(/[,–]/)[0] ?? '');
  const inOrder = new Intl.Collator('en', { numeric: true }).compare;
  expect(numbers).toEqual([...new Set(numbers)].toSorted(inOrder));
  expect(rows.length).toBeGreaterThan(60);
  for (const { requirement, status, proof } of rows) {
    expect(['met', 'partly', 'not met', 'operator'], requirement).toContain(status);
    expect(proof, requirement).not.toBe('');
  }
});

test.each(rows)('$requirement: its tests exist', ({ requirement, status, proof }) => {
  let file = '';
  let named = 0;
  for (const [, path, title] of proof.matchAll(/`([^`]+\.test\.ts)`|"([^"]+)"/g)) {
    if (path !== undefined) file = path;
    if (title === undefined) continue;
    named += 1;
    const source = readFileSync(new URL(file, root), 'utf8');
    const exists = ['`', '"', "'"].some((quote) => source.includes(quote + title));
    expect(exists, `${file}: ${title}`).toBe(true);
  }
  // A requirement for documentation is met by a section of the page.
  const isDocumented = proof.startsWith('this page, [');
  if (status === 'met' && !isDocumented) expect(named, requirement).toBeGreaterThan(0);
});
