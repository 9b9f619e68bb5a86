import { testTarget } from '@svc/db/testing';
import { expect, test } from 'vitest';
import { runSchemaCommand } from '../../test/support/run-schema-command.ts';
import { readConfig } from '../config.ts';
import { migrations } from '../migrations.ts';

test('a database without Citus is refused, with what to do', async () => {
  const { target, kind, drop } = await testTarget(migrations);
  const config = { ...readConfig({}), database: target };
  const { code, output } = await runSchemaCommand('db distribute apply', config);
  const message =
    kind === 'postgres'
      ? /^This database has no Citus.* install Citus on every server/
      : /^The embedded database cannot be distributed\. Set DATABASE_URL to the coordinator/;
  expect(code).toBe(1);
  expect(output).toMatch(message);
  await drop();
});
