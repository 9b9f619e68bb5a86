import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { en } from './en.ts';

/** Tables of words that a value of the API or the app selects, so that no code names each word. */
const tables = [
  'account',
  'bankReasons',
  'blocked.ownerReasons',
  'blocked.reasons',
  'history',
  'linkCode.problems',
  'linkCode.sent',
  'manage.titles',
  'move.reasons',
  'notices',
  'offer.chargeTypes',
  'pastPlans.states',
  'paydays.dayLabels',
  'paydays.frequencies',
  'paymentState',
  'paydays.whyNot',
  'product',
  'refusedFields',
  'setupReasons',
  'steps',
  'texts.problems',
  'trouble',
];

interface Source {
  names: Set<string>;
  /** Names after a dot or in a destructuring. */
  read: Set<string>;
}

function sourceOf(path: string): Source {
  const code = readFileSync(path, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
  return {
    names: new Set(code.match(/[A-Za-z_$][\w$]*/g)),
    read: new Set([...code.matchAll(/[.{,]\s*([A-Za-z_$][\w$]*)/g)].map(([, name = '']) => name)),
  };
}

function sourcesIn(folder: string): Source[] {
  const root = fileURLToPath(new URL(folder, import.meta.url));
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(
      (path) =>
        /\.tsx?$/.test(path) && !/\.test\.|words\/(en|en-first|en-later|es)\.ts$/.test(path),
    )
    .map((path) => sourceOf(root + path));
}

const app = sourcesIn('../');
const contract = sourcesIn('../../../../packages/contract/src/');

/**
 * Returns whether a word is used. The key of a table must occur somewhere. Any other key must be read by a
 * file that names its section.
 */
function isUsed(path: string): boolean {
  const [section = '', ...keys] = path.split('.');
  const key = keys.at(-1) ?? section;
  const table = tables.find((it) => path === it || path.startsWith(`${it}.`));
  if (table === undefined)
    return app.some(({ names, read }) => names.has(section) && read.has(key));
  const [entry] = path.slice(table.length + 1).split('.');
  return !entry || [...app, ...contract].some(({ names }) => names.has(entry));
}

/** Returns the path of each word and section. */
function pathsOf(words: object, before = ''): string[] {
  return Object.entries(words).flatMap(([key, value]) => [
    `${before}${key}`,
    ...(typeof value === 'object' && !Array.isArray(value)
      ? pathsOf(value, `${before}${key}.`)
      : []),
  ]);
}

test('every word is used', () => {
  expect(pathsOf(en).filter((path) => !isUsed(path))).toEqual([]);
});

test('the check finds a word, a section and a table entry that nothing uses', () => {
  for (const path of ['receipts.nowhere', 'nowhere', 'notices.nowhere']) {
    expect([path, isUsed(path)]).toEqual([path, false]);
  }
});
