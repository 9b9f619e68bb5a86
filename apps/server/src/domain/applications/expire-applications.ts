import { productVariants } from '@svc/contract';
import {
  bigint,
  boolean,
  date,
  instant,
  integer,
  nullable,
  oneOf,
  type RowOf,
  row,
  type Sql,
  sql,
  text,
} from '@svc/db';
import { byKey, findClaimCondition, isReachable } from '../../cluster.ts';
import type { UnitOfWork } from '../../context.ts';
import { emit } from '../events/emit.ts';
import type { TenantKey } from '../tenant-key.ts';
import { claimByClock } from '../tenants/claim-by-clock.ts';
import { isSimulated, type TenantTime } from '../tenants/time.ts';

const expiredRow = row('expired application', {
  id: text,
  partner_id: text,
  pms: text,
  external_id: text,
  clock_offset_ms: nullable(bigint),
  rent_cycle_date: date,
  product_variant: oneOf(...productVariants),
  expires_at: instant,
  version: integer,
  became_plan: boolean,
});

interface Options {
  readonly limit: number;
  /** Limits the run to one tenant, for a simulated clock. Left out, it covers the tenants of all partners. */
  readonly tenant?: TenantKey;
}

/**
 * Expires applications whose rent cycle has closed in the tenant's time; those in review are declined instead
 * (decline-undecided.ts). Emits no event for one that became a plan. Returns how many expired.
 */
export async function expireApplications(
  uow: UnitOfWork,
  { limit, tenant }: Options,
): Promise<number> {
  const rows = await claimByClock({ at: sql`a.expires_at`, now: uow.now, tenant }, (isDue) =>
    expire(uow, { limit, isDue }),
  );
  for (const row of rows.filter((it) => !it.became_plan)) emitExpired(uow, row);
  return rows.length;
}

async function expire(
  { tx }: UnitOfWork,
  { limit, isDue }: { readonly limit: number; readonly isDue: Sql },
): Promise<RowOf<typeof expiredRow>[]> {
  const due = sql`
      /* all partners, unless a tenant is given */
      from application a join tenant t on t.partner_id = a.partner_id and t.id = a.tenant_id
      where a.state in ('submitted', 'approved') and ${isDue}
        -- The first payment is pending. If it fails, the application expires with an event.
        and not exists (select from plan p
          where p.partner_id = a.partner_id and p.tenant_id = a.tenant_id
            and p.application_id = a.id and p.state = 'created' and ${isReachable(tx, 'p')}
            ${byKey(tx)})`;
  const among = await findClaimCondition(tx, { of: 'a', joined: ['t'], due });
  if (!among) return [];
  return tx.many(
    expiredRow,
    sql`
    /* many rows: all tenants with a simulated clock */
    /* all partners, unless a tenant is given */
    with due as (
      select a.partner_id, a.id, t.external_id, t.clock_offset_ms ${due} and ${among('a')}
      order by a.expires_at limit ${limit} for update of a skip locked
    )
    update application a set state = 'expired', ssn_sealed = null, version = a.version + 1
    from due, partner p
    where a.partner_id = due.partner_id and a.id = due.id and ${among('a')} and p.id = a.partner_id
    returning a.id, a.partner_id, p.pms, due.external_id, due.clock_offset_ms, a.rent_cycle_date,
      a.product_variant, a.expires_at, a.version,
      exists (select from plan l
        where l.partner_id = a.partner_id and l.tenant_id = a.tenant_id
          and l.application_id = a.id and l.state <> 'canceled' and ${among('l')}
          ${byKey(tx)}) as became_plan`,
  );
}

function emitExpired(uow: UnitOfWork, row: RowOf<typeof expiredRow>): void {
  const subject = {
    partnerId: row.partner_id,
    pms: row.pms,
    externalId: row.external_id,
    simulated: isSimulated({ clockOffsetMs: row.clock_offset_ms }),
    at: row.expires_at as TenantTime,
  };
  const { id: application_id, rent_cycle_date, product_variant, version } = row;
  emit(uow, subject, [
    {
      type: 'application.expired',
      version,
      data: { application_id, rent_cycle_date, product_variant },
    },
  ]);
}
