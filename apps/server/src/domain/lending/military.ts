import type { Lending } from './lending-rules.ts';

/**
 * 36 % in basis points, the most that the Military Lending Act allows (32 CFR 232.4(b)). All that a plan costs is its
 * fee, which the APR counts, so the military APR is the APR.
 */
const maximumBps = 3600;

/**
 * Returns the limits for a borrower whom the Military Lending Act covers. Without a telephone number at which to hear
 * the disclosures (32 CFR 232.6(d)), nothing may be offered.
 */
export function coveredLending(lending: Lending, phone: string | null): Lending {
  return {
    ...lending,
    maximumAprBps: Math.min(lending.maximumAprBps ?? maximumBps, maximumBps),
    military: { phone },
  };
}
