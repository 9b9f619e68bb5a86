import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/** A Vite plugin that also writes each script and style as brotli and gzip, for the server to send. */
export function precompress() {
  return {
    name: 'precompress',
    apply: /** @type {const} */ ('build'),
    /**
     * @param {{ dir?: string }} options
     * @param {Record<string, unknown>} bundle
     */
    async writeBundle({ dir = '' }, bundle) {
      for (const name of Object.keys(bundle).filter((it) => /\.(js|css)$/.test(it))) {
        const path = join(dir, name);
        const content = await readFile(path);
        await writeFile(`${path}.br`, brotliCompressSync(content));
        await writeFile(`${path}.gz`, gzipSync(content, { level: 9 }));
      }
    },
  };
}
