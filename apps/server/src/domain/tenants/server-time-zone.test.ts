import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { cycleEdges } from '../charges/rent-cycle.ts';
import { splitIntoParts } from '../lending/split.ts';
import { defaultTerms as terms } from '../partners/terms.ts';
import { nextMorning } from '../payments/record-processor-entry.ts';
import type { LivePart, LivePlan } from '../plans/live-plan.ts';
import { nextAction } from '../plans/next-action.ts';
import { addBankingDays, debitBy } from './banking-days.ts';
import { addDuration, localDate } from './calendar.ts';
import type { TenantTime } from './time.ts';

const ours = process.env.TZ;
afterEach(() => {
  if (ours === undefined) delete process.env.TZ;
  else process.env.TZ = ours;
});

const serverZones = [
  'UTC',
  'America/Los_Angeles',
  'Asia/Kolkata',
  'Pacific/Kiritimati',
  'Australia/Lord_Howe',
];
const homes = ['America/Chicago', 'America/Phoenix', 'Pacific/Honolulu', 'America/New_York'];

/** All that a tenant's dates come from, at one moment. */
function datesAt(at: TenantTime, timeZone: string): unknown {
  const today = localDate(at, timeZone);
  const parts = splitIntoParts({
    principalInCents: 152_012,
    count: 4,
    today,
    cycleDueDate: today,
    terms,
  });
  const plan = {
    state: 'active',
    timeZone,
    autopay: true,
    pending: null,
    terms,
    parts: (parts ?? []).map(
      (it) => ({ ...it, state: 'scheduled', remindedFor: null }) as LivePart,
    ),
  } as unknown as LivePlan;
  return JSON.stringify({
    parts,
    edges: cycleEdges(today, { timeZone, terms }),
    debit: debitBy(at, timeZone),
    stale: addBankingDays(today, 3),
    deposit: nextMorning(at, timeZone),
    action: nextAction(plan),
    month: addDuration(at, 'P1M', timeZone),
  });
}

test('every date of a tenant is the same in every time zone of the server', () => {
  const moments = fc.date({
    min: new Date('2024-01-01T00:00:00Z'),
    max: new Date('2032-12-31T00:00:00Z'),
    noInvalidDate: true,
  });
  const leapAndShifts = fc.constantFrom(
    ...[
      '2028-02-29T05:30:00Z',
      '2026-03-08T07:59:00Z',
      '2026-11-01T06:30:00Z',
      '2027-01-31T23:59:00Z',
    ].map((it) => new Date(it)),
  );
  const cases = fc.sample(fc.tuple(fc.oneof(moments, leapAndShifts), fc.constantFrom(...homes)), {
    numRuns: 40,
    seed: 20_261_121,
  });
  const seen = serverZones.map((zone) => {
    process.env.TZ = zone;
    return cases.map(([moment, home]) => datesAt(moment as TenantTime, home));
  });
  for (const dates of seen) expect(dates).toEqual(seen[0]);
}, 30_000);
