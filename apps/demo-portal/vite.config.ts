import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react({ jsxImportSource: '@svc/ui/translatable' })],
  resolve: { conditions: ['source', 'module', 'browser', 'development|production'] },
  build: {
    target: 'es2022',
    // Keeps light-dark() as is: the transpiled fallback would ignore a selected theme.
    cssTarget: ['chrome123', 'firefox121', 'safari17.5'],
    outDir: 'dist/web',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: {
        index: 'index.html',
        portal: 'portal.html',
        plain: 'plain.html',
        office: 'office.html',
      },
    },
  },
});
