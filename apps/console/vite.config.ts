import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { precompress } from '../../scripts/steps/precompress.mjs';
import { themeBoot } from '../../scripts/steps/theme-boot.mjs';

export default defineConfig({
  root: import.meta.dirname,
  base: '/portal/',
  plugins: [react({ jsxImportSource: '@svc/ui/translatable' }), themeBoot(), precompress()],
  resolve: { conditions: ['source', 'module', 'browser', 'development|production'] },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The console, and a view of it in a frame on a partner's page.
    rolldownOptions: {
      input: ['index', 'frame'].map((page) => `${import.meta.dirname}/${page}.html`),
    },
  },
  server: { proxy: { '/v1': 'http://localhost:4000' } },
});
