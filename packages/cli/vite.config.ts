import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

const folder = import.meta.dirname;
const { version } = readJson(join(folder, 'package.json'));

/** The licenses of the packages in the bundle, which require that copies contain them. */
const writeLicenses: Plugin = {
  name: 'write-licenses',
  writeBundle() {
    const text = ['commander', 'undici'].map((name) => {
      // npm installs a package here only if the root has another version of it.
      const places = [folder, join(folder, '../..')].map((it) => join(it, 'node_modules', name));
      const place = places.find((it) => existsSync(it)) ?? '';
      const license = readFileSync(join(place, 'LICENSE'), 'utf8');
      return `${name} ${readJson(join(place, 'package.json')).version}\n\n${license.trim()}\n`;
    });
    writeFileSync(join(folder, 'dist/licenses.txt'), text.join('\n'));
  },
};

function readJson(path: string): { version: string } {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** One file with everything in it, so that installing needs nothing from a registry. */
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
