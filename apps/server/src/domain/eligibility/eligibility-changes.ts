import { cycleEdges } from '../charges/rent-cycle.ts';
import { cutOffHour } from '../partners/operating-hours.ts';
import { defaultTerms } from '../partners/terms.ts';
import { previousBankingDay } from '../tenants/banking-days.ts';
import { addDays, hourOf, startOfDay } from '../tenants/calendar.ts';
import type { TenantTime } from '../tenants/time.ts';
import type { TenantSnapshot } from './load-tenant-snapshot.ts';

export type ChangingFacts = Pick<TenantSnapshot, 'tenant' | 'charges' | 'application' | 'programs'>;

/** Returns the times at which a tenant's eligibility may change merely because time passes, in order. */
export function eligibilityChanges({
  tenant,
  charges,
  application,
  programs,
}: ChangingFacts): TenantTime[] {
  const { timeZone, simulatedCycleDate, lease } = tenant;
  const dates = [...charges.map((it) => it.dueDate), simulatedCycleDate ?? []].flat();
  // Uses the windows of all versions, because an extra time at which nothing changes does no harm.
  const windows = [defaultTerms, ...programs.map((it) => it.terms)];
  const moments = [...new Set(dates).values()].flatMap((date) =>
    windows.flatMap((terms) => cycleEdges(date, { timeZone, terms })),
  );
  moments.push(...programs.map((it) => startOfDay(it.effectiveFrom, timeZone)));
  const reapply = application?.reapplyAfter;
  if (reapply) moments.push(startOfDay(reapply, timeZone));
  if (lease?.ends_on) moments.push(startOfDay(addDays(lease.ends_on, 1), timeZone));
  if (lease?.late_fee_from) {
    // After the cut-off on the last banking day before it, a payment would land late.
    const last = previousBankingDay(addDays(lease.late_fee_from, -1));
    moments.push(hourOf(last, cutOffHour, timeZone));
  }
  const times = new Set(moments.map((it) => it.getTime()));
  return [...times].sort((a, b) => a - b).map((ms) => new Date(ms) as TenantTime);
}

/** Returns the first time after `at` at which the tenant's eligibility may change; null if there is none. */
export function nextChange(snapshot: ChangingFacts, at: TenantTime): TenantTime | null {
  return eligibilityChanges(snapshot).find((it) => it > at) ?? null;
}
