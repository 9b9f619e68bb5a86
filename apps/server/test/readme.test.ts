import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('the table names existing tests', () => {
  const table = readFileSync(new URL('./README.md', import.meta.url), 'utf8');
  let file = '';
  let count = 0;
  for (const [, path, words] of table.matchAll(/`([^`]+\.test\.ts)`|"([^"|]+)"/g)) {
    if (path) file = path;
    if (!words) continue;
    count += 1;
    const tests = readFileSync(new URL(file, import.meta.url), 'utf8');
    expect(
      ['`', '"', "'"].some((quote) => tests.includes(quote + words)),
      `${file}: ${words}`,
    ).toBe(true);
  }
  expect(count).toBeGreaterThan(50);
});
