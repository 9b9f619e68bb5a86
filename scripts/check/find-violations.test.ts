import { expect, test } from 'vitest';
import { findViolations } from './find-violations.ts';
import { sourceFiles } from './source-files.ts';

const SERVER = 'apps/server/src';

// [file, code, part of the violation that must be found]
const PLANTED: [string, string, string][] = [
  ['packages/contract/src/a.ts', `import { sql } from '@svc/db';`, 'may not import packages/db'],
  ['packages/core/src/a.ts', `import { frame } from '@svc/contract/frame';`, 'more than types'],
  [
    'packages/core/src/a.ts',
    `export * from '../../node/src/index.ts';`,
    'may not import packages/node',
  ],
  ['packages/core/src/a.ts', `import fs from 'node:fs';`, 'nothing of Node'],
  [
    'packages/react/src/a.tsx',
    `const c = await import('@svc/webhooks');`,
    'may not import packages/webhooks',
  ],
  ['packages/db/src/a.ts', `import '@svc/contract';`, 'may not import packages/contract'],
  ['packages/new/src/a.ts', `import { sql } from '@svc/db';`, 'is not in the table of workspaces'],
  ['apps/experience/src/a.ts', `import { x } from '@svc/core';`, 'may not import packages/core'],
  ['packages/webhooks/src/a.ts', `import pg from 'pg';`, 'imports a database driver'],
  [
    'packages/webhooks/src/a.ts',
    `export const rentDue = 'the rent is due';`,
    'does not depend on rent',
  ],
  ['packages/webhooks/src/send.ts', `db.transaction(async () => {});`, 'open a transaction'],
  ['packages/webhooks/src/a.ts', `const at = Date.now();`, 'reads the system clock'],
  [`${SERVER}/vault.ts`, `const at = new Date();`, 'reads the system clock'],
  [`${SERVER}/main.ts`, `const { PORT } = process.env;`, 'reads the environment'],
  [
    `${SERVER}/http/routes.ts`,
    `import type { FastifyInstance } from 'fastify';`,
    'imports Fastify',
  ],
  [`${SERVER}/http/routes.ts`, `import {\n  tick,\n} from '../jobs/tick.ts';`, 'HTTP and jobs'],
  [`${SERVER}/jobs/tick.ts`, `import { app } from '../http/app.ts';`, 'HTTP and jobs'],
  [
    `${SERVER}/domain/offers/accept.ts`,
    `import { app } from '../../http/app.ts';`,
    'imports words only',
  ],
  [`${SERVER}/domain/mail/a.ts`, `import { x } from '../../outside/a.ts';`, 'imports words only'],
  [
    `${SERVER}/words/words.ts`,
    `import type { Terms } from '../domain/partners/terms.ts';`,
    'words import no other folder',
  ],
  [`${SERVER}/domain/offers/accept.ts`, `db.transaction(work);`, 'open a transaction'],
  [
    `${SERVER}/domain/offers/accept.ts`,
    `import { type Database, sql } from '@svc/db';`,
    'receives `tx`',
  ],
  [`${SERVER}/domain/offers/accept.ts`, `import * as db from '@svc/db';`, 'receives `tx`'],
  [
    `${SERVER}/domain/offers/accept.ts`,
    `import { publish } from '@svc/webhooks';`,
    'publishes a message',
  ],
  [
    `${SERVER}/domain/charges/a.ts`,
    `import { accept } from '../plans/accept.ts';`,
    'domain/charges may not use domain/plans',
  ],
  [
    `${SERVER}/domain/ledger/a.ts`,
    `import { emit } from '../events/emit.ts';`,
    'domain/ledger may not use domain/events',
  ],
  [
    'packages/webhooks/src/leases/a.ts',
    `import { Slots } from '../delivery/slots.ts';`,
    'webhooks/leases may not use webhooks/delivery',
  ],
  [
    'packages/webhooks/src/leases/a.ts',
    `import type { MessageView } from '../messages/view-message.ts';`,
    'webhooks/leases may not use webhooks/messages',
  ],
  [
    'packages/webhooks/src/kernel/a.ts',
    `import { createEngine } from '../engine.ts';`,
    'webhooks/kernel may not use the top level',
  ],
  [
    'packages/webhooks/src/engine.ts',
    `import { x } from './moods/a.ts';`,
    'moods is missing from the table of engine folders',
  ],
  [
    `${SERVER}/domain/payments/a.ts`,
    `import { x } from '../plans/a.ts';`,
    'domain/payments may not use domain/plans',
  ],
  [
    `${SERVER}/domain/offers/a.ts`,
    `import { x } from '../applications/a.ts';`,
    'domain/offers may not use domain/applications',
  ],
  [
    `${SERVER}/domain/plans/a.ts`,
    `import { x } from '../moods/a.ts';`,
    'domain/moods is not in the order of folders',
  ],
  [
    `${SERVER}/domain/plans/due/a.ts`,
    `import { x } from '../../tenants/a.ts';`,
    'domain/plans/due is not in the order of folders',
  ],
  [
    `${SERVER}/domain/refusal.ts`,
    `import { x } from './plans/a.ts';`,
    'a file in domain/ itself may not use domain/plans',
  ],
  [`${SERVER}/sender.ts`, `import { Pool } from 'undici';`, 'sends HTTP with undici'],
];

