import { defineConfig } from 'vitest/config';
import { source } from './vitest.config.ts';

/** The tests of the service that run on a Citus cluster (docs/operate/cluster.md): all except those in `exclude`. */
const clusterTests = {
  include: [
    'apps/server/{src,test}/**/*.db.test.ts',
    'apps/server/test/journeys/*.test.ts',
    'apps/docs/test/*.db.test.ts',
  ],
  exclude: [
    // They begin with tables of earlier releases on one PostgreSQL. A database is distributed after it is migrated.
    'apps/server/test/{migrate,migrate-rows,ledger-years-migration,money-keys-migration}.db.test.ts',
    // It compares the migrations with schema.sql.
    'apps/server/test/schema.db.test.ts',
    // They are about a database that is not distributed, and one without the service's tables.
    'apps/server/src/operator/distribute.db.test.ts',
    'apps/server/src/jobs/vacuum.db.test.ts',
    // Their server has a replica, or PgBouncer in front of it.
    'apps/server/test/{pgbouncer,replica}.db.test.ts',
    // It tests a trial that is not enabled: its policies read a session setting that does not reach workers.
    'apps/server/test/row-security.db.test.ts',
  ],
};

/** The tests that `npm run test:full` runs on a cluster: at most eight minutes on two processors. */
export const someClusterTests = [
  'apps/server/test/journeys/{before-a-plan,card,charges-after-split,clock,disputes,first-payment,households,part-payment,plan-life,settlements}.db.test.ts',
  'apps/server/test/{controls,idempotency,money-commands,operator-books,tenant-data}.db.test.ts',
  'apps/server/test/payments/payouts.db.test.ts',
  'apps/server/src/domain/ledger/*.db.test.ts',
];

const hasCitus = Boolean(process.env.SVC_TEST_CITUS_BIN);
if (!hasCitus) {
  console.warn(
    'No test runs on a cluster: set SVC_TEST_CITUS_BIN to the programs of a PostgreSQL that has Citus.',
  );
}

/** A Vitest project whose services have their tables on a cluster. */
export function clusterProject(include = clusterTests.include) {
  return {
    ...source,
    test: {
      name: 'cluster',
      globalSetup: './scripts/test/setup.ts',
      isolate: false,
      setupFiles: './apps/server/test/statements/setup-cluster.ts',
      include: hasCitus ? include : [],
      exclude: ['**/node_modules/**', ...clusterTests.exclude],
      env: { SVC_TEST_DB: 'postgres', SVC_TEST_CLUSTER: 'on' },
      // These have TypeScript behind the condition `source`, which Node does not load from node_modules.
      server: { deps: { inline: [/eventsource-parser/, /@modelcontextprotocol\/sdk/] } },
      expect: { poll: { timeout: 20_000 } },
      testTimeout: 120_000,
      hookTimeout: 180_000,
      // The project runs last, because three servers and their connections need a processor to themselves.
      sequence: { groupOrder: 2 },
    },
  };
}

export default defineConfig({
  test: { pool: 'forks', maxWorkers: 2, passWithNoTests: true, projects: [clusterProject()] },
});
