import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDemoPortal } from '../../src/demo.ts';
import { startRunning } from '../harness.ts';
import { playTenant } from './play-tenant.ts';

const days = ['2027-01-05', '2027-01-31', '2027-04-15', '2027-12-31', '2028-02-29'];

const closers: (() => Promise<void>)[] = [];
let stage: Awaited<ReturnType<typeof startAll>>;
beforeAll(async () => {
  stage = await startAll(`${days[0]}T16:30:00Z`);
});
afterAll(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

interface Activity {
  readonly kind: string;
  readonly type: string;
  readonly verified: boolean;
}

/** Starts the service and the demo portal on one clock. The demo's backend sends its own portal_info. */
async function startAll(now: string) {
  const service = await startRunning({}, now);
  closers.push(() => service.close());
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-demo-'));
  const demo = await startDemoPortal(service, { demoPort: 0, dataDir });
  closers.push(() => demo.close());
  const facts = JSON.parse(await readFile(demo.notes, 'utf8'));
  const post = async (path: string, body: object = {}) => {
    const response = await fetch(`${demo.origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await response.json()) as { token: string };
  };
  const webhooks = async () => {
    await service.engine.idle();
    const response = await fetch(`${demo.origin}/api/activity`);
    const { items } = (await response.json()) as { items: Activity[] };
    return items.filter((it) => it.kind === 'webhook');
  };
  return { service, facts, post, webhooks };
}

test.each(days)(
  'with the wall clock on %s a resident of the demo splits the rent and pays it off',
  async (day) => {
    const { service, facts, post, webhooks } = stage;
    service.clock.advance(Date.parse(`${day}T16:30:00Z`) - service.clock.now().getTime());
    await post('/api/tenants/res-1042/select');
    const { token } = await post('/api/token', { tenant_id: 'res-1042' });
    const tenant = await playTenant(service, token, {
      pms: facts.pms,
      apiKey: facts.api_key,
      externalId: 'res-1042',
      productVariant: 'rent',
    });
    expect(tenant.exchanged.data).toMatchObject({ step: 'offer', simulated: true });
    expect(tenant.exchanged.data.cycle.due_date.slice(8)).toBe('01');
    expect(tenant.exchanged.data.cycle.due_date > day).toBe(true);
    await tenant.apply();
    expect((await tenant.pay()).data.step).toBe('plan_choice');
    const { items } = (await tenant.quotes()).data;
    expect(items.length).toBeGreaterThan(0);
    const accepted = await tenant.accept(items.at(-1));
    expect(accepted.data.settlement.amount_in_cents).toBe(152_012);
    const received = await webhooks();
    expect(received.map((it) => it.type)).toEqual(
      expect.arrayContaining(['plan.created', 'plan.activated', 'settlement.created']),
    );
    for (let week = 0; week < 5; week += 1) await post('/api/tenants/res-1042/week-later');
    expect((await tenant.state()).data.plan.state).toBe('completed');
    const later = (await webhooks()).slice(received.length);
    expect(later.map((it) => it.type)).toEqual(
      expect.arrayContaining(['installment.upcoming', 'installment.paid', 'plan.completed']),
    );
    expect([...received, ...later].every((it) => it.verified)).toBe(true);
    await post('/api/tenants/res-1042/start-over');
    expect((await tenant.state()).data.step).toBe('offer');
  },
);
