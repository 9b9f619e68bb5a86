import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { agreementPlaceholders } from '../src/domain/partners/agreement-template.ts';
import { programTerms } from '../src/domain/partners/terms.ts';
import { reviewAnswer } from '../src/domain/underwriting/review-answer.ts';
import type { Command } from '../src/operator/command.ts';
import { commands } from '../src/operator/commands/index.ts';
import { serviceSettings } from '../src/service-settings.ts';
import { settingsOf } from '../src/settings.ts';
import { en } from '../src/words/en.ts';

const root = new URL('../../../', import.meta.url);
const page = readFileSync(new URL('docs/operate/legal-review.md', root), 'utf8');
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| Point '))
  .map((line) => line.slice(2, -2).split(' | '));
const settings = new Set(settingsOf(serviceSettings).map((it) => it.name));
const metrics = readFileSync(new URL('apps/server/src/metrics/measure-stored.ts', root), 'utf8');
const documents = programTerms.shape.documents.unwrap().shape;
const answers = reviewAnswer.options.flatMap((it) => Object.keys(it.shape));
const own = new Set([
  ...settings,
  ...Object.keys(programTerms.shape),
  ...Object.keys(documents).map((it) => `documents.${it}`),
  ...Object.keys(en.notice).map((it) => `notice.${it}`),
  ...Object.keys(agreementPlaceholders).map((it) => `{${it}}`),
  ...answers,
]);

const isThere = (path: string) => existsSync(new URL(path, root));
const folders = ['', 'apps/server/src/', 'apps/server/src/domain/'];

function isCommand([group, verb, ...options]: readonly string[]): boolean {
  const all: readonly Command[] = commands;
  const command = all.find((it) => it.name === `${group} ${verb}` || it.name === group);
  const known = Object.values(command?.input ?? {}).map(({ syntax }) => syntax.split(' ')[0]);
  return command !== undefined && options.every((it) => known.includes(it));
}

/** Returns whether the code that a row names still exists. */
function exists(name: string): boolean {
  if (name.startsWith('svc-admin ')) return isCommand(name.split(' ').slice(1));
  // The row on limits names these options alone.
  if (name.startsWith('--')) return isCommand(['lending', 'set', name]);
  if (name.startsWith('svc_')) return metrics.includes(`${name}:`);
  if (name.includes('/')) return folders.some((folder) => isThere(folder + name));
  return own.has(name);
}

test.each(rows)('%s: what the row names exists', (...[, ...cells]) => {
  expect(cells).toHaveLength(4);
  const named = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, it = '']) => it));
  expect(named.filter((it) => !exists(it))).toEqual([]);
});

test('the check fails on what is gone', () => {
  expect(rows.length).toBeGreaterThan(30);
  const gone = [
    'SVC_GONE',
    'svc-admin gone now',
    'svc-admin mail list --gone',
    '--gone',
    'payments/gone.ts',
    'svc_gone_to_print',
    'gone_after_days',
    'documents.gone',
    'notice.gone',
    '{gone}',
  ];
  expect(gone.filter(exists)).toEqual([]);
});
