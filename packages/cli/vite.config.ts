import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

const folder = import.meta.dirname;
const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const require = createRequire(import.meta.url);

/** The licenses of the packages in the bundle, which require that copies contain them. */
const writeLicenses: Plugin = {
  name: 'write-licenses',
  writeBundle() {
    const text = ['commander', 'undici'].map((name) => {
      const manifest = require.resolve(`${name}/package.json`);
      const license = readFileSync(join(manifest, '../LICENSE'), 'utf8');
      const { version: released } = JSON.parse(readFileSync(manifest, 'utf8'));
      return `${name} ${released}\n\n${license.trim()}\n`;
    });
    writeFileSync(join(folder, 'dist/licenses.txt'), text.join('\n'));
  },
};

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
      output: { entryFileNames: 'svc.mjs', format: 'es', banner: '#!/usr/bin/env node' },
    },
  },
});
