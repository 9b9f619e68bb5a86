import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, raw, sql } from '@svc/db';
import { findCitus, joinServers, rowsOf, startCitus, type TestCluster } from '@svc/db/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CallOptions, callAt } from './harness.ts';
import { checkMoney } from './journeys/check-money.ts';
import { withPlan } from './journeys/with-plan.ts';
import { checkOut, findLastRelease } from './last-release.ts';
import { type Entry, runEntry } from './run-entry.ts';

// An operator's way from the last release on one PostgreSQL to this version on a cluster.

const bin = findCitus();
const release = await findLastRelease();
if ('missing' in release) console.warn(`The upgrade test is skipped: ${release.missing}.`);
const isSkipped = bin === undefined || 'missing' in release;

let cluster: TestCluster;
let old: Awaited<ReturnType<typeof checkOut>>;
let dataDir: string;
let running: Entry | undefined;

beforeAll(async () => {
  if (isSkipped) return;
  cluster = await startCitus(bin);
  old = await checkOut(release.commit);
  dataDir = await mkdtemp(join(tmpdir(), 'svc-upgrade-'));
});
afterAll(async () => {
  if (isSkipped) return;
  if (running?.child.exitCode === null) await running.end('SIGKILL');
  await cluster.stop();
  await old.remove();
  await rm(dataDir, { recursive: true, force: true });
});

/** Tables whose rows are still on the coordinator after distributing, where no statement would erase them. */
async function readUnseen(url: string): Promise<string[]> {
  const db = await openDatabase({ url }, { pool: 1 });
  try {
    const found = await rowsOf<{ name: string }>(
      db,
      sql`
      select logicalrelid::text as name from pg_dist_partition
      where pg_relation_size(logicalrelid) > 0 order by 1`,
    );
    return found.map(({ name }) => name);
  } finally {
    await db.close();
  }
}

test.skipIf(isSkipped)(
  'a database of the last release is migrated, distributed, and served (set SVC_TEST_CITUS_BIN)',
  async () => {
    const [coordinator = '', ...workers] = cluster.urls;
    const admin = await openDatabase({ url: coordinator }, { pool: 1 });
    await admin.run(raw('create database svc'));
    await admin.close();
    const database = new URL('/svc', coordinator).href;
    const settings = {
      DATABASE_URL: database,
      SVC_DATA_DIR: dataDir,
      SVC_SECRET_KEY: randomBytes(32).toString('base64'),
      SVC_LOG_LEVEL: 'warn',
    };
    let url = '';
    const call = (method: string, path: string, options: CallOptions = {}) =>
      callAt(`${url}/v1${path}`, method, options);
    const start = async (checkout?: string, own: Record<string, string> = {}) => {
      running = runEntry('serve', { settings: { ...settings, ...own }, checkout });
      await running.until('answers at');
      url = /answers at (\S+)/.exec(running.output().stdout)?.[1] ?? '';
    };
    const run = async (line: string, checkout?: string) => {
      const args = line.split(' ');
      const { code, stdout, stderr } = await runEntry('cli', { settings, args, checkout }).end();
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      return stdout;
    };

    await start(old.folder, { SVC_MIGRATE_ON_START: '1' });
    const key = /svc_sandbox_\w+/.exec(await run('partner create oak', old.folder))?.[0] ?? '';
    const partner = { pms: 'oak', key, keyId: '', id: '' };
    const [first, second] = [
      await withPlan({ call }, partner, 't-first'),
      await withPlan({ call }, partner, 't-second'),
    ];
    await running?.end('SIGTERM');

    await run('migrate apply');
    await joinServers(coordinator, workers, 'svc');
    expect(await run('db distribute apply')).toContain('tenant is distributed\n');
    await run('db distribute status');
    expect(await readUnseen(database)).toEqual([]);

    await start();
    for (const tenant of [first, second]) expect((await tenant.read()).state).toBe('active');
    const [, next] = first.plan.installments;
    expect((await first.change('pay', { installment_ids: [next.id] })).status).toBe(200);
    expect((await first.read()).installments[1].state).toBe('paid');
    const third = await withPlan({ call }, partner, 't-third');
    const db = await openDatabase({ url: database });
    for (const { plan } of [first, second, third]) await checkMoney(db, plan);
    const [stored] = await rowsOf<{ plans: number }>(
      db,
      sql`select count(*)::int as plans from plan`,
    );
    await db.close();
    expect(stored).toEqual({ plans: 3 });
    expect(await run('ledger verify')).toContain('The ledger balances');
    await run('audit verify');
    await running?.end('SIGTERM');
  },
  300_000,
);
