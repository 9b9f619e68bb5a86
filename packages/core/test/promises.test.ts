import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const [, table = ''] = read('README.md').split('## What is promised');
const rows = table.match(/^\| \d+ \|.*(?= \|$)/gm) ?? [];

test('the README has thirty promises', () => {
  expect(rows).toHaveLength(30);
});

test.each(rows)('the tests that it names are there: %s', (row) => {
  let source = '';
  for (const named of row.split(' | ')[2]?.split('; ') ?? []) {
    const [, path, begin = ''] = /^(?:`(.+?)` ?)?(.*)$/.exec(named) ?? [];
    if (path) source = read(path).replaceAll("\\'", "'");
    const begins = ["'", '"', '`'].some((quote) => source.includes(quote + begin));
    expect([named, begins]).toEqual([named, true]);
  }
});
