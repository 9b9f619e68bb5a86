import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, sql } from '@svc/db';
import { oneRowOf, type TestTarget, testKind } from '@svc/db/testing';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifyLedger } from '../../src/domain/ledger/verify.ts';
import { runEntry } from '../run-entry.ts';
import { serviceTarget } from '../support/service-database.ts';
import { checkMoney, checkPartner } from './check-money.ts';
import { startKilledService } from './killed-service.ts';
import { commands, methods } from './money-commands.ts';
import { withPlan } from './with-plan.ts';

let database: TestTarget;
let dataDir: string;
beforeEach(async () => {
  database = await serviceTarget();
  const { target } = database;
  dataDir = 'dataDir' in target ? target.dataDir : await mkdtemp(join(tmpdir(), 'svc-data-'));
});
afterEach(async () => {
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

// The embedded database is killed with the process and takes long to restart.
const kills = Number(process.env.SVC_KILLS ?? (testKind() === 'pglite' ? 1 : 2));
const seed = Number(process.env.SVC_MONEY_SEED ?? 20_261_121);
const tenants = 4;

test(
  'a process killed at random moments: repeated calls have one effect, and amounts add up',
  async () => {
    const { target } = database;
    const settings = {
      SVC_DATA_DIR: dataDir,
      SVC_SECRET_KEY: randomBytes(32).toString('base64'),
      SVC_RATE_LIMIT_PER_SECOND: '1000000',
      SVC_RATE_LIMIT_PER_MINUTE: '1000000',
      ...('url' in target ? { DATABASE_URL: target.url } : {}),
    };
    const svc = await startKilledService(settings, { callsBetweenKills: 25, kills });
    const cli = await runEntry('cli', { args: ['partner', 'create', 'oak'], settings }).end();
    const key = /svc_sandbox_\w+/.exec(cli.stdout)?.[0] ?? '';
    const partner = { pms: 'oak', key, keyId: '', id: '' };
    const life = fc.tuple(
      fc.constantFrom(...methods),
      fc.array(commands, { minLength: kills * 8, maxLength: kills * 8 }),
    );
    const lives = fc.sample(life, { numRuns: tenants, seed });
    const plans = await Promise.all(
      lives.map(async ([account, sequence], index) => {
        const tenant = await withPlan({ call: svc.call }, partner, `t-${index}`, { account });
        for (const run of sequence) await run(tenant, { svc, partner });
        return tenant.plan;
      }),
    );
    expect(svc.kills()).toBe(kills);
    expect(await svc.stop()).toMatchObject({ code: 0 });

    const db = await openDatabase(target);
    const { id } = await oneRowOf<{ id: string }>(
      db,
      sql`select id from partner where pms = 'oak'`,
    );
    for (const plan of plans) await checkMoney(db, plan);
    await checkPartner(db, id);
    expect((await db.transaction(verifyLedger)).faults).toEqual([]);
    await db.close();
  },
  180_000 + kills * 60_000,
);
