import type { Plugin } from 'vite';
import { type Binding, bindingsOf } from './bindings.ts';
import { names } from './names.ts';

/** Gives variables the names that gzip likes best, where a minifier's are only short: 100 bytes. */
export const shortNames: Plugin = {
  name: 'short-names',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type === 'chunk') file.code = renamed(file.code);
    }
  },
};

export function renamed(code: string): string {
  const { bindings, globals } = bindingsOf(code);
  const given = nameAll(bindings, globals);
  const parts = partsOf(code, bindings);
  return parts.map((part) => (typeof part === 'string' ? part : given.get(part))).join('');
}

/** To each the name kept for it, and to who is new the first that is free. */
export function nameAll(
  bindings: Binding[],
  globals: Set<string>,
  kept = names,
): Map<Binding, string> {
  const given = new Map<Binding, string>();
  const known = bindings.filter(({ key }) => kept[key]);
  const others = bindings.filter(({ key }) => !kept[key]);
  for (const binding of [...known, ...others]) {
    const taken = new Set(globals);
    for (const [other, name] of given) if (meet(binding, other)) taken.add(name);
    const wanted = [kept[binding.key], ...candidates];
    given.set(binding, wanted.find((name) => name && !taken.has(name)) ?? '');
  }
  return given;
}

/** Whether there is a place where both must be told apart. */
export function meet(one: Binding, other: Binding): boolean {
  return [...one.scopes].some((scope) => other.scopes.has(scope));
}

/** Letters by how often they are written anyway. */
const letters = 'etnriaoscludpfmhgvybxSCwTEDOkAjMNPFILRBVHUWGKJXZQ_$zq'.split('');
const pairs = letters.flatMap((first) => letters.map((second) => first + second));
export const candidates = [...letters, ...pairs.filter((name) => !/^(do|if|in)$/.test(name))];

/** The code in parts, with a binding wherever its name stands. */
export function partsOf(code: string, bindings: Binding[]): (string | Binding)[] {
  const all = bindings.flatMap((binding) => binding.uses.map((use) => ({ ...use, binding })));
  const parts: (string | Binding)[] = [];
  let from = 0;
  for (const { start, end, spelled, binding } of all.sort((a, b) => a.start - b.start)) {
    const [before, after] = spelled.split('*');
    parts.push(`${code.slice(from, start)}${before}`, binding, after ?? '');
    from = end;
  }
  return [...parts, code.slice(from)];
}
