import { sql } from '@svc/db';
import {
  addWorker,
  createClusterDatabase,
  findCitus,
  oneRowOf,
  rowsOf,
  startCitus,
} from '@svc/db/testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { ada, type Running, startRunning } from './harness.ts';
import { checkMoney } from './journeys/check-money.ts';
import { type Partner, withPlan } from './journeys/with-plan.ts';
import { runEntry } from './run-entry.ts';
import { runSchemaCommand } from './support/run-schema-command.ts';

const bin = findCitus();

describe.skipIf(bin === undefined)('on a growing cluster (set SVC_TEST_CITUS_BIN)', () => {
  let cluster: Awaited<ReturnType<typeof startCitus>>;
  let url: string;
  let svc: Running;
  /** A partner of each shard group. */
  const partners = new Map<number, Partner>();

  const run = (line: string) => runSchemaCommand(line, { ...readConfig({}), database: { url } });
  const start = (line: string) =>
    runEntry('cli', { settings: { DATABASE_URL: url }, args: line.split(' ') });

  beforeAll(async () => {
    cluster = await startCitus(bin ?? '', { workers: 3 });
    url = await createClusterDatabase(cluster.urls.slice(0, 3), 'svc');
    await run('migrate apply --create-database');
  });
  afterAll(async () => {
    await svc?.close();
    await cluster?.stop();
  });

  test('a killed "db distribute apply" changes nothing, and finishes when it is run again', async () => {
    const command = start('db distribute apply');
    await command.until('tenant is distributed');
    await command.end('SIGKILL');
    expect((await run('db distribute status')).output).toMatch(/^tenant +coordinator +belongs:/m);
    expect((await run('db rebalance plan')).output).toContain(
      'Run "svc-admin db distribute apply" first',
    );

    expect((await run('db distribute apply')).code).toBe(0);
    expect((await run('db distribute status')).code).toBe(0);
    expect((await run('db rebalance plan')).output).toMatch(/^Nothing to move/);
  });

  test('partners move to a new worker while they are served, whatever interrupts it', {
    timeout: 600_000,
  }, async () => {
    svc = await startRunning({ database: { url } });
    const groups = await rowsOf<{ shardid: number }>(
      svc.db,
      sql`select shardid from pg_dist_shard where logicalrelid = 'tenant'::regclass`,
    );
    while (partners.size < groups.length) {
      const partner = await svc.newPartner();
      partners.set((await placeOf(partner)).group, partner);
    }
    const before = await withPlan(svc, [...partners.values()][0] as Partner, 't-before');

    await addWorker(url, cluster.urls[3] ?? '');
    await svc.db.session(async (session) => {
      await session.run(sql`create table keyless (partner_id text)`);
      await session.run(sql`
        select create_distributed_table('keyless', 'partner_id', colocate_with => 'tenant')`);
      const refused = await run('db rebalance plan');
      expect(refused.output).toContain('keyless has no primary key.');
      expect((await run('db rebalance apply')).output).toBe(
        'keyless has no primary key. Add one to move its rows.',
      );
      await session.run(sql`drop table keyless`);
    });
    const planned = await run('db rebalance plan --json');
    const { moves } = JSON.parse(planned.output);
    expect(planned.code).toBe(0);
    expect(moves).toHaveLength(2);
    const moving = moves.map(({ group }: { group: number }) => group);
    const [staying] = [...partners.keys()].filter((group) => !moving.includes(group));
    const served = [...moving, staying].map((group) => serve(partners.get(group) as Partner));

    const failing = run('db rebalance apply');
    await untilMoving();
    await cluster.kill(3);
    const failed = await failing;
    expect(failed.code).toBe(1);
    expect(failed.output).toContain('could not be moved');
    const status = await run('db rebalance status');
    expect(status.code).toBe(1);
    expect(status.output).toMatch(/does not answer.*not removed yet/s);
    await cluster.restart(3);
    // The worker recovers first.
    await expect.poll(async () => (await run('db rebalance plan')).code).toBe(0);

    const killed = start('db rebalance apply');
    await killed.until('1 of 2');
    const pid = await untilMoving();
    await killed.end('SIGKILL');
    expect((await run('db rebalance status')).output).toContain(`by PostgreSQL process ${pid}: `);
    const applied = await run('db rebalance apply');
    expect(applied.output).toContain('waiting for it');
    expect(applied.output).toContain('Moved 1 shard group.');
    console.log(applied.output);
    await expect.poll(async () => (await run('db rebalance status')).code).toBe(0);
    expect((await run('db rebalance apply')).output).toMatch(/^Nothing to move/);

    // Citus plans by size, so after an interruption it may move another group than it had planned.
    const newPort = Number(new URL(cluster.urls[3] ?? '').port);
    const { moved } = await oneRowOf<{ moved: number }>(
      svc.db,
      sql`
      select count(*) as moved from citus_shards
      where table_name = 'tenant'::regclass and nodeport = ${newPort}`,
    );
    expect(moved).toBe(2);
    for (const traffic of served) {
      const { partner, stored, plans, refused, longestMs } = await traffic.stop();
      const { port } = await placeOf(partner);
      const hasMoved = port === newPort;
      console.log(
        `${hasMoved ? 'moved' : 'stayed'}: ${stored.length} tenants stored and ${plans.length} plans accepted; the longest call took ${Math.round(longestMs)} ms, ${refused} answers were 503`,
      );
      expect(plans.length).toBeGreaterThan(0);
      const { found } = await oneRowOf<{ found: number }>(
        svc.db,
        sql`
        select count(*) as found from tenant
        where partner_id = ${partner.id} and external_id = any(${stored}::text[])`,
      );
      expect(found).toBe(stored.length);
      plans.push(await withPlan(svc, partner, 't-after'));
      for (const { plan } of plans) await checkMoney(svc.db, plan);
      if (!hasMoved) expect(refused).toBe(0);
    }
    await checkMoney(svc.db, before.plan);
  });

  /** Waits until a shard group moves, and returns the process of PostgreSQL that moves it. */
  async function untilMoving(): Promise<number> {
    const find = () =>
      rowsOf<{ sessionid: number }>(
        svc.db,
        sql`select sessionid from get_rebalance_progress() where table_name = 'tenant'::regclass`,
      );
    await expect.poll(find).toHaveLength(1);
    return (await find())[0]?.sessionid ?? 0;
  }

  /** The partner's shard group, and the port of the worker that stores it. */
  function placeOf({ id }: Pick<Partner, 'id'>) {
    return oneRowOf<{ group: number; port: number }>(
      svc.db,
      sql`
      select shardid as group, nodeport as port from citus_shards
      where table_name = 'tenant'::regclass
        and shardid = get_shard_id_for_distribution_column('tenant', ${id}::text)`,
    );
  }

  /** Stores tenants and accepts plans one after another, and repeats a call that is answered with 503. */
  function serve(partner: Partner) {
    const stored: string[] = [];
    const plans: Awaited<ReturnType<typeof withPlan>>[] = [];
    let isDone = false;
    let refused = 0;
    let longestMs = 0;
    const call: Running['call'] = async (...request) => {
      const started = performance.now();
      for (;;) {
        const answer = await svc.call(...request);
        if (answer.status !== 503) {
          longestMs = Math.max(longestMs, performance.now() - started);
          expect(answer.status, JSON.stringify(answer.error)).toBeLessThan(500);
          return answer;
        }
        refused += 1;
      }
    };
    const serving = (async () => {
      while (!isDone) {
        const id = `t-stored-${stored.length}`;
        const path = `/tenant/portal_info/${id}`;
        expect((await call('POST', path, { key: partner.key, body: ada })).status).toBe(200);
        stored.push(id);
        if (stored.length % 10 === 1) plans.push(await withPlan({ call }, partner, `t-plan-${id}`));
      }
    })();
    const stop = async () => {
      isDone = true;
      await serving;
      return { partner, stored, plans, refused, longestMs };
    };
    onTestFinished(async () => void (await stop()));
    return { stop };
  }
});
