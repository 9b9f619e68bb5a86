import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { precompress } from '../../scripts/steps/precompress.mjs';
import { themeBoot } from '../../scripts/steps/theme-boot.mjs';

export default defineConfig({
  root: import.meta.dirname,
  base: '/operator/',
  plugins: [react({ jsxImportSource: '@svc/ui/translatable' }), themeBoot(), precompress()],
  resolve: { conditions: ['source', 'module', 'browser', 'development|production'] },
  build: { target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  server: { proxy: { '/operator/v1': 'http://localhost:4000' } },
});
