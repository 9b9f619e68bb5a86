import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('each test that the table names is there', () => {
  const table = readFileSync(new URL('./README.md', import.meta.url), 'utf8');
  let file = '';
  let named = 0;
  for (const [, path, words] of table.matchAll(/`([^`]+\.test\.ts)`|"([^"|]+)"/g)) {
    if (path) file = path;
    if (!words) continue;
    named += 1;
    const tests = readFileSync(new URL(file, import.meta.url), 'utf8');
    expect(
      ['`', '"', "'"].some((quote) => tests.includes(quote + words)),
      `${file}: ${words}`,
    ).toBe(true);
  }
  expect(named).toBeGreaterThan(50);
});
