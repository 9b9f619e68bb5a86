import { posix } from 'node:path';
import type { SourceFile } from './source-files.ts';

export interface Import {
  /** The specifier as written. For a relative import, the path from the root. */
  readonly module: string;
  readonly typeOnly: boolean;
  readonly names: readonly string[];
}

// `import … from 'x'`, `export … from 'x'`, `import 'x'` and `import('x')`.
const IMPORTS =
  /(?:^|[;\n])\s*(?:import|export)\s+(type\s+)?([\w*\s{},$]*?)\s*from\s*['"]([^'"]+)['"]|(?:^|[;\n])\s*import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g;

export function importsOf({ path, text }: SourceFile): Import[] {
  return [...text.matchAll(IMPORTS)].map(([, type, clause, from, bare, dynamic]) => ({
    module: resolveModule(path, from ?? bare ?? dynamic ?? ''),
    typeOnly: type !== undefined,
    names: (clause ?? '').split(/[\s{},]+/).filter((name) => name !== '' && name !== 'type'),
  }));
}

function resolveModule(path: string, specifier: string): string {
  return specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : specifier;
}
