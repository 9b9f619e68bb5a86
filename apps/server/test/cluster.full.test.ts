import { openDatabase, sql } from '@svc/db';
import { createClusterDatabase, findCitus, rowsOf, startCitus } from '@svc/db/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { dueLanes } from '../src/jobs/due-lanes.ts';
import { runLane } from '../src/jobs/lane.ts';
import { createPartitions } from '../src/jobs/ledger-partitions.ts';
import { tick } from '../src/jobs/tick.ts';
import { ada, type Running, startRunning } from './harness.ts';
import { checkMoney } from './journeys/check-money.ts';
import { withPlan } from './journeys/with-plan.ts';
import { runSchemaCommand } from './support/run-schema-command.ts';

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

  const migrate = () => runSchemaCommand('migrate apply --create-database', configured());

  beforeAll(async () => {
    cluster = await startCitus(bin ?? '');
    url = await createClusterDatabase(cluster.urls, 'svc');
    await migrate();
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

  test('while a worker is down, other partners go on, and afterwards nothing acknowledged is lost', async () => {
    svc = await startRunning({ database: { url } });
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
    expect((await mine.read()).installments[1].state).toBe('paid');

    await cluster.restart(down);
    await expect.poll(() => svc.db.cluster?.outage).toBeUndefined();
    await tick({ ...svc, log });
    await expect.poll(async () => (await theirs.read()).installments[1].state).toBe('paid');
    for (const { plan } of [mine, theirs]) await checkMoney(svc.db, plan);
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
