import type { Warning } from '@svc/contract';
import { currentSimulatedDate } from '../charges/rent-cycle.ts';
import type { Tenant } from '../tenants/tenant.ts';
import { failedCheck, wouldLandLate } from './eligibility.ts';
import type { Position } from './load-tenant-snapshot.ts';

/** Warns where a fixed result or date has no effect for this tenant, such as on the pre-checks. */
export function simulationWarnings(tenant: Tenant, position: Position): Warning[] {
  return [...unmatchedDate(tenant, position), ...liveChecks(tenant, position)];
}

function unmatchedDate(tenant: Tenant, { at, charges, terms }: Position): Warning[] {
  const { simulatedCycleDate: simulatedDate, timeZone } = tenant;
  const date = currentSimulatedDate({ simulatedDate, at, timeZone, terms });
  if (date === null || charges.some((it) => it.dueDate === date)) return [];
  return [
    {
      code: 'no_matching_charge',
      param: 'rent_cycle_date',
      message: `No charge is due on ${date}, so nothing belongs to the simulated cycle: send portal_info with a charge due that day, or simulate the day of one.`,
    },
  ];
}

function liveChecks(tenant: Tenant, position: Position): Warning[] {
  const { cycle } = position;
  if (!cycle || !tenant.underwritingResult) return [];
  const check = failedCheck(position, cycle);
  const warnings: Warning[] = [];
  if (check) {
    warnings.push({
      code: `precheck_blocks:${check}`,
      param: null,
      message: `The result is fixed, but the check "${check}" still stops this tenant.`,
    });
  }
  if (wouldLandLate(position)) {
    warnings.push({
      code: 'would_land_late',
      param: 'lease.late_fee_from',
      message: 'Without the simulation this split would be refused: it would land after late fees.',
    });
  }
  return warnings;
}
