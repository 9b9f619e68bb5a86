import type { ListedTenantOutput } from '@svc/contract';
import { instant, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import type { PartnerActor } from '../access/actor.ts';
import { loadTenantSnapshots, positionOf } from '../eligibility/load-tenant-snapshot.ts';
import { readChargedOffPlans } from '../plans/read-charged-off.ts';
import { Refusal } from '../refusal.ts';
import { simulatedTime } from '../tenants/time.ts';

const keyRow = row('tenant in a list', {
  id: text,
  external_id: text,
  created_at: instant,
  updated_at: instant,
});

interface Filter {
  /** The beginning of the external id, in upper or lower case. */
  readonly search?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/**
 * Lists the partner's tenants, newest first, or by external id in a search, because an index has them in
 * that order. Erased tenants are left out.
 */
export async function listTenants(
  ctx: Ctx<PartnerActor>,
  { search, cursor, limit }: Filter,
): Promise<{ items: ListedTenantOutput[]; next_cursor: string | null }> {
  const { partnerId } = ctx.actor;
  const after = cursor === undefined ? undefined : readCursor(cursor, search ? 'search' : 'newest');
  const rows = await ctx.tx.many(
    keyRow,
    search
      ? sql`
    select id, external_id, created_at, updated_at from tenant
    where partner_id = ${partnerId} and erased_at is null
      and lower(external_id) >= lower(${search} collate "C")
      and starts_with(lower(external_id), lower(${search} collate "C"))
      and lower(external_id) < lower(${search} collate "C") || ${'\u{10ffff}'}
      ${after === undefined ? sql`` : sql`and (lower(external_id), external_id) > (lower(${after} collate "C"), ${after})`}
    order by lower(external_id), external_id limit ${limit + 1}`
      : sql`
    select id, external_id, created_at, updated_at from tenant
    where partner_id = ${partnerId} and erased_at is null
      ${after === undefined ? sql`` : sql`and id < ${after}`}
    order by id desc limit ${limit + 1}`,
  );
  const shown = rows.slice(0, limit);
  const tenants = shown.map(({ id }) => ({ partnerId, tenantId: id }));
  const snapshots = await loadTenantSnapshots(ctx.tx, tenants);
  const chargedOff = await readChargedOffPlans(ctx.tx, tenants);
  const items = shown.flatMap(({ id, created_at, updated_at }): ListedTenantOutput[] => {
    const snapshot = snapshots.get(id);
    // The tenant was erased between the two statements.
    if (!snapshot) return [];
    const { tenant, openPlan } = snapshot;
    const { cycle, eligibility } = positionOf(snapshot, ctx);
    const owed = cycle?.amountDueInCents ?? 0;
    return [
      {
        external_id: tenant.externalId,
        product_variant: tenant.productVariant,
        eligibility: { state: eligibility.state, reason: eligibility.reason },
        balance: {
          state: owed > 0 ? 'owed' : 'paid',
          amount_in_cents: owed,
          due_date: cycle?.dueDate ?? null,
        },
        plan: openPlan && {
          id: openPlan.id,
          state: openPlan.state,
          rent_cycle_date: openPlan.rentCycleDate,
        },
        charged_off_plan_id: chargedOff.get(id) ?? null,
        simulated_time: simulatedTime(tenant, ctx.now),
        created_at: created_at.toISOString(),
        updated_at: updated_at.toISOString(),
      },
    ];
  });
  const last = shown.at(-1);
  if (!last || rows.length <= limit) return { items, next_cursor: null };
  return { items, next_cursor: search ? searchCursor(last.external_id) : last.id };
}

function searchCursor(externalId: string): string {
  return Buffer.from(`after ${externalId}`).toString('base64url');
}

/** Returns the id of the last tenant that was shown, or its external id in a search. */
function readCursor(cursor: string, list: 'newest' | 'search'): string {
  const text = Buffer.from(cursor, 'base64url').toString();
  const externalId = text.slice('after '.length);
  if (list === 'search' && searchCursor(externalId) === cursor) return externalId;
  if (list === 'newest' && /^ten_[0-9a-z]{26}$/.test(cursor)) return cursor;
  const message = 'must be the next_cursor of the previous page of the same search, unchanged';
  throw new Refusal('validation_failed', {
    message: `cursor ${message}.`,
    param: 'cursor',
    errors: [{ param: 'cursor', code: 'invalid_value', message }],
  });
}
