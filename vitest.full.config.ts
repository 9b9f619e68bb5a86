import { defineConfig } from 'vitest/config';
import { findSvixServer } from './apps/server/test/support/svix-server.ts';
import { longTests } from './scripts/test/long-tests.ts';
import { clusterProject, someClusterTests } from './vitest.cluster.config.ts';
import { source } from './vitest.config.ts';

const hasSvixServer = findSvixServer() !== undefined;
if (!hasSvixServer) {
  console.warn(
    'The journeys do not run with Svix: set SVIX_SERVER_BIN to the program svix-server.',
  );
}

/** The journeys of tenants and partners, in services that hand their webhooks to a real svix-server. */
const journeysWithSvix = {
  ...source,
  test: {
    name: 'svix',
    globalSetup: ['./scripts/test/setup.ts', './scripts/test/setup-svix.ts'],
    include: ['apps/server/test/journeys/*.db.test.ts'],
    exclude: [
      // Its demo portal has an endpoint of our engine, and its clock shows another year than Svix's.
      '**/any-day.db.test.ts',
      // These repeat calls a thousand times or kill the service, which takes minutes and is about money.
      '**/{money-properties,races}.db.test.ts',
      '**/*.full.db.test.ts',
    ],
    env: { SVC_TEST_DB: 'postgres' },
    expect: { poll: { timeout: 20_000 } },
    testTimeout: 120_000,
    hookTimeout: 180_000,
  },
};

/**
 * Test files that together run most statements of the service. Each statement is then measured on tables of
 * 10,000 rows (apps/server/test/statements).
 */
const readsFiles = [
  'apps/server/test/documents.db.test.ts',
  'apps/server/test/texts.db.test.ts',
  'apps/server/test/audit-log.db.test.ts',
  'apps/server/test/documented-examples.db.test.ts',
  'apps/server/src/domain/books/replace-statement.db.test.ts',
  'apps/server/src/processors/ach/commands/ach-commands.db.test.ts',
  'apps/server/test/tenant-data.db.test.ts',
  'apps/server/test/svix/outbox.db.test.ts',
  'apps/server/test/operator-payments.db.test.ts',
  'apps/server/test/personal-data.db.test.ts',
  'apps/server/src/processors/ach/exchange-files.db.test.ts',
  'apps/server/test/journeys/before-a-plan.db.test.ts',
  'apps/server/test/svix/svix.db.test.ts',
  'apps/server/test/unsent-mails.db.test.ts',
  'apps/server/test/underwriting-service.db.test.ts',
  'apps/server/test/console-session.db.test.ts',
  'apps/server/test/close-a-day.db.test.ts',
  'apps/server/test/controls.db.test.ts',
  'apps/server/test/journeys/scenarios.db.test.ts',
  'apps/server/test/journeys/plan-life.db.test.ts',
  'packages/webhooks/src/leases/leases.db.test.ts',
  'packages/webhooks/src/endpoints/endpoint-life.db.test.ts',
  'apps/server/test/widget.db.test.ts',
  'apps/server/test/bounced-mails.db.test.ts',
  'apps/server/test/operator-search.db.test.ts',
  'apps/server/test/operator-tenant.db.test.ts',
  'apps/server/test/operator-queues.db.test.ts',
  'apps/server/test/operator-reports.db.test.ts',
  'apps/server/test/operator-books.db.test.ts',
  'apps/server/test/operator-partners.db.test.ts',
  'apps/server/test/operator-oidc.db.test.ts',
  'apps/server/test/key-link.db.test.ts',
  'apps/server/test/plan-commands.db.test.ts',
  'apps/server/test/saved-views.db.test.ts',
  'apps/server/src/domain/back-office/statement-lines.db.test.ts',
  'apps/server/test/operator-sign-in.db.test.ts',
  'apps/server/test/two-people.db.test.ts',
];
const readsResult = 'apps/server/test/statements/rows-read.full.test.ts';

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      ...(hasSvixServer ? [journeysWithSvix] : []),
      {
        ...source,
        test: {
          // Slow tests: they install packages, run an earlier release, restore backups, fill large
          // tables, kill a database under traffic, package the service, or check every screen with axe.
          name: 'full',
          globalSetup: './scripts/test/setup.ts',
          include: [
            '{examples,apps,bench,clients,packages,scripts,test}/**/*.full.test.ts',
            ...longTests.filter((it) => !it.endsWith('.db.test.ts')),
          ],
          exclude: ['**/node_modules/**', readsResult],
          // These have TypeScript behind the condition `source`, which Node does not load from node_modules.
          server: { deps: { inline: [/eventsource-parser/, /@modelcontextprotocol\/sdk/] } },
          expect: { poll: { timeout: 20_000 } },
          testTimeout: 120_000,
          // Installs and builds a Next.js app.
          hookTimeout: 600_000,
        },
      },
      clusterProject(someClusterTests),
      {
        ...source,
        test: {
          // Slow tests of the database, and a longer payment path: `npm run test:payments` has all of it. The global
          // setup starts PostgreSQL for a project of this name.
          name: 'postgres',
          globalSetup: './scripts/test/setup.ts',
          include: [
            '{packages,apps}/**/*.full.db.test.ts',
            ...longTests.filter((it) => it.endsWith('.db.test.ts')),
          ],
          env: { SVC_TEST_DB: 'postgres', SVC_PAYMENT_STEPS: '5000', SVC_KILL_EVERY: '5' },
          expect: { poll: { timeout: 20_000 } },
          testTimeout: 120_000,
          hookTimeout: 180_000,
          // The project runs late, so that it takes no CPU time from tests that measure a failover or a migration.
          sequence: { groupOrder: 1 },
        },
      },
      {
        ...source,
        test: {
          name: 'reads',
          globalSetup: './scripts/test/setup.ts',
          setupFiles: './apps/server/test/statements/setup-reads.ts',
          include: readsFiles,
          env: { SVC_TEST_DB: 'postgres' },
          expect: { poll: { timeout: 20_000 } },
          testTimeout: 120_000,
          hookTimeout: 180_000,
          sequence: { groupOrder: 3 },
        },
      },
      {
        ...source,
        test: {
          name: 'rows-read',
          globalSetup: './scripts/test/setup.ts',
          include: [readsResult],
          // After the project `reads`, whose results it reads.
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
});
