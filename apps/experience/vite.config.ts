import { gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';
import { precompress } from '../../scripts/steps/precompress.mjs';

/** First load, gzipped: the tenant's phone pays for every byte of it. */
const limitInKilobytes = 45;

export default defineConfig({
  base: '/experience/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2023',
    // A data: URL would need a wider policy for styles and scripts than 'self'.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  plugins: [sizeGate(), precompress()],
});

/** Prints the JavaScript's gzipped size and fails the build above the limit. */
function sizeGate(): Plugin {
  return {
    name: 'size-gate',
    apply: 'build',
    generateBundle(_options, bundle) {
      let bytes = 0;
      for (const file of Object.values(bundle)) {
        if (file.type === 'chunk') bytes += gzipSync(file.code, { level: 9 }).length;
      }
      const kilobytes = bytes / 1000;
      const line = `experience: ${kilobytes.toFixed(1)} kB gz of JavaScript (limit ${limitInKilobytes})`;
      if (kilobytes > limitInKilobytes) this.error(line);
      this.info(line);
    },
  };
}
