import type { Lending } from './lending-rules.ts';

/**
 * 36 % in basis points, the most that the Military Lending Act allows (32 CFR 232.4(b)). All that a plan costs is its
 * fee, which the APR counts, so the military APR is the APR.
 */
const maximumBps = 3600;

/**
 * Returns the limits for a borrower covered by the Military Lending Act. Nothing is offered to them until the operator
 * has set a toll-free number for the oral disclosures (32 CFR 232.6(d)).
 */
export function coveredLending(lending: Lending, phone: string | null): Lending {
  return {
    ...lending,
    maximumAprBps: Math.min(lending.maximumAprBps ?? maximumBps, maximumBps),
    military: { phone },
  };
}
