import { readFileSync } from 'node:fs';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { precompress } from '../../scripts/steps/precompress.mjs';

const themeBoot = new URL('./src/app/theme-boot.js', import.meta.url);

export default defineConfig({
  root: import.meta.dirname,
  base: '/portal/',
  plugins: [react({ jsxImportSource: '@svc/ui/translatable' }), bootScript(), precompress()],
  resolve: { conditions: ['source', 'module', 'browser', 'development|production'] },
  build: { target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  server: { proxy: { '/v1': 'http://localhost:4000' } },
});

/** Emits the theme boot script as a classic script. The CSP forbids inline scripts, and modules run after the first paint. */
function bootScript(): Plugin {
  let building = false;
  return {
    name: 'portal-boot-script',
    configResolved: (config) => {
      building = config.command === 'build';
    },
    buildStart() {
      if (!building) return;
      this.emitFile({
        type: 'asset',
        name: 'theme-boot.js',
        source: readFileSync(themeBoot, 'utf8'),
      });
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, context) {
        const built = Object.keys(context.bundle ?? {}).find((file) => file.includes('theme-boot'));
        const src = built === undefined ? '/portal/src/app/theme-boot.js' : `/portal/${built}`;
        return [{ tag: 'script', attrs: { src }, injectTo: 'head-prepend' }];
      },
    },
  };
}
