import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate, openDatabase, type Queryable, raw, sql } from '@svc/db';
import { createClusterDatabase, findCitus, oneRowOf, rowsOf, startCitus } from '@svc/db/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { dueLanes } from '../src/jobs/due-lanes.ts';
import { runLane } from '../src/jobs/lane.ts';
import { createPartitions } from '../src/jobs/ledger-partitions.ts';
import { tick } from '../src/jobs/tick.ts';
import { migrations, version } from '../src/migrations.ts';
import { readDistribution, tablePlacementOptions } from '../src/operator/distribute.ts';
import { runUnitOfWork } from '../src/unit-of-work.ts';
import { ada, type Running, startRunning } from './harness.ts';
import { checkMoney } from './journeys/check-money.ts';
import { withPlan } from './journeys/with-plan.ts';
import { runSchemaCommand } from './support/run-schema-command.ts';
import { signInOperator } from './support/sign-in-operator.ts';

/** One step of each kind that CONTRIBUTING describes. */
const laterMigrations = [
  `create table later_note (
    partner_id text not null references partner (id), tenant_id text not null, id text not null,
    primary key (partner_id, id),
    foreign key (partner_id, tenant_id) references tenant (partner_id, id));
  create index later_note_tenant on later_note (partner_id, tenant_id);`,
  `alter table plan add column later_state text, add column later_count int not null default 7;`,
  `-- no-transaction\ncreate index concurrently plan_later on plan (partner_id, later_state);`,
  `-- backfill: plan by id, 2 rows\nupdate plan set later_state = state where id between $1 and $2;`,
  `alter table plan add constraint plan_later_check check (later_count > 0) not valid;`,
  `-- no-transaction\nalter table plan validate constraint plan_later_check;`,
  `-- contract: a test takes it away again\nalter table plan drop column later_count;`,
];

async function writeMigrations(steps: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-later-'));
  for (const [index, text] of steps.entries()) {
    const file = `${String(index + 1).padStart(4, '0')}_step.sql`;
    await writeFile(join(folder, file), `-- oldest-service: ${version}\n${text}\n`);
  }
  return folder;
}

const bin = findCitus();
const log = { info() {}, warn() {}, error() {} };

/** A partner, and the port of the worker that stores its rows. */
type Partner = Awaited<ReturnType<Running['newPartner']>> & { readonly port: number };

