import { importsOf } from './imports-of.ts';
import { isTest, type SourceFile } from './source-files.ts';

/** `a → b → a` for each circle of files that import each other, types included; tests are left out. */
export function findCircles(files: readonly SourceFile[]): string[] {
  const bound = files.filter(({ path }) => /^(packages|apps)\//.test(path) && !isTest(path));
  const known = new Set(bound.map(({ path }) => path));
  const targets = new Map(
    bound.map((file) => {
      const modules = importsOf(file).map(({ module }) => module);
      return [file.path, modules.filter((module) => known.has(module))];
    }),
  );
  const done = new Set<string>();
  const circles: string[] = [];

  /** Walks on from the end of the way; what stands on it already closes a circle. */
  function walk(path: string, way: readonly string[]): void {
    const start = way.indexOf(path);
    if (start >= 0) circles.push([...way.slice(start), path].join(' → '));
    if (start >= 0 || done.has(path)) return;
    for (const target of targets.get(path) ?? []) walk(target, [...way, path]);
    done.add(path);
  }

  for (const path of known) walk(path, []);
  return circles;
}
