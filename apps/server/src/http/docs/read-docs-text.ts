import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The origin in the samples of the built pages. Each service shows its own instead. */
export const sampleOrigin = 'http://localhost:4000';

/**
 * Reads a text of the built docs by its address, such as `/docs/webhooks.md`, with this service's origin in
 * it. Null if the docs have none, or are not built.
 */
export async function readDocsText(
  folder: string,
  path: string,
  origin: string,
): Promise<string | null> {
  if (!/^\/(docs\/)?[\w/-]+\.(md|txt|json)$/.test(path)) return null;
  try {
    const text = await readFile(join(folder, path), 'utf8');
    return text.replaceAll(sampleOrigin, origin);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENAMETOOLONG') return null;
    throw error;
  }
}
