import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../../../', import.meta.url);

/** The rows of a page's table of requirements, after this heading. Each row starts with a number. */
function requirements(path: string, heading: string) {
  const page = readFileSync(new URL(path, root), 'utf8');
  return page
    .slice(page.indexOf(`\n## ${heading}`))
    .split('\n')
    .filter((line) => /^\| \d/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, requirement = '', status = '', proof = '']) => ({ requirement, status, proof }));
}

const security = requirements('docs/security.md', 'OWASP ASVS');
const accessibility = requirements('docs/accessibility.md', 'Tests');

test.each([
  { name: 'security', rows: security, atLeast: 60 },
  { name: 'accessibility', rows: accessibility, atLeast: 15 },
])('the table of $name has every row once, in order, with a known status', ({ rows, atLeast }) => {
  const numbers = rows.map(({ requirement }) => requirement.split(' ')[0]?.split(/[,–]/)[0] ?? '');
  const inOrder = new Intl.Collator('en', { numeric: true }).compare;
  expect(numbers).toEqual(numbers.toSorted(inOrder));
  expect(rows.map(({ requirement }) => requirement)).toEqual([
    ...new Set(rows.map(({ requirement }) => requirement)),
  ]);
  expect(rows.length).toBeGreaterThan(atLeast);
  for (const { requirement, status, proof } of rows) {
    expect(['met', 'partly', 'not met', 'operator'], requirement).toContain(status);
    expect(proof, requirement).not.toBe('');
  }
});

test.each([...security, ...accessibility])(
  '$requirement: its tests exist',
  ({ requirement, status, proof }) => {
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
  },
);
