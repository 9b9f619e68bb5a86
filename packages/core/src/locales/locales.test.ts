import { existsSync, readFileSync } from 'node:fs';
import { translatedLocales } from '@svc/contract/locales';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const { exports: entries } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));

test.each(translatedLocales)('the package exports the widget’s words in %s', (locale) => {
  const entry = entries[`./locales/${locale}`];
  expect(entry).toEqual({
    source: `./src/locales/${locale}.ts`,
    types: `./dist/types/locales/${locale}.d.ts`,
    default: `./dist/${locale}.js`,
  });
  expect(existsSync(new URL(entry.source, root))).toBe(true);
});
