import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { programTerms } from '../src/domain/partners/terms.ts';
import { commands } from '../src/operator/commands/index.ts';
import { serviceSettings } from '../src/service-settings.ts';
import { settingsOf } from '../src/settings.ts';

const root = new URL('../../../', import.meta.url);
const page = readFileSync(new URL('docs/operate/legal-review.md', root), 'utf8');
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| Point '))
  .map((line) => line.slice(2, -2).split(' | '));
const settings = new Set(settingsOf(serviceSettings).map((it) => it.name));
const metrics = readFileSync(new URL('apps/server/src/metrics/measure-stored.ts', root), 'utf8');
const names = new Set<string>(commands.map((it) => it.name));

const isThere = (path: string) => existsSync(new URL(path, root));
const folders = ['', 'apps/server/src/', 'apps/server/src/domain/'];

/** Whether what a row names in code still exists. */
function exists(name: string): boolean {
  if (name.startsWith('SVC_')) return settings.has(name);
  const [program, ...words] = name.split(' ');
  if (program === 'svc-admin') return names.has(words.slice(0, 2).join(' '));
  if (name.includes('/')) return folders.some((folder) => isThere(folder + name));
  if (Object.hasOwn(programTerms.shape, name)) return true;
  return !name.startsWith('svc_') || metrics.includes(`${name}:`);
}

test.each(rows)('%s: what the row names exists', (...[, ...cells]) => {
  expect(cells).toHaveLength(4);
  const named = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, it = '']) => it));
  expect(named.filter((it) => !exists(it))).toEqual([]);
});

test('the check fails on what is gone', () => {
  expect(rows.length).toBeGreaterThan(30);
  const gone = ['SVC_GONE', 'svc-admin gone now', 'payments/gone.ts', 'svc_gone_to_print'];
  expect(gone.filter(exists)).toEqual([]);
});
