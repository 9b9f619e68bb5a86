import { defineConfig } from 'vitest/config';

/** Slow tests: they install packages, run an earlier release, restore backups, fill large tables, kill a database under traffic, package the service, or check every screen with axe. */
export default defineConfig({
  resolve: { conditions: ['source', 'module', 'browser', 'development|production'] },
  ssr: { resolve: { conditions: ['source', 'node', 'development|production'] } },
  test: {
    name: 'full',
    globalSetup: './scripts/test/setup.ts',
    include: ['{examples,apps,bench,scripts}/**/*.full.test.ts'],
    pool: 'forks',
    expect: { poll: { timeout: 20_000 } },
    testTimeout: 120_000,
    // Installs and builds a Next.js app.
    hookTimeout: 600_000,
  },
});
