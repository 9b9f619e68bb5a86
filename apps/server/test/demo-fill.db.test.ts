import { sql } from '@svc/db';
import { rowsOf } from '@svc/db/testing';
import type { Clock } from '@svc/runtime';
import { afterEach, expect, test } from 'vitest';
import type { Service } from '../src/context.ts';
import { sendMails } from '../src/jobs/send-mails.ts';
import { administer, type OperatorRequest } from '../src/operator/administer.ts';
import { demoTenantKinds } from '../src/operator/demo-data/demo-tenants.ts';
import { openMailFiles } from '../src/outside/mail-files.ts';
import { createFileMailer } from '../src/outside/mailer.ts';
import type { Config } from '../src/service-settings.ts';
import { type Running, startRunning } from './harness.ts';
import { signInOperator } from './support/sign-in-operator.ts';

const now = '2026-11-27T16:00:00Z';
// No lane works on a tenant at the same time: a call that waits for one waits by the clock, which stands still.
const alone: Partial<Config> = { roles: ['api'] };
const everyKind = Object.keys(demoTenantKinds).length;
const quiet = { info: () => {}, warn: () => {}, error: () => {} };

let svc: Running;
afterEach(() => svc.close());

async function run(request: OperatorRequest) {
  const answer = await svc.administer(request);
  if (!answer.ok) throw new Error(answer.message);
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the command answers
  return answer.result as any; // oxlint-disable-line typescript/no-explicit-any
}

/** Everything that a second call could add or change. */
const everything = () =>
  rowsOf(
    svc.db,
    sql`
    select t.external_id, t.version, t.clock_offset_ms,
      (select array_agg(p.state || p.version order by p.id) from plan p
        where p.partner_id = t.partner_id and p.tenant_id = t.tenant_id) as plans
    from (select *, id as tenant_id from tenant) t order by t.id`,
  );

test('demo data has every kind of trouble, is added once, and the ledger verifies', async () => {
  svc = await startRunning(alone, now);
  const fill = { command: 'demo fill', count: everyKind } as const;
  expect(await run(fill)).toMatchObject({ tenants: everyKind, added: everyKind });

  const plans = await rowsOf<{ state: string }>(svc.db, sql`select distinct state from plan`);
  expect(plans.map(({ state }) => state).sort()).toEqual([
    'active',
    'canceled',
    'charged_off',
    'completed',
    'created',
    'past_due',
  ]);
  const oldest = await rowsOf<{ accepted_at: Date }>(
    svc.db,
    sql`select min(accepted_at) as accepted_at from plan`,
  );
  expect(oldest[0]?.accepted_at.toISOString()).toMatch(/^2026-05/);
  const [{ items: payouts }, failed, returned] = await Promise.all([
    run({ command: 'payout list' }),
    run({ command: 'settlement list', status: 'failed' }),
    run({ command: 'settlement list', status: 'returned' }),
  ]);
  expect(payouts.map((it: { status: string }) => it.status).sort()).toEqual([
    'failed',
    'paid',
    'sent',
  ]);
  expect([failed.items.length, returned.items.length]).toEqual([1, 1]);
  const { items: reviews } = await run({ command: 'review list' });
  expect(reviews.map((it: { flags: string[] }) => it.flags)).toEqual(
    expect.arrayContaining([[], ['shared_account']]),
  );
  expect((await run({ command: 'payment list' })).calls).not.toEqual([]);
  expect((await run({ command: 'loss list' })).items).not.toEqual([]);
  expect((await run({ command: 'collections list' })).items).toMatchObject([
    { scope: 'property', subject: 'cedar-mill', pms: 'demo-cedar' },
  ]);
  expect((await run({ command: 'books exceptions' })).items).not.toEqual([]);
  expect((await run({ command: 'audit list', action: 'tenant.erased' })).items).toHaveLength(1);
  expect((await run({ command: 'ledger verify', full: true })).faults).toEqual([]);

  const mailer = createFileMailer(openMailFiles(svc.mailFolder), 'no-reply@svc.example');
  while ((await sendMails({ ...svc.commands, log: quiet, mailer })) > 0);
  expect((await run({ command: 'mail list', bounced: true })).items).not.toEqual([]);
  expect((await run({ command: 'mail list', to_print: true })).items).not.toEqual([]);

  const admin = await signInOperator(svc, { role: 'admin' });
  const { items: queues } = (await admin.call('GET', '/queues')).data;
  const empty = queues.filter((it: { count: number }) => it.count === 0);
  // There is one operator, and nothing was delivered yet.
  expect(empty.map((it: { name: string }) => it.name)).toEqual(['approvals', 'endpoints']);

  const before = await everything();
  expect(await run(fill)).toMatchObject({ tenants: everyKind, added: 0 });
  expect(await everything()).toEqual(before);
});

/** The plans of each tenant, oldest first, without what differs between two runs. */
const livesOf = (of: Running) =>
  rowsOf(
    of.db,
    sql`
    select t.external_id, t.eligibility_state as eligibility,
      (select array_agg(p.state || ' ' || p.rent_cycle_date order by p.rent_cycle_date) from plan p
        where p.partner_id = t.partner_id and p.tenant_id = t.id) as plans
    from tenant t where t.erased_at is null order by t.external_id`,
  );

test('calls that are killed again and again end with the same tenants as one call', async () => {
  const fill = { command: 'demo fill', count: 10 } as const;
  svc = await startRunning(alone, now);
  await run(fill);
  const expected = await livesOf(svc);
  await svc.close();

  svc = await startRunning(alone, now);
  const by = { user: 'ops-ada' };
  // A caller that waits for a lost outcome polls a few times, and the time stands still.
  const clock: Clock = {
    now: svc.clock.now,
    after: (ms, run) => (ms <= 20 ? svc.clock.after(ms, run) : () => {}),
  };
  let calls = 0;
  for (let isOver = false; !isOver; calls += 1) {
    // Each call gets a little further. A death before a commit leaves the one before it.
    const service = dyingAfter(svc.service, 5 + (calls % 4));
    const commands = { ...svc.commands, service, clock };
    isOver = await administer({ ...svc, commands, service, log: quiet }, fill, by).then(
      (answer) => {
        if (!answer.ok) throw new Error(answer.message);
        return true;
      },
      (error: Error) => {
        if (error.message !== 'killed') throw error;
        return false;
      },
    );
    // The command is repeated only after the lease of a lost call has ended.
    svc.clock.advance(60_000);
  }
  expect(calls).toBeGreaterThan(5);
  expect(await livesOf(svc)).toEqual(expected);
  expect((await run({ command: 'ledger verify', full: true })).faults).toEqual([]);
});

/** Returns a service whose publish fails after this many calls, as if the process had died in that transaction. */
function dyingAfter(service: Service, publishes: number): Service {
  let left = publishes;
  return {
    ...service,
    publish(...args) {
      left -= 1;
      if (left < 0) throw new Error('killed');
      return service.publish(...args);
    },
  };
}

test('in production no demo data is created', async () => {
  svc = await startRunning({ environment: 'production' }, now);
  expect(await svc.administer({ command: 'demo fill' })).toMatchObject({
    ok: false,
    message: 'Demo data is for a sandbox. This service is in production, so nothing was created.',
  });
  expect(await run({ command: 'partner list' })).toEqual({ items: [] });
});
