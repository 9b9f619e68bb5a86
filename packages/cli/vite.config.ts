import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { licensesOf } from '../../scripts/release/licenses-of.mjs';

const folder = import.meta.dirname;
const { version } = readJson(join(folder, 'package.json'));

const writeLicenses: Plugin = {
  name: 'write-licenses',
  generateBundle(_, output) {
    const modules = Object.values(output).flatMap((it) =>
      it.type === 'chunk' ? it.moduleIds : [],
    );
    this.emitFile({ type: 'asset', fileName: 'licenses.txt', source: licensesOf(modules) });
  },
};

function readJson(path: string): { version: string } {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** Bundles everything into one file, so that installing needs nothing from a registry. */
export default defineConfig({
  root: folder,
  define: { SVC_CLI_VERSION: JSON.stringify(version) },
  resolve: { conditions: ['source', 'node'] },
  ssr: { noExternal: true, resolve: { conditions: ['source', 'node'] } },
  plugins: [writeLicenses],
  build: {
    ssr: 'src/main.ts',
    target: 'node20',
    emptyOutDir: false,
    outDir: 'dist',
    rolldownOptions: {
      output: {
        entryFileNames: 'svc.mjs',
        format: 'es',
        banner: '#!/usr/bin/env node',
        codeSplitting: false,
      },
    },
  },
});
