import { type Queryable, type Sql, sql } from '@svc/db';
import type { OperatorActor } from '../access/actor.ts';
import { findPartnerByPms, type Partner } from '../partners/find-partner.ts';
import { Refusal } from '../refusal.ts';

type Limited = Pick<OperatorActor, 'partners'>;

/** Refuses an operator because of the partners that the person is limited to. The API writes it to the audit log. */
export class OutsideLimits extends Refusal {}

/** Returns the condition for rows that the operator may see. `partnerId` is the column, such as `p.id`. */
export function ofVisiblePartners({ partners }: Limited, partnerId: Sql): Sql {
  return partners === null ? sql`true` : sql`${partnerId} = any(${partners}::text[])`;
}

export function maySeePartner({ partners }: Limited, partnerId: string): boolean {
  return partners === null || partners.includes(partnerId);
}

/**
 * Finds a partner that the operator may see.
 * @throws Refusal `not_found`, also for a partner outside of the operator's limits
 */
export async function requirePartner(q: Queryable, actor: Limited, pms: string): Promise<Partner> {
  const partner = await findPartnerByPms(q, pms);
  if (partner && maySeePartner(actor, partner.id)) return partner;
  const message = `There is no portal "${pms}", or it is not among those that you may see.`;
  throw partner
    ? new OutsideLimits('not_found', { message })
    : new Refusal('not_found', { message });
}

/** @throws Refusal `not_found` for no partner, and for one outside of the operator's limits */
export function requirePartnerId(actor: Limited, partnerId: string | null): void {
  if (partnerId !== null && maySeePartner(actor, partnerId)) return;
  const message =
    'There is nothing with this id, or its portal is not among those that you may see.';
  throw partnerId === null
    ? new Refusal('not_found', { message })
    : new OutsideLimits('not_found', { message });
}
