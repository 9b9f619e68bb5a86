import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Template } from './templates.ts';

/** A file to write, and what happens to it. */
export interface PlannedFile extends Template {
  readonly change: 'create' | 'overwrite' | 'add to' | 'unchanged';
  /** Readable by the user only, because it holds secrets. */
  readonly secret?: boolean;
}

/** Compares templates with what is there. */
export function planFiles(folder: string, templates: readonly Template[]): PlannedFile[] {
  return templates.map((template) => {
    const existing = readIfExists(join(folder, template.path));
    if (existing === undefined) return { ...template, change: 'create' };
    return { ...template, change: existing === template.content ? 'unchanged' : 'overwrite' };
  });
}

/** Adds the variables that the file does not have. One that it has stays as it is, unless forced. */
export function planVariables(
  folder: string,
  path: string,
  variables: Readonly<Record<string, string>>,
  force: boolean,
): PlannedFile {
  const existing = readIfExists(join(folder, path));
  let content = existing ?? '';
  for (const [name, value] of Object.entries(variables)) {
    const line = `${name}=${value}`;
    const found = new RegExp(`^(export )?${name}=.*$`, 'm');
    if (!found.test(content)) {
      content += `${content === '' || content.endsWith('\n') ? '' : '\n'}${line}\n`;
    } else if (force) content = content.replace(found, () => line);
  }
  const change = existing === undefined ? 'create' : existing === content ? 'unchanged' : 'add to';
  return { path, content, change, secret: true };
}

/** Makes git ignore the file, or returns null where it does already. */
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

/** Asks git, which knows all patterns; without git or a repository, looks for the line. */
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
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
