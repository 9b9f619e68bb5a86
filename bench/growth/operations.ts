import { type Queryable, row, sql, text } from '@svc/db';
import { literal, type Ran, watchStatements } from '@svc/db/testing';
import { signWidget } from '@svc/node';
import { listEvents } from '@svc/webhooks';
import type { Ctx } from '../../apps/server/src/context.ts';
import type { Actor } from '../../apps/server/src/domain/access/actor.ts';
import { listTenants } from '../../apps/server/src/domain/intake/list-tenants.ts';
import { readState } from '../../apps/server/src/domain/intake/read-state.ts';
import { recordPortalInfo } from '../../apps/server/src/domain/intake/record-portal-info.ts';
import { widgetSession } from '../../apps/server/src/domain/intake/widget-session.ts';
import { readingTx } from '../../apps/server/src/http/query.ts';
import { measureRows } from '../../apps/server/test/statements/measure-reads.ts';
import { claim, noEndpoint } from '../../packages/webhooks/src/leases/claim.ts';
import { context, readOnly, runCommand, type Stage, tickAt } from '../domain/setup.ts';
import { portalInfo, splitRent } from '../domain/split-rent.ts';
import { dueDate, splitAt } from './play-tenants.ts';

export interface Measured {
  /** The rows that the statements of one run read. */
  readonly rows: number;
  /** The time of each run in milliseconds. */
  readonly ms: readonly number[];
}

const runs = 15;
const page = 50;
const batch = 10;
const collectAt = new Date('2026-02-09T16:00:00Z');

let sent: Ran[] | undefined;
watchStatements((_, statement) => sent?.push(statement));

/** Runs each operation, measures its time and counts the rows that it reads. Returns the results by name. */
export async function measureOperations(stage: Stage): Promise<Map<string, Measured>> {
  const { db, partner, apiKey } = stage;
  const { partnerId, pms } = partner;
  const measured = new Map<string, Measured>();
  const externalId = 't-1';
  const { id: tenantId } = await db.one(
    row('tenant id', { id: text }),
    sql`select id from tenant where partner_id = ${partnerId} and external_id = ${externalId}`,
  );
  const tenant = {
    kind: 'tenant',
    partnerId,
    pms,
    tenantId,
    productVariant: 'rent',
    sessionId: 'xps_bench',
    access: 'full',
  } as const;
  const read = <A extends Actor, T>(actor: A, verb: (ctx: Ctx<A>) => Promise<T>) =>
    verb(context(readOnly(db, readingTx(db), splitAt), actor));
  const signature = await signWidget({ apiKey, pms, externalId });
  const identity = { pms, external_id: externalId, signature, product_variant: 'rent' } as const;
  const around = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    sent = [];
    const began = performance.now();
    const result = await work();
    const ms = performance.now() - began;
    const statements = sent.filter((it) => /\b(select|insert|update|delete)\b/.test(it.text));
    sent = undefined;
    const before = measured.get(name);
    // Counted once, because each run reads the same number of rows.
    const rows = before?.rows ?? (await countRows(db, statements));
    measured.set(name, { rows, ms: [...(before?.ms ?? []), ms] });
    return result;
  };
  for (let run = 0; run < runs; run += 1) {
    const info = { external_id: externalId, input: portalInfo(dueDate), dry_run: false };
    await around('portal_info', () =>
      runCommand(db, splitAt, partner, (ctx) => recordPortalInfo(ctx, info)),
    );
    await around('widget session', () =>
      read(partner, (ctx) => widgetSession(ctx, { input: identity, origin: null })),
    );
    await around('experience state', () => read(tenant, (ctx) => readState(ctx)));
    await splitRent(stage, `new-${run}`, {
      dueDate,
      now: splitAt,
      around: (name, call) => (name === 'acceptance' ? around('accept', call) : call()),
    });
    await around('list of tenants', () =>
      read(partner, (ctx) => listTenants(ctx, { limit: page })),
    );
    await around('events feed', () => listEvents(db, partnerId, null, page));
    await around('claim of deliveries', () => claimBatch(db));
  }
  // This runs the reminders and payments of this bench's own tenants, whose number is the same at each size.
  await around('tick with due payments', () => tickAt(db, collectAt));
  return measured;
}

async function claimBatch(q: Queryable): Promise<void> {
  const { claimed } = await claim(q, {
    processId: 'bench',
    asOf: collectAt,
    until: collectAt,
    startBefore: collectAt,
    count: batch,
    capacities: new Map(),
    defaultCapacity: batch,
    after: noEndpoint,
  });
  if (claimed.length === 0) throw new Error('No delivery was claimed.');
}

async function countRows(db: Stage['db'], statements: readonly Ran[]): Promise<number> {
  let rows = 0;
  for (const { text: it, values } of statements) {
    rows += (await measureRows(db, it, values.map(literal))) ?? 0;
  }
  return rows;
}
