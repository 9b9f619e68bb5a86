import { importsOf } from './imports-of.ts';
import { isTest, type SourceFile } from './source-files.ts';

/** Returns `a → b → a` for each import cycle, type imports included. Tests are ignored. */
export function findCycles(files: readonly SourceFile[]): string[] {
  const checked = files.filter(({ path }) => /^(packages|apps)\//.test(path) && !isTest(path));
  const known = new Set(checked.map(({ path }) => path));
  const targets = new Map(
    checked.map((file) => {
      const modules = importsOf(file).map(({ module }) => module);
      return [file.path, modules.filter((module) => known.has(module))];
    }),
  );
  const done = new Set<string>();
  const cycles: string[] = [];

  /** Depth-first search: a file that is already on the current trail closes a cycle. */
  function visit(path: string, trail: readonly string[]): void {
    const start = trail.indexOf(path);
    if (start >= 0) cycles.push([...trail.slice(start), path].join(' → '));
    if (start >= 0 || done.has(path)) return;
    for (const target of targets.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  }

  for (const path of known) visit(path, []);
  return cycles;
}
