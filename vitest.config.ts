import { defineConfig } from 'vitest/config';

const everywhere = ['{packages,apps}/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'];
const never = ['**/node_modules/**', '**/dist/**'];
const databaseTests = '**/*.db.test.ts';
const browserTests = '**/*.browser.test.ts';

// Workspace packages are taken from their sources, so that a test never sees an old build.
const source = {
  resolve: { conditions: ['source', 'module', 'browser', 'development|production'] },
  ssr: { resolve: { conditions: ['source', 'module', 'node', 'development|production'] } },
};

function onDatabase(kind: 'pglite' | 'postgres') {
  return {
    ...source,
    test: {
      name: kind,
      include: [databaseTests],
      exclude: never,
      env: { SVC_TEST_DB: kind },
      globalSetup: './scripts/test/setup.ts',
      // A PGlite takes 0.3 GB and the first one in a run 1 to 4 s.
      testTimeout: 20_000,
      hookTimeout: 60_000,
    },
  };
}

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      {
        ...source,
        test: {
          name: 'unit',
          include: everywhere,
          exclude: [...never, databaseTests, browserTests],
        },
      },
      onDatabase('pglite'),
      onDatabase('postgres'),
      {
        ...source,
        test: {
          name: 'browser',
          include: [browserTests],
          exclude: never,
          globalSetup: './scripts/test/setup.ts',
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
