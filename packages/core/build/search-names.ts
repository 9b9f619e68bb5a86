import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Rollup } from 'vite';
import { configOf } from '../vite.config.ts';
import { type Binding, bindingsOf } from './bindings.ts';
import { candidates, meet, nameAll, partsOf, shortNames } from './short-names.ts';

/**
 * Writes names.ts anew: tries one name after another and keeps what makes the bundle smaller, the
 * same in each run. After changes of the sources, from the root, in two minutes or more:
 * `node --conditions=source --import tsx packages/core/build/search-names.ts [trials]`
 */
const trials = Number(process.argv[2] ?? 50_000);
const { bindings, globals } = bindingsOf(await unnamed());
const given = nameAll(bindings, globals);
const free = candidates.filter((name) => !globals.has(name));
const near = new Map(bindings.map((one) => [one, bindings.filter((other) => meet(one, other))]));
const parts = partsOf(await unnamed(), bindings);

let best = size();
console.log(`${best} bytes`);
let seed = 1;
for (let trial = 0; trial < trials; trial += 1) {
  const one = pick(bindings);
  const before = given.get(one) ?? '';
  const after = trial % 2 ? pick(free.slice(0, 54)) : (given.get(pick(bindings)) ?? '');
  if (before === after) continue;
  exchange(one, before, after);
  const tried = size();
  if (tried > best) exchange(one, after, before);
  else best = tried;
}
let found = Object.fromEntries([...given].map(([{ key }, name]) => [key, name]));
best = size(nameAll(bindings, globals, found));
console.log(`${best} bytes after ${trials} trials`);
for (const key of Object.keys(found)) {
  const { [key]: _, ...others } = found;
  if (size(nameAll(bindings, globals, others)) <= best) found = others;
}
const lines = Object.entries(found).map(([key, name]) => `  '${key}': '${name}',\n`);
writeFileSync(
  join(import.meta.dirname, 'names.ts'),
  `/** Found by search-names.ts; what is not here gets the first name that is free. */
export const names: Record<string, string> = {\n${lines.sort().join('')}};\n`,
);

/** Whoever stands in the way of the new name takes the old one, and so on. */
function exchange(first: Binding, before: string, after: string): void {
  const changed = new Set([first]);
  for (const one of changed) {
    const next = given.get(one) === before ? after : before;
    given.set(one, next);
    for (const other of near.get(one) ?? []) if (given.get(other) === next) changed.add(other);
  }
}

function size(named = given): number {
  const code = parts.map((part) => (typeof part === 'string' ? part : named.get(part))).join('');
  return gzipSync(code, { level: 9 }).length;
}

function pick<T>(list: T[]): T {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
  return list[Math.floor((seed / 2 ** 32) * list.length)] as T;
}

async function unnamed(): Promise<string> {
  const { plugins, ...config } = configOf('src/index.ts', 'es', 'svc.js');
  const built = await build({
    ...config,
    plugins: plugins?.filter((plugin) => plugin !== shortNames) ?? [],
    logLevel: 'error',
    build: { ...config.build, write: false },
  });
  return (built as Rollup.RollupOutput[])[0]?.output[0].code ?? '';
}
