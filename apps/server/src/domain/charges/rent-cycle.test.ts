import { expect, test } from 'vitest';
import type { TenantTime } from '../../tenant-time.ts';
import { defaultTerms as terms } from '../partners/terms.ts';
import { type Charge, toCharge } from './charge.ts';
import { currentCycle, currentSimulatedDate } from './rent-cycle.ts';

const timeZone = 'America/Chicago';

function charge(due_date: string, amount_in_cents: number, amount_paid_in_cents = 0): Charge {
  const id = `${due_date}-${amount_in_cents}`;
  return toCharge({ id, due_date, amount_in_cents, amount_paid_in_cents }, 'rent');
}

function cycleAt(at: string, charges: Charge[], simulatedDate: string | null = null) {
  return currentCycle({ charges, simulatedDate, at: new Date(at) as TenantTime, timeZone, terms });
}

test('opens at local midnight seven days before, closes at the end of the ninth day after', () => {
  const cycle = cycleAt('2026-02-01T12:00:00Z', [charge('2026-02-01', 100_00)]);
  expect(cycle?.opensAt.toISOString()).toBe('2026-01-25T06:00:00.000Z');
  expect(cycle?.closesAt.toISOString()).toBe('2026-02-11T06:00:00.000Z');
  expect(cycle?.state).toBe('open');
});

test('keeps local midnights across a clock change', () => {
  const cycle = cycleAt('2026-03-05T12:00:00Z', [charge('2026-03-05', 100_00)]);
  expect(cycle?.opensAt.toISOString()).toBe('2026-02-26T06:00:00.000Z');
  expect(cycle?.closesAt.toISOString()).toBe('2026-03-15T05:00:00.000Z');
});

test('the earliest unpaid charge of the month names the cycle; credits count, never below zero', () => {
  const charges = [
    charge('2026-02-01', 50_00, 50_00),
    charge('2026-02-03', 100_00),
    charge('2026-02-20', -30_00),
  ];
  const cycle = cycleAt('2026-02-02T12:00:00Z', charges);
  expect(cycle?.dueDate).toBe('2026-02-03');
  expect(cycle?.amountDueInCents).toBe(70_00);
  expect(
    cycleAt('2026-02-02T12:00:00Z', [charge('2026-02-03', 10_00), charge('2026-02-03', -30_00)])
      ?.amountDueInCents,
  ).toBe(0);
});

test('an open cycle is preferred to the next one, and the next one to the last closed one', () => {
  const charges = [charge('2026-01-01', 1_00), charge('2026-03-01', 3_00)];
  expect(cycleAt('2026-01-05T12:00:00Z', charges)?.dueDate).toBe('2026-01-01');
  expect(cycleAt('2026-02-05T12:00:00Z', charges)?.dueDate).toBe('2026-03-01');
  expect(cycleAt('2026-05-05T12:00:00Z', charges)?.dueDate).toBe('2026-03-01');
  expect(cycleAt('2026-01-05T12:00:00Z', [])).toBeNull();
});

test('a simulated date names the cycle until it closes, and matches no other charge', () => {
  const charges = [charge('2026-02-01', 100_00), charge('2026-03-01', 100_00)];
  const simulated = '2026-03-01';
  expect(cycleAt('2026-03-01T18:00:00Z', charges, simulated)?.dueDate).toBe('2026-03-01');
  expect(cycleAt('2026-03-02T18:00:00Z', charges, '2026-03-02')).toBeNull();
  const at = new Date('2026-03-11T06:00:00Z') as TenantTime;
  expect(currentSimulatedDate({ simulatedDate: simulated, at, timeZone, terms })).toBeNull();
  expect(cycleAt('2026-03-11T06:00:00Z', charges, simulated)?.state).toBe('closed');
});
