import { row, sql, text } from '@svc/db';
import type { UnitOfWork } from '../../context.ts';
import { Refusal } from '../refusal.ts';
import type { TenantKey } from '../tenant-key.ts';

/** @throws Refusal `simulation_not_possible` if a real processor decides which payments fail */
export function requireSimulatedFailures({ service }: Pick<UnitOfWork, 'service'>): void {
  const { processor, simulator } = service;
  if (simulator || !processor) return;
  throw new Refusal('simulation_not_possible', {
    message: `Payments of this sandbox are made by ${processor.name}, which decides whether one fails. Pay from one of its test accounts or cards that fail.`,
  });
}

const inFlightRow = row('charge in flight', { key: text });

/**
 * A real processor has its own clock: a debit takes days, however far ours is moved. So a tenant's clock
 * stands still while a payment of the tenant is on its way.
 * @throws Refusal `simulation_not_possible`
 */
export async function requireNoneInFlight(
  { tx, service }: Pick<UnitOfWork, 'tx' | 'service'>,
  { partnerId, tenantId }: TenantKey,
): Promise<void> {
  const { processor, simulator } = service;
  if (simulator || !processor) return;
  const found = await tx.maybe(
    inFlightRow,
    sql`
    select key from processor_call
    where partner_id = ${partnerId} and tenant_id = ${tenantId} and kind = 'charge'
      and state not in ('succeeded', 'failed')
    limit 1`,
  );
  if (!found) return;
  throw new Refusal('simulation_not_possible', {
    message: `A payment of this tenant is on its way at ${processor.name}, which has its own clock, so the tenant’s clock stands still. Move it again when the payment has its outcome.`,
  });
}
