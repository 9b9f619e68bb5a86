import { defineConfig } from 'vitest/config';
import { longTests } from './scripts/test/long-tests.ts';

const everyProject = {
  // Gives every run one temporary folder, and PostgreSQL to the project of that name.
  globalSetup: './scripts/test/setup.ts',
  // A worker keeps its loaded modules for its next file, because loading them again took as long as the tests.
  // So a file must leave nothing behind: neither changes to the process nor anything that still runs.
  isolate: false,
};
const unitTests = ['{packages,apps}/**/*.test.{ts,tsx}', '{bench,scripts}/**/*.test.ts'];
// Slow tests, which vitest.full.config.ts runs.
const slow = ['**/*.full.test.ts', '**/*.full.db.test.ts'];
const excluded = ['**/node_modules/**', '**/dist/**', ...slow];
// `npm run test:full` runs them, too, and scripts/test.mjs when a file is named.
const excludedByDefault =
  process.env.SVC_TEST_LONG === '1' ? excluded : [...excluded, ...longTests];
const databaseTests = '**/*.db.test.ts';
/** Permission checks for every role, scope, and route. They don't depend on the database, so one is enough. */
const accessTests =
  'apps/server/test/{key-scopes,operator-access,operator-oidc,operator-sign-in}.db.test.ts';
/**
 * Tests that search for faults with thousands of steps or many simultaneous callers, and tests of what only operators
 * and receivers do. The embedded database has one connection and serves sandboxes, so these run on PostgreSQL only.
 * With them the project took half an hour.
 */
const notEmbedded = [
  accessTests,
  'apps/server/test/{operator-*,close-*,books-*,ach-*,two-people,close-a-day}.db.test.ts',
  'apps/server/test/journeys/{any-day,money-properties,races}.db.test.ts',
  'apps/server/test/payments/{adversary,kill-points,processor-faults}.db.test.ts',
  'apps/server/test/{certify,svix}/*.db.test.ts',
  'packages/webhooks/src/torture.db.test.ts',
];
const browserTests = '**/*.browser.test.ts';

// A busy machine may take seconds for what an idle one does at once. Vitest's default is 1 s.
const expecting = { poll: { timeout: 20_000 } };

// Workspace packages are loaded from their sources, so that a test never sees an old build. Node does
// not know the condition `module`, and files behind it, such as OpenTelemetry's, do not load in Node.
export const source = {
  resolve: { conditions: ['source', 'module', 'browser', 'development|production'] },
  ssr: { resolve: { conditions: ['source', 'node', 'development|production'] } },
};

function onDatabase(kind: 'pglite' | 'postgres') {
  return {
    ...source,
    test: {
      ...everyProject,
      name: kind,
      include: [databaseTests],
      // The embedded database runs in `npm run test:full` and `npm run test:embedded` only.
      exclude: kind === 'pglite' ? [...excluded, ...notEmbedded] : excludedByDefault,
      env: { SVC_TEST_DB: kind },
      // These have TypeScript behind the condition `source`, which Node does not load from node_modules.
      server: { deps: { inline: [/eventsource-parser/, /@modelcontextprotocol\/sdk/] } },
      // Without the optimizing compiler PGlite starts and answers a few hundred statements twice as
      // fast, because nothing competes for the two cores; only a long-lived server gains from it.
      execArgv: kind === 'pglite' ? ['--liftoff-only'] : [],
      expect: expecting,
      testTimeout: 60_000,
      // Most hooks start a database; on a machine with ten times the work that took over a minute.
      hookTimeout: 180_000,
    },
  };
}

export default defineConfig({
  test: {
    pool: 'forks',
    // One more than the two cores: while one file waits for a page or a timer, two others run.
    maxWorkers: 3,
    projects: [
      {
        ...source,
        test: {
          ...everyProject,
          name: 'unit',
          include: unitTests,
          exclude: [...excludedByDefault, databaseTests, browserTests],
          // Some run a compiler or an interpreter, which is slow on a busy machine.
          testTimeout: 60_000,
        },
      },
      onDatabase('pglite'),
      onDatabase('postgres'),
      {
        ...source,
        test: {
          ...everyProject,
          name: 'browser',
          include: [browserTests],
          exclude: excludedByDefault,
          expect: expecting,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