describe.skipIf(bin === undefined)('on a Citus cluster (set SVC_TEST_CITUS_BIN)', () => {
  let cluster: Awaited<ReturnType<typeof startCitus>>;
  let url: string;
  let svc: Running;

  const configured = () => ({ ...readConfig({}), database: { url } });

  const run = (action: 'plan' | 'apply' | 'status') =>
    runSchemaCommand(`db distribute ${action}`, configured());

  const applyMigrations = () => runSchemaCommand('migrate apply --create-database', configured());

  beforeAll(async () => {
    // Durable, because a server that need not be does not wait for its standby.
    cluster = await startCitus(bin ?? '', { durable: true });
    url = await createClusterDatabase(cluster.urls, 'svc');
    await applyMigrations();
  });
  afterAll(async () => {
    await svc?.close();
    await cluster?.stop();
  });

  test('"db distribute" plans, moves every table once, and says where each is', async () => {
    expect((await run('status')).code).toBe(1);
    expect((await run('plan')).output).toContain('By partner to 2 workers');
    expect((await run('apply')).output).toContain('tenant is distributed\n');
    expect((await run('apply')).output).toContain('Nothing to move');
    expect((await run('plan')).output).toContain('Nothing to move');
    const { code, output } = await run('status');
    expect(code).toBe(0);
    expect(output).toMatch(/^ledger_entry +distributed$/m);
    expect(output).toMatch(/^partner +reference$/m);
    expect(output).toMatch(/^webhook_messages +coordinator$/m);
  });

  test('later partitions of the ledger are distributed like the first', async () => {
    const db = await openDatabase({ url });
    const created = await createPartitions({ db, log, now: new Date('2031-03-01T00:00:00Z') });
    const parts = await rowsOf<{ found: boolean }>(
      db,
      sql`
      select exists (select from pg_dist_partition d where d.logicalrelid = i.inhrelid) as found
      from pg_inherits i where i.inhparent in ('ledger_entry'::regclass, 'ledger_transfer'::regclass)`,
    );
    await db.close();
    expect(created).toBeGreaterThan(0);
    expect(parts.filter(({ found }) => !found)).toEqual([]);
  });

  test('a call that writes on a worker and on the coordinator commits on both or on none', async () => {
    svc = await startRunning({ database: { url } });
    const [here] = await partnersOnTwoWorkers();
    const preparedBy = async (q: Queryable, pid: number) => {
      const ids = sql`select gid from pg_dist_transaction where gid like ${`citus_0_${pid}_%`}`;
      return (await rowsOf<{ gid: string }>(q, ids)).map(({ gid }) => gid);
    };
    const isPrepared = async () => {
      const { pid, before } = await runUnitOfWork(svc.commands, svc.clock.now(), async ({ tx }) => {
        const { pid } = await oneRowOf<{ pid: number }>(tx, sql`select pg_backend_pid() as pid`);
        const before = await preparedBy(tx, pid);
        await tx.run(sql`update tenant set version = version where partner_id = ${here.id}`);
        return { pid, before };
      });
      return (await preparedBy(svc.db, pid)).some((gid) => !before.includes(gid));
    };
    // Again, because Citus removes old records once a minute.
    await expect.poll(isPrepared).toBe(true);
  });

  test('while a worker is down, other partners go on, and afterwards nothing acknowledged is lost', async () => {
    const [here, there] = await partnersOnTwoWorkers();
    const [mine, theirs] = [
      await withPlan(svc, here, 't-mine'),
      await withPlan(svc, there, 't-theirs'),
    ];
    expect((await store(there, 'before')).status).toBe(200);

    const down = cluster.urls.findIndex((it) => it.includes(`:${there.port}/`));
    await cluster.kill(down);
    expect(await store(there, 'during')).toMatchObject({
      status: 503,
      error: { code: 'unavailable' },
    });
    // The API reports the tenants of this worker as unavailable, and serves all others.
    expect((await fetch(`${svc.url}/readyz`)).status).toBe(200);
    // From portal_info and the sign-in to the quotes, the first payment and the plan.
    const during = await withPlan(svc, here, 't-during');
    expect(during.accepted.status).toBe(200);
    expect((await during.read()).state).toBe('active');
    const [, second] = mine.plan.installments;
    expect((await mine.change('pay', { installment_ids: [second.id] })).status).toBe(200);
    expect((await mine.read()).installments[1].state).toBe('paid');

    await cluster.restart(down);
    await expect.poll(async () => (await store(there, 'after')).status).toBe(200);
    expect((await svc.call('GET', '/tenants/before', { key: there.key })).status).toBe(200);
    expect((await theirs.read()).state).toBe('active');
    for (const { plan } of [mine, theirs, during]) await checkMoney(svc.db, plan);
  });

  test('while a worker is down, due work of other partners is done, and its own afterwards', async () => {
    await expect.poll(() => svc.db.cluster?.outage).toBeUndefined();
    const [here, there] = await partnersOnTwoWorkers();
    const mine = await withPlan(svc, here, 't-due-here');
    const theirs = await withPlan(svc, there, 't-due-there');
    const down = cluster.urls.findIndex((it) => it.includes(`:${there.port}/`));
    await cluster.kill(down);
    await expect.poll(() => svc.db.cluster?.outage?.servers).toEqual([`127.0.0.1:${there.port}`]);
    expect(svc.db.cluster?.outage?.reachable).toContain(here.id);
    expect(svc.db.cluster?.outage?.reachable).not.toContain(there.id);

    svc.clock.advance(28 * 86_400_000);
    const failed: string[] = [];
    for (const lane of dueLanes({ ...svc, log })) {
      await runLane(lane).catch((error: Error) => failed.push(`${lane.name}: ${error.stack}`));
    }
    expect(failed).toEqual([]);
    const operator = await signInOperator(svc, { role: 'admin' });
    expect(await operator.call('GET', '/reports/delinquency')).toMatchObject({
      status: 503,
      error: { message: expect.stringContaining(`the cluster's server 127.0.0.1:${there.port}`) },
    });
    // The service runs the same lanes, and may have claimed the tenant.
    await expect.poll(async () => (await mine.read()).installments[1].state).toBe('paid');

    await cluster.restart(down);
    await expect.poll(() => svc.db.cluster?.outage).toBeUndefined();
    await tick({ ...svc, log });
    await expect.poll(async () => (await theirs.read()).installments[1].state).toBe('paid');
    for (const { plan } of [mine, theirs]) await checkMoney(svc.db, plan);
  });

  test('while a worker waits for a lost standby, other partners are served', async () => {
    const [here, there] = await partnersOnTwoWorkers();
    const worker = await openDatabase({
      url: cluster.urls.find((it) => it.includes(`:${there.port}/`)) ?? '',
    });
    const waitFor = async (standby: string) => {
      await worker.run(sql`alter system set synchronous_standby_names = ${raw(`'${standby}'`)}`);
      await worker.run(sql`select pg_reload_conf()`);
    };
    try {
      await waitFor('lost');
      await expect
        .poll(() => svc.db.cluster?.outage?.servers, { timeout: 10_000 })
        .toEqual([`127.0.0.1:${there.port}`]);
      expect(await store(there, 'during')).toMatchObject({ status: 503 });
      expect((await withPlan(svc, here, 't-lost-standby')).accepted.status).toBe(200);
    } finally {
      await waitFor('');
      await worker.close();
    }
    await expect.poll(async () => (await store(there, 'after')).status).toBe(200);
  });

  test('every kind of migration runs after distributing, while a partner is served', async () => {
    const { db } = svc;
    const [here] = await partnersOnTwoWorkers();
    await withPlan(svc, here, 't-migrated');
    const source = { name: 'later', folder: await writeMigrations(laterMigrations) };
    let isDone = false;
    const served = (async () => {
      for (let count = 0; !isDone; count += 1) {
        expect((await store(here, `t-served-${count % 5}`)).status).toBe(200);
      }
    })();
    const applied = await migrate(db, [...migrations, source], {
      version,
      ...tablePlacementOptions(db),
    });
    isDone = true;
    await served;
    expect(applied).toHaveLength(laterMigrations.length);

    const { tables } = await readDistribution(db);
    expect(tables.filter(({ is, wanted }) => is !== wanted)).toEqual([]);
    expect(tables.find(({ name }) => name === 'later_note')?.is).toBe('distributed');
    const noteOf = (tenantId: string) => sql`
      insert into later_note (partner_id, tenant_id, id) values (${here.id}, ${tenantId}, 'note-1')`;
    await expect(db.run(noteOf('ten_none'))).rejects.toThrow('violates foreign key constraint');
    const [tenant] = await rowsOf<{ id: string }>(
      db,
      sql`select id from tenant where partner_id = ${here.id} and external_id = 't-migrated'`,
    );
    expect(await db.run(noteOf(tenant?.id ?? ''))).toBe(1);
    const filled = await rowsOf<{ later_state: string }>(
      db,
      sql`select later_state from plan where partner_id = ${here.id}`,
    );
    expect(filled).toEqual([{ later_state: 'active' }]);
  });

  test('a migration while a worker is down names the worker, and runs once it answers', async () => {
    const { db } = svc;
    const folder = await writeMigrations([
      ...laterMigrations,
      'alter table plan add column much_later text;',
    ]);
    const applyLater = () =>
      migrate(db, [...migrations, { name: 'later', folder }], {
        version,
        ...tablePlacementOptions(db),
      });
    await cluster.kill(1);
    const { host } = new URL(cluster.urls[1] ?? '');
    await expect(applyLater()).rejects.toThrow(
      new RegExp(`^later/0008_step failed and was rolled back: .*${host}`),
    );
    const planned = await run('plan');
    expect(planned.code).toBe(1);
    expect(planned.output).toContain(`  ${host} does not answer.`);
    expect((await run('apply')).output).toContain(`${host} does not answer.`);
    await cluster.restart(1);
    // The worker recovers first.
    await expect.poll(applyLater).toHaveLength(1);
  });

  function store({ key }: Partner, externalId: string) {
    return svc.call('POST', `/tenant/portal_info/${externalId}`, { key, body: ada });
  }

  /** Creates partners until two of them are on different workers. */
  async function partnersOnTwoWorkers(): Promise<[Partner, Partner]> {
    const partners: Partner[] = [];
    for (;;) {
      const partner = await svc.newPartner();
      const [place] = await rowsOf<{ port: number }>(
        svc.db,
        sql`
        select nodeport as port from citus_shards
        where table_name = 'tenant'::regclass
          and shardid = get_shard_id_for_distribution_column('tenant', ${partner.id}::text)`,
      );
      partners.push({ ...partner, port: place?.port ?? 0 });
      const other = partners.find(({ port }) => port !== place?.port);
      if (other) return [other, { ...partner, port: place?.port ?? 0 }];
    }
  }
});
