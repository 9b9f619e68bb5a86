import type { PortalInfoInput, Warning } from '@svc/contract';
import type { Position } from '../plans/load-standing.ts';
import { simulationWarnings } from '../plans/simulation-warnings.ts';
import type { Tenant } from '../tenants/tenant.ts';

/** What was accepted but is probably a mistake, with what to do. */
export function portalInfoWarnings(
  tenant: Tenant,
  position: Position,
  input: PortalInfoInput,
): Warning[] {
  const warnings = simulationWarnings(tenant, position);
  if (input.lease?.id !== tenant.externalId) return warnings;
  return [
    {
      code: 'external_id_equals_lease_id',
      param: 'lease.id',
      message: 'external_id must be the tenant’s id, not the lease’s: roommates share a lease.',
    },
    ...warnings,
  ];
}
