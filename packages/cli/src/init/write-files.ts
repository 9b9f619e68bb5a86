import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readTextFile } from '../read-text-file.ts';
import type { BlueprintFile } from './blueprint.ts';

/** A file to write, and what happens to it. */
export interface PlannedFile extends BlueprintFile {
  readonly change: 'create' | 'overwrite' | 'add to' | 'unchanged';
  /** Readable by the user only, because it holds secrets. */
  readonly secret?: boolean;
}

/** Plans the blueprint's files by comparing them with what is there. */
export function planFiles(folder: string, files: readonly BlueprintFile[]): PlannedFile[] {
  return files.map((file) => {
    const existing = readIfExists(join(folder, file.path));
    if (existing === undefined) return { ...file, change: 'create' };
    return { ...file, change: existing === file.content ? 'unchanged' : 'overwrite' };
  });
}

/** Sets the variables that the file does not have, or has without a value. Others stay as they are, unless forced. */
export function planVariables(
  folder: string,
  path: string,
  variables: Readonly<Record<string, string>>,
  force: boolean,
): PlannedFile {
  const existing = readIfExists(join(folder, path));
  const lines = (existing ?? '').split(/(?<=\n)/);
  let replaces = false;
  for (const [name, value] of Object.entries(variables)) {
    // The last line counts if a file sets a variable twice.
    const at = lines.findLastIndex((line) => readVariable(line)?.name === name);
    const found = readVariable(lines[at] ?? '');
    if (!found) {
      const last = lines.at(-1) ?? '';
      if (last !== '' && !last.endsWith('\n')) lines.push('\n');
      lines.push(`${name}=${value}\n`);
    } else if (force || found.isEmpty) {
      const line = `${name}=${value}${found.ending}`;
      if (!found.isEmpty && line !== lines[at]) replaces = true;
      lines[at] = line;
    }
  }
  const content = lines.join('');
  const changed = replaces ? 'overwrite' : 'add to';
  const change = existing === undefined ? 'create' : existing === content ? 'unchanged' : changed;
  return { path, content, change, secret: true };
}

/** Reads the variable that a line of an .env file sets; undefined for a comment, an empty line or other text. */
function readVariable(line: string) {
  const [, name, rest = '', ending = ''] =
    /^\s*(?:export\s+)?([\w.-]+)\s*=([^\r\n]*)(\r?\n)?$/.exec(line) ?? [];
  if (name === undefined) return undefined;
  const value = rest.trim();
  return { name, ending, isEmpty: /^(""|''|``)?\s*(#.*)?$/.test(value) };
}

/** Plans the line that makes git ignore the file. Null if git ignores it already. */
export function planGitignore(folder: string, path: string): PlannedFile | null {
  const existing = readIfExists(join(folder, '.gitignore'));
  if (isIgnored(folder, path, existing ?? '')) return null;
  const start = existing === undefined || existing.endsWith('\n') || existing === '' ? '' : '\n';
  return {
    path: '.gitignore',
    content: `${existing ?? ''}${start}${path}\n`,
    change: existing === undefined ? 'create' : 'add to',
  };
}

/** Asks git whether it ignores the file, because git knows all patterns; without a repository, looks for the line. */
function isIgnored(folder: string, path: string, gitignore: string): boolean {
  try {
    execFileSync('git', ['check-ignore', '--quiet', path], { cwd: folder, stdio: 'ignore' });
    return true;
  } catch (error) {
    if ((error as { status?: number }).status === 1) return false;
    return gitignore.split(/\r?\n/).some((line) => [path, '.env*', '.env.*'].includes(line.trim()));
  }
}

export function writeFiles(folder: string, files: readonly PlannedFile[]): void {
  for (const { path, content, change, secret } of files) {
    if (change === 'unchanged') continue;
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content, secret && !existsSync(file) ? { mode: 0o600 } : {});
  }
}

function readIfExists(file: string): string | undefined {
  try {
    return readTextFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
