import { gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';
import { precompress } from '../../scripts/steps/precompress.mjs';
import { inlineBoot } from './inline-boot.ts';

/** Sizes in kB, gzipped, above which the build warns: all JavaScript, and what the first screen needs. */
const limits = { all: 70, first: 25 };

// Resolves other packages to their sources, because TypeScript compiles them at the same time.
const resolve = { conditions: ['source', 'module', 'browser', 'development|production'] };

export default defineConfig({
  base: '/experience/',
  resolve,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2023',
    // Inlined assets are data: URLs, which the content security policy forbids.
    assetsInlineLimit: 0,
    // The page preloads what its script imports, which would take another round trip otherwise. Every browser
    // that we support can preload modules without the polyfill.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  plugins: [sizeReport(), inlineBoot(resolve), noPreloading(), precompress()],
});

/** Prints the gzipped size of the JavaScript, as a warning if it is above the limit. */
function sizeReport(): Plugin {
  return {
    name: 'size-report',
    apply: 'build',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
      const first = new Set(chunks.filter(({ isEntry }) => isEntry));
      for (const { imports } of first) {
        for (const name of imports) first.add(byName.get(name) as (typeof chunks)[number]);
      }
      for (const [name, some] of Object.entries({ all: chunks, first: [...first] })) {
        const sizes = some.map(({ code }) => gzipSync(code, { level: 9 }).length);
        const kilobytes = sizes.reduce((sum, size) => sum + size, 0) / 1000;
        const limit = limits[name as keyof typeof limits];
        const line = `experience: ${kilobytes.toFixed(1)} kB gz of JavaScript, ${name} (limit ${limit})`;
        if (kilobytes > limit) this.warn(line);
        else this.info(line);
      }
    },
  };
}

/** Replaces Vite's loader of lazy chunks, which waits for their styles. Our styles are all in the page already. */
function noPreloading(): Plugin {
  return {
    name: 'no-preloading',
    enforce: 'pre',
    apply: 'build',
    load: (id) =>
      id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load();' : null,
  };
}
