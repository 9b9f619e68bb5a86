import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));

interface LastRelease {
  readonly version: string;
  readonly commit: string;
  /** True if its code reads the versions that migrations declare, as it does since 0.2.0. */
  readonly readsDeclarations: boolean;
}

/** Returns the first entry of releases.json, or the reason why its code is not available. */
export async function findLastRelease(): Promise<LastRelease | { readonly missing: string }> {
  const [last] = JSON.parse(await readFile(join(root, 'scripts/release/releases.json'), 'utf8'));
  try {
    await git('cat-file', '-e', `${last.commit}^{commit}`);
  } catch {
    return { missing: `git does not have the commit ${last.commit} of releases.json` };
  }
  const code = await git('show', `${last.commit}:packages/db/src/migrate.ts`);
  return { ...last, readsDeclarations: code.includes('oldest_service') };
}

/**
 * Checks the commit out in a temporary folder. The new checkout shares the installed packages of this one, but
 * its workspaces import each other.
 */
export async function checkOut(
  commit: string,
): Promise<{ readonly folder: string; remove(): Promise<void> }> {
  const parent = await realpath(await mkdtemp(join(tmpdir(), 'svc-release-')));
  const folder = join(parent, 'svc');
  await git('worktree', 'add', '--detach', folder, commit);
  await linkPackages(join(root, 'node_modules'), join(folder, 'node_modules'), folder);
  return {
    folder,
    async remove() {
      await git('worktree', 'remove', '--force', folder);
      await rm(parent, { recursive: true, force: true });
    },
  };
}

/** Links each package. A package that is itself a link is a workspace, so its new link leads into `folder`. */
async function linkPackages(from: string, to: string, folder: string): Promise<void> {
  await mkdir(to);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const packagePath = join(from, entry.name);
    if (entry.isSymbolicLink()) {
      const workspace = relative(root, await realpath(packagePath));
      await symlink(join(folder, workspace), join(to, entry.name));
    } else if (entry.name.startsWith('@')) {
      await linkPackages(packagePath, join(to, entry.name), folder);
    } else {
      await symlink(packagePath, join(to, entry.name));
    }
  }
}

async function git(...args: string[]): Promise<string> {
  const { stdout } = await run('git', args, { cwd: root, maxBuffer: 10_000_000 });
  return stdout;
}
