import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const source = new URL('..', import.meta.url).pathname;
const screens = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((path) =>
  path.endsWith('.tsx'),
);

/** Patterns for text between tags, and for attributes that are shown or read out. */
const between = /<[a-zA-Z][^<>]*>\s*([^<>{}]*\p{L}[^<>{}]*?)\s*<\//gu;
const before = /<[a-zA-Z][^<>]*>\s*([^<>{}=();]*\p{L}[^<>{}=();]*)\{/gu;
const after = /\}([^<>{}\n]*\p{L}[^<>{}\n]*)<\//gu;
const attributes = /\b(?:aria-label|title|alt|placeholder|label|lead|note)="([^"]*\p{L}[^"]*)"/gu;

function literalsIn(text: string): string[] {
  return [between, before, after, attributes].flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, found]) => found?.trim() ?? ''),
  );
}

test('no screen contains literal text', () => {
  expect(screens.length).toBeGreaterThan(30);
  const found = screens.flatMap((path) =>
    literalsIn(readFileSync(join(source, path), 'utf8')).map((text) => `${path}: ${text}`),
  );
  expect(found).toEqual([]);
});

test('the search finds literal text', () => {
  expect(literalsIn('<p class="a">Pay now</p>')).toEqual(['Pay now']);
  expect(literalsIn('<button type="button" aria-label="Close">\n  {icon}\n</button>')).toEqual([
    'Close',
  ]);
  expect(literalsIn('<p>Pay {amount} now</p>')).toEqual(['Pay', 'now']);
  expect(literalsIn('<p>{words.close}</p>')).toEqual([]);
});
