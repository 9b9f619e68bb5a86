import { defineConfig } from 'vitest/config';

/** Slow tests that install packages from the registry, or package the service: `npm run test:full`. */
export default defineConfig({
  resolve: { conditions: ['source', 'module', 'browser', 'development|production'] },
  ssr: { resolve: { conditions: ['source', 'node', 'development|production'] } },
  test: {
    name: 'full',
    globalSetup: './scripts/test/setup.ts',
    include: ['examples/test/*.full.test.ts', 'scripts/**/*.full.test.ts'],
    pool: 'forks',
    expect: { poll: { timeout: 20_000 } },
    testTimeout: 120_000,
    // Installs and builds a Next.js app.
    hookTimeout: 600_000,
  },
});
