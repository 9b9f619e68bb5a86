import type { SettlementOutput } from '@svc/contract';
import { bigint, nullable, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import type { PartnerActor } from '../access/actor.ts';
import type { Subject } from '../events/emit.ts';
import { Refusal } from '../refusal.ts';
import { isSimulated, type TenantTime, tenantTime } from '../tenants/time.ts';
import { readSettlement } from './read.ts';

interface LockedSettlement {
  readonly settlement: SettlementOutput & { readonly tenantId: string };
  readonly subject: Subject;
  readonly at: TenantTime;
}

const tenantRow = row('settlement tenant', { id: text, clockOffsetMs: nullable(bigint) });

/**
 * Locks a settlement and its tenant. Every command about a settlement starts with it, so the commands
 * about one tenant run one after another.
 */
export async function lockSettlement(
  ctx: Omit<Ctx, 'actor'> & { readonly actor: Pick<PartnerActor, 'partnerId' | 'pms'> },
  id: string,
): Promise<LockedSettlement> {
  const { partnerId, pms } = ctx.actor;
  const tenant = await ctx.tx.maybe(
    tenantRow,
    sql`
    select t.id, t.clock_offset_ms from settlement s
    join tenant t on t.partner_id = s.partner_id and t.id = s.tenant_id
    where s.partner_id = ${partnerId} and s.id = ${id} for update of t, s`,
  );
  if (!tenant) throw new Refusal('settlement_not_found');
  const settlement = { ...(await readSettlement(ctx, { id })), tenantId: tenant.id };
  const at = tenantTime(tenant, ctx.now);
  const { external_id: externalId } = settlement;
  const subject = { partnerId, pms, externalId, simulated: isSimulated(tenant), at };
  return { settlement, subject, at };
}
