import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from '@svc/db';
import { oneRowOf, testKind } from '@svc/db/testing';
import { systemClock } from '@svc/runtime';
import { expect, test } from 'vitest';
import { serviceTarget } from '../../test/support/service-database.ts';
import { readConfig } from '../config.ts';
import { openForCommand } from './open-for-command.ts';

const hourMs = 3_600_000;

// An embedded database runs on the clock of this process.
test.runIf(testKind() === 'postgres')(
  'a command uses the database’s time, also on a machine whose clock is an hour ahead',
  async () => {
    const database = await serviceTarget();
    const dataDir = await mkdtemp(join(tmpdir(), 'svc-command-'));
    const logged: object[] = [];
    const log = { info() {}, warn: (fields: object) => logged.push(fields), error() {} };
    const processClock = {
      ...systemClock,
      now: () => new Date(systemClock.now().getTime() + hourMs),
    };
    try {
      const config = { ...readConfig({ SVC_DATA_DIR: dataDir }), database: database.target };
      const opened = await openForCommand(config, { log, createDatabase: true, processClock });
      const before = await oneRowOf<{ at: Date }>(opened.db, sql`select clock_timestamp() as at`);
      const shown = opened.clock.now().getTime();
      await opened.close();
      expect(shown - before.at.getTime()).toBeGreaterThanOrEqual(-1_000);
      expect(shown - before.at.getTime()).toBeLessThan(hourMs / 2);
      expect(logged).toEqual([expect.objectContaining({ skew_ms: expect.any(Number) })]);
    } finally {
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
);
