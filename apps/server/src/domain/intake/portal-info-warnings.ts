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
  if (input.lease?.id === tenant.externalId) {
    warnings.unshift({
      code: 'external_id_equals_lease_id',
      param: 'lease.id',
      message: 'external_id must be the tenant’s id, not the lease’s: roommates share a lease.',
    });
  }
  if (!position.takesPayments) {
    warnings.unshift({
      code: 'payments_unavailable',
      param: null,
      message:
        'No payment processor is set up on this service, so no tenant can apply for a plan. The widget and the experience say that this is not available. Ask the operator of the service.',
    });
  }
  return warnings;
}
