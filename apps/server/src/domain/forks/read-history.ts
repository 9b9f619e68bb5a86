import type { TenantHistoryOutput } from '@svc/contract';
import { instant, integer, json, nullable, type Queryable, row, sql, text } from '@svc/db';
import { z } from 'zod';
import { byKey } from '../../cluster.ts';
import type { Ctx } from '../../context.ts';
import type { PartnerActor } from '../access/actor.ts';
import { loadTenantSnapshot } from '../eligibility/load-tenant-snapshot.ts';
import { findPlan } from '../plans/read-plan.ts';
import { transferSourcesOf } from '../plans/transfer-sources.ts';
import { Refusal } from '../refusal.ts';
import { readSimulation } from '../simulation/read.ts';
import type { TenantKey } from '../tenant-key.ts';
import { readEvents } from './read-recording.ts';
import { readCalls } from './recorded-calls.ts';

/** Reads everything that happened to a sandbox tenant, to compare it with a copy. */
export async function readHistory(
  ctx: Ctx<PartnerActor>,
  { external_id }: { readonly external_id: string },
): Promise<TenantHistoryOutput> {
  const { tx, service } = ctx;
  const { partnerId } = ctx.actor;
  const key = { partnerId, externalId: external_id };
  const snapshot = await loadTenantSnapshot(tx, key, { lock: false });
  if (!snapshot) throw new Refusal('tenant_not_found');
  const tenant = { partnerId, tenantId: snapshot.tenant.id };
  const fork = await findFork(tx, tenant);
  const planId = await findNewestPlan(tx, tenant);
  const calls = await readCalls(tx, service, tenant);
  return {
    external_id,
    forked_from: fork?.forkedFrom ?? null,
    forked_at: fork?.forkedAt ?? null,
    reproduced_events: fork?.reproducedEvents ?? null,
    change: fork?.change ?? null,
    simulation: await readSimulation(ctx, { external_id }),
    plan: planId === null ? null : await findPlan(tx, { partnerId, id: planId }),
    calls: calls.map(({ call, at, refused }) => ({ call, at, refused })),
    events: await readEvents(tx, key),
    postings: await readPostings(tx, tenant),
  };
}

const forkRow = row('fork', {
  forkedFrom: text,
  forkedAt: nullable(text),
  reproducedEvents: integer,
  change: nullable(json(z.record(z.string(), z.string()))),
});

function findFork(q: Queryable, { partnerId, tenantId }: TenantKey) {
  return q.maybe(
    forkRow,
    sql`
    select forked_from, forked_at, reproduced_events, change from tenant_fork
    where partner_id = ${partnerId} and tenant_id = ${tenantId}`,
  );
}

const planRow = row('newest plan', { id: text });

async function findNewestPlan(q: Queryable, tenant: TenantKey): Promise<string | null> {
  const found = await q.maybe(
    planRow,
    sql`
    select id from plan where partner_id = ${tenant.partnerId} and tenant_id = ${tenant.tenantId}
    order by id desc limit 1`,
  );
  return found?.id ?? null;
}

const postingRow = row('posting', {
  occurredAt: instant,
  kind: text,
  entries: json(z.array(z.object({ account: z.string(), amount_in_cents: z.int() }))),
});

const mostPostings = 500;

async function readPostings(q: Queryable, { partnerId, tenantId }: TenantKey) {
  const rows = await q.many(
    postingRow,
    sql`
    /* many rows: the transfers of a tenant of the sandbox, at most 500 */
    select l.occurred_at, l.kind, entries.list as entries
    from ledger_transfer_source x
      cross join lateral (
        select o.occurred_at, o.kind, o.id from ledger_transfer o
        where o.partner_id = ${partnerId} and o.id = x.transfer_id ${byKey(q)}) l
      cross join lateral (
        select json_agg(json_build_object('account', a.kind,
            'amount_in_cents', e.amount_in_cents) order by e.amount_in_cents desc) as list
        from ledger_entry e
          cross join lateral (
            select a.kind from ledger_account a
            where a.partner_id = ${partnerId} and a.id = e.account_id ${byKey(q)}) a
        where e.partner_id = ${partnerId} and e.transfer_id = x.transfer_id) entries
    where x.partner_id = ${partnerId} and x.source_id = any(array(
      select source.id from plan p cross join lateral (
          ${transferSourcesOf({ partnerId: sql`${partnerId}`, planId: sql`p.id` })}) source(id)
      where p.partner_id = ${partnerId} and p.tenant_id = ${tenantId}))
    order by l.occurred_at, l.id limit ${mostPostings}`,
  );
  return rows.map(({ occurredAt, kind, entries }) => ({
    occurred_at: occurredAt.toISOString(),
    kind,
    entries,
  }));
}
