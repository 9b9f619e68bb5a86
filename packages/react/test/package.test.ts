import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { expect, test } from 'vitest';

async function bundle(input: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    oxc: { jsx: { development: false } },
    define: { 'process.env.NODE_ENV': '"production"' },
    resolve: { conditions: ['source'] },
    plugins: [
      {
        name: 'page',
        resolveId: (id) => (id === 'page' ? id : null),
        load: (id) => (id === 'page' ? input : null),
      },
    ],
    build: {
      write: false,
      target: 'es2022',
      rolldownOptions: {
        input: 'page',
        external: [/^react/, '@svc/core'],
        preserveEntrySignatures: 'strict',
        output: { minify: true },
      },
    },
  });
  const [first] = Array.isArray(built) ? built : [built];
  if (!first || !('output' in first)) throw new Error('the build gave no bundle');
  return first.output[0].code;
}

const entry = JSON.stringify(fileURLToPath(new URL('../src/index.ts', import.meta.url)));

test('an unused import leaves nothing of it', async () => {
  const code = await bundle(`import { SvcWidget } from ${entry}; export const own = 1;`);
  expect(code).not.toMatch(/forwardRef|destroy/);
});
