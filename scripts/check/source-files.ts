import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

export interface SourceFile {
  /** The path relative to the root, with `/` as its separator. */
  readonly path: string;
  readonly text: string;
}

const IGNORED = new Set(['node_modules', 'dist', 'coverage']);

/** Reads every file below `root` whose name matches, except build output and dotfiles. */
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
    if (IGNORED.has(entry.name) || entry.name.startsWith('.')) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? walk(path) : [path];
  });
}

/** Returns whether the file is a test or used by tests only. Most rules do not apply to such files. */
export function isTest(path: string): boolean {
  return /\.test\.tsx?$|(^|\/)(test|testing)\//.test(path) || path.endsWith('/testing.ts');
}