test.each(PLANTED)('%s: %s', (path, text, expected) => {
  const found = findViolations([{ path, text }]);
  expect(found).toEqual([expect.stringContaining(expected)]);
  expect(found[0]).toMatch(`${path}: `);
});

// [file, code that follows the rules]
const ALLOWED: [string, string][] = [
  ['packages/core/src/a.ts', `import type { Frame } from '@svc/contract/frame';`],
  ['packages/react/src/a.ts', `export { Svc } from '@svc/core';`],
  [
    'packages/webhooks/src/results/record.ts',
    `import { sql } from '@svc/db'; db.transaction(write);`,
  ],
  [
    'packages/webhooks/src/a.test.ts',
    `import { openTestDatabase } from '@svc/db/testing'; Date.now();`,
  ],
  ['packages/cli/templates/a.ts', `import '@svc/core'; console.log(process.env.PORT);`],
  ['packages/webhooks/src/a.ts', `// Date.now() would be wrong\nconst current = new Date(atMs);`],
  [`${SERVER}/domain/mail/a.ts`, `import { x } from '../../words/a.ts';`],
  [`${SERVER}/words/a.ts`, `import type { Creditor } from '../creditor.ts';`],
  ['packages/runtime/src/clock.ts', `export const now = () => new Date();`],
  [`${SERVER}/http/app.ts`, `import fastify from 'fastify';`],
  [`${SERVER}/http/command.ts`, `import type { Database } from '@svc/db'; db.transaction(work);`],
  [
    `${SERVER}/domain/offers/accept.ts`,
    `import { post } from '../ledger/post.ts'; import { sql, type Tx } from '@svc/db';`,
  ],
  [`${SERVER}/domain/events/emit.ts`, `import { publish } from '@svc/webhooks';`],
  ['packages/webhooks/src/engine.ts', `import { Slots } from './delivery/slots.ts';`],
  ['packages/webhooks/src/delivery/a.ts', `import { limits } from '../kernel/limits.ts';`],
  ['packages/webhooks/src/leases/a.test.ts', `import { createEngine } from '../engine.ts';`],
  ['packages/webhooks/src/testing/a.ts', `import { createEngine } from '../engine.ts';`],
  ['apps/demo-portal/src/config.ts', `export const port = process.env.DEMO_PORT;`],
];

test.each(ALLOWED)('%s may contain %s', (path, text) => {
  expect(findViolations([{ path, text }])).toEqual([]);
});

test('no files are an error, not a success', () => {
  expect(() => findViolations([])).toThrow('No source file was checked');
  expect(() => findViolations([{ path: 'scripts/a.ts', text: '' }])).toThrow('was checked');
});

test('the search finds the files of this repository', () => {
  const files = sourceFiles(process.cwd(), /\.ts$/);
  expect(files.map(({ path }) => path)).toContain('packages/db/src/open.ts');
  expect(files.some(({ path }) => /node_modules|dist\//.test(path))).toBe(false);
});
