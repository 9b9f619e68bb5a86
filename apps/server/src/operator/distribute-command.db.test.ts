import { testTarget } from '@svc/db/testing';
import { expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { migrations } from '../migrations.ts';
import { runDistributeCommand } from './distribute-command.ts';

test('a database without Citus is refused, with what to do', async () => {
  const { target, kind, drop } = await testTarget(migrations);
  const quiet = { info() {}, warn() {}, error() {} };
  const refused = runDistributeCommand(
    { command: 'db distribute', action: 'apply' },
    {
      config: { ...readConfig({}), database: target },
      by: { user: 'ops-ada' },
      log: quiet,
      write: () => {},
    },
  );
  const message =
    kind === 'postgres'
      ? /^This database has no Citus.* install Citus on every server/
      : /^The embedded database cannot be distributed\. Set DATABASE_URL to the coordinator/;
  await expect(refused).rejects.toThrow(message);
  await drop();
});
