import { row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import type { OperatorActor } from '../access/actor.ts';
import { isAllowed } from '../operators/roles.ts';
import { areTenants, type TenantKey } from '../tenant-key.ts';
import type { PersonalData } from '../tenants/personal-data.ts';

/** A context that knows which tenants an operator sees in clear. */
export type Discloser = Pick<Ctx, 'tx' | 'now' | 'service'> & { readonly actor: OperatorActor };

const unmaskedRow = row('unmasked tenant', { tenantId: text });

/**
 * Finds out which of these tenants' personal data the operator sees in clear: all of them by role, or those that the
 * operator gave a reason for in the last 15 minutes (`unmask`). Returns a predicate on the tenant's id.
 */
export async function loadIsDisclosed(
  { tx, now, actor }: Pick<Discloser, 'tx' | 'now' | 'actor'>,
  tenants: readonly TenantKey[],
): Promise<(tenantId: string) => boolean> {
  if (isAllowed(actor, 'personal')) return () => true;
  const unmasked = await tx.many(
    unmaskedRow,
    sql`
    select u.tenant_id from tenant_unmasking u
    where ${areTenants([sql`u.partner_id`, sql`u.tenant_id`], tenants)}
      and u.session_id = ${actor.sessionId} and u.expires_at > ${now}`,
  );
  const ids = new Set(unmasked.map(({ tenantId }) => tenantId));
  return (tenantId) => ids.has(tenantId);
}

/** Masks a name as `A••• L•••`, with the first letter of each word. */
export function maskName(name: string): string {
  return name.replaceAll(/(\S)\S*/gu, '$1•••');
}

/** Hides all but what is needed to recognize a person who says who they are. */
export function maskPersonal(person: PersonalData): PersonalData {
  const { firstName, lastName, email, phoneNumber } = person;
  return {
    firstName: maskName(firstName),
    lastName: maskName(lastName),
    email: email.replace(/^(.)[^@]*/u, '$1•••'),
    phoneNumber: phoneNumber && `••• ${phoneNumber.replaceAll(/\D/g, '').slice(-4)}`,
  };
}
