import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { linkLibraries } from './link-libraries.ts';

test('links the libraries of a package that was installed without scripts, and again changes nothing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-links-'));
  try {
    const lib = join(folder, 'native/lib');
    await mkdir(lib, { recursive: true });
    await writeFile(join(lib, 'libpq.so.5.18'), 'a library');
    const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }];
    await writeFile(join(folder, 'native/pg-symlinks.json'), JSON.stringify(links));
    await linkLibraries(folder);
    expect(await readFile(join(lib, 'libpq.so.5'), 'utf8')).toBe('a library');
    await linkLibraries(folder);
    expect(await readFile(join(lib, 'libpq.so.5'), 'utf8')).toBe('a library');
  } finally {
    await rm(folder, { recursive: true });
  }
});
