import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@svc/db';
import { sql } from '@svc/db';
import { rowsOf } from '@svc/db/testing';
import { signWidget } from '@svc/node';
import { ada, type Called, type CallOptions, callAt } from '../../apps/server/test/harness.ts';
import { withPlan } from '../../apps/server/test/journeys/with-plan.ts';

/** Changes that were acknowledged to callers. Each must be in the database afterwards. */
export interface Acknowledged {
  readonly tenants: Set<string>;
  readonly plans: Set<string>;
  /** Installments that a tenant paid early. */
  readonly paid: Set<string>;
  /** Webhooks that the partner published. */
  readonly messages: Set<string>;
}

export interface Traffic {
  readonly calls: () => number;
  readonly retries: () => number;
  /** Tenants who went through the whole journey. */
  readonly journeys: () => number;
  readonly acknowledged: Acknowledged;
  /** Responses other than success and 503. */
  readonly refusals: readonly string[];
  /** Resolves with the time of the first write that is acknowledged after `since` (performance.now()). */
  firstWriteAfter(since: number): Promise<number>;
  /** Resolves after `count` more tenants. */
  more(count: number): Promise<void>;
  stop(): Promise<void>;
}

interface Partner {
  readonly pms: string;
  readonly key: string;
}

/** A call that was answered with success, after the tries that were answered with 503. */
export interface AnsweredCall {
  /** By `performance.now()`: when it was first sent, and when it was answered. */
  readonly beganAt: number;
  readonly endedAt: number;
  readonly tries: number;
}

interface TrafficOptions {
  /** Tenants who go through their journey at the same time. */
  readonly lanes: number;
  /** Prefix of the tenants' ids. Other traffic of the same partner needs a different one. */
  readonly prefix?: string;
  /** Pause between a response and the tenant's next call. */
  readonly pauseMs?: number;
  /** Pause between two published webhooks, and between two tries of a call. */
  readonly retryMs?: number;
  /** Called for each call that succeeded. */
  readonly answered?: (call: AnsweredCall) => void;
}

const origin = 'https://portal.example';

/**
 * Starts traffic: tenants whose data arrives, who look at the widget, split the rent and pay an installment
 * early, and webhooks that the partner publishes. Each call is repeated with its Idempotency-Key until it is
 * answered, as the contract asks of callers.
 */
export async function startTraffic(
  url: string,
  partner: Partner,
  options: TrafficOptions,
): Promise<Traffic> {
  // A caller waits before it tries again; without that, an outage is a busy loop.
  const { lanes, prefix = 't', pauseMs = 0, retryMs = 100, answered = () => {} } = options;
  const acknowledged: Acknowledged = {
    tenants: new Set(),
    plans: new Set(),
    paid: new Set(),
    messages: new Set(),
  };
  const refusals: string[] = [];
  const waiting = new Set<{ since: number; found: (at: number) => void }>();
  let running = true;
  let calls = 0;
  let retries = 0;
  let journeys = 0;

  async function call(method: string, path: string, options: CallOptions = {}): Promise<Called> {
    if (pauseMs > 0) await sleep(pauseMs);
    calls += 1;
    const headers = { ...options.headers, 'idempotency-key': `${prefix}-call-${calls}` };
    const beganAt = performance.now();
    for (let tries = 1; ; tries += 1) {
      const began = performance.now();
      const answer = await callAt(`${url}/v1${path}`, method, { ...options, headers }).catch(
        () => undefined,
      );
      const mustRetry =
        !answer || answer.status === 503 || answer.error?.code === 'idempotency_key_in_progress';
      if (!mustRetry) {
        if (answer.status >= 400) {
          refusals.push(`${method} ${path}: ${answer.error?.message}`);
          return answer;
        }
        if (method === 'POST') noteWrite(began);
        answered({ beganAt, endedAt: performance.now(), tries });
        return answer;
      }
      retries += 1;
      await sleep(retryMs);
    }
  }

  function noteWrite(began: number): void {
    for (const waiter of waiting) {
      if (began < waiter.since) continue;
      waiting.delete(waiter);
      waiter.found(performance.now());
    }
  }

  async function playOne(externalId: string): Promise<void> {
    const { pms, key } = partner;
    await call('POST', `/tenant/portal_info/${externalId}`, { key, body: ada });
    acknowledged.tenants.add(externalId);
    const tenant = await withPlan({ call }, { ...partner, keyId: '', id: '' }, externalId);
    acknowledged.plans.add(tenant.plan.id);
    const signature = await signWidget({ apiKey: key, pms, externalId });
    const body = { pms, external_id: externalId, signature };
    await call('POST', '/widget/session', { body, headers: { origin } });
    const installment: string = tenant.plan.installments[1].id;
    const paid = await tenant.change('pay', { installment_ids: [installment] });
    if (paid.status === 200) acknowledged.paid.add(installment);
    await publishOne();
    journeys += 1;
  }

  async function publishOne(): Promise<void> {
    const body = { event_type: 'plan.created', data: {} };
    const sent = await call('POST', '/webhooks/messages', { key: partner.key, body });
    if (sent.status < 300) acknowledged.messages.add(sent.data.id);
  }

  /**
   * Publishes webhooks, which are writes of one transaction. The tenants' calls are not enough: a call of several
   * steps that the outage interrupts keeps its Idempotency-Key for 20 s, and all lanes may wait in such a call at once.
   */
  async function publishAll(): Promise<void> {
    while (running) {
      await publishOne();
      await sleep(retryMs);
    }
  }

  async function playAll(lane: number): Promise<void> {
    for (let index = 0; running; index += 1) {
      // A tenant whose acknowledged data is lost cannot continue, but the others must.
      await playOne(`${prefix}-${lane}-${index}`).catch((error: Error) =>
        refusals.push(error.message),
      );
    }
  }

  const playing = Promise.all([
    publishAll(),
    ...Array.from({ length: lanes }, (_, lane) => playAll(lane)),
  ]);
  return {
    calls: () => calls,
    retries: () => retries,
    journeys: () => journeys,
    acknowledged,
    refusals,
    firstWriteAfter: (since) =>
      new Promise((resolve) => {
        waiting.add({ since, found: resolve });
      }),
    async more(count) {
      const target = journeys + count;
      while (journeys < target) await sleep(50);
    },
    async stop() {
      running = false;
      await playing;
    },
  };
}

/** Returns the ids of the acknowledged writes that are not in the database. */
export async function findLost(
  db: Database,
  { tenants, plans, paid, messages }: Acknowledged,
): Promise<string[]> {
  const missing = async (expectedIds: Set<string>, found: Promise<{ id: string }[]>) => {
    const ids = new Set((await found).map(({ id }) => id));
    return [...expectedIds].filter((id) => !ids.has(id));
  };
  const lists = await Promise.all([
    missing(tenants, rowsOf(db, sql`select external_id as id from tenant`)),
    missing(plans, rowsOf(db, sql`select id from plan`)),
    missing(
      paid,
      rowsOf(
        db,
        sql`
        select installment_id as id from payment
        where kind = 'tenant' and outcome in ('pending', 'succeeded')`,
      ),
    ),
    missing(messages, rowsOf(db, sql`select id from webhook_messages`)),
  ]);
  return lists.flat();
}
