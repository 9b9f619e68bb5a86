import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

export interface SourceFile {
  /** From the root, with `/`. */
  readonly path: string;
  readonly text: string;
}

const LEFT_OUT = new Set(['node_modules', 'dist', 'coverage']);

/** Every file below `root` that people write and whose name matches; no build output, no dotfiles. */
export function sourceFiles(root: string, name: RegExp): SourceFile[] {
  return walk(root)
    .filter((path) => name.test(path))
    .map((path) => ({
      path: relative(root, path).replaceAll('\\', '/'),
      text: readFileSync(path, 'utf8'),
    }));
}

function walk(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (LEFT_OUT.has(entry.name) || entry.name.startsWith('.')) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? walk(path) : [path];
  });
}

/** Tests and what only they use; most rules do not bind them. */
export function isTest(path: string): boolean {
  return /\.test\.tsx?$|(^|\/)(test|testing)\//.test(path) || path.endsWith('/testing.ts');
}
