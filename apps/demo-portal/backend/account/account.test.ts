import { expect, test } from 'vitest';
import { findResident, type Resident, residents } from '../residents.ts';
import { accountOn, chargesDue, type Payment } from './account.ts';
import { portalInfoFor } from './portal-info.ts';

const ada = findResident('res-1042') as Resident;

function paid(amounts: [string, number][]): Payment {
  const charges = amounts.map(([charge_id, amount_in_cents]) => ({ charge_id, amount_in_cents }));
  return { settlementId: 'stl_1', planId: 'pln_1', receivedOn: '2026-11-21', charges };
}

const adaPaid = paid([
  ['res-1042-2026-12-rent', 147_500],
  ['res-1042-2026-12-water', 4_512],
]);

test('owes $1,520.12 on the next first and nothing for earlier months', () => {
  const account = accountOn('2026-11-21', ada, []);
  expect(account.due_date).toBe('2026-12-01');
  expect(account.balance_in_cents).toBe(152_012);
  expect(account.cycles.map(({ due_date }) => due_date)).toEqual([
    '2026-12-01',
    '2026-11-01',
    '2026-10-01',
    '2026-09-01',
    '2026-08-01',
  ]);
  expect(account.cycles.map((cycle) => cycle.balance_in_cents)).toEqual([152_012, 0, 0, 0, 0]);
});

test.each(['2026-03-05', '2026-03-15', '2026-03-31', '2028-02-29', '2026-01-01'])(
  'portal_info on %s matches the account and has one future due date',
  (today) => {
    for (const resident of residents) {
      const account = accountOn(today, resident, []);
      const info = portalInfoFor(today, resident, [], 'http://portal.test/');
      const dates = new Set(info.charges.map(({ due_date }) => due_date));
      expect([...dates]).toEqual([account.due_date]);
      expect(account.due_date > today).toBe(true);
      expect(account.due_date.slice(-2)).toBe('01');
      const total = info.charges.reduce((sum, charge) => sum + charge.amount_in_cents, 0);
      expect(total).toBe(account.balance_in_cents);
    }
  },
);

test('shows a settlement as a payment by Svc that clears the balance', () => {
  const account = accountOn('2026-11-21', ada, [adaPaid]);
  expect(account.balance_in_cents).toBe(0);
  expect(account.cycles[0]?.entries.at(-1)).toMatchObject({
    kind: 'payment',
    date: '2026-11-21',
    amount_in_cents: -152_012,
    settlement_id: 'stl_1',
  });
});

test('reports paid amounts', () => {
  const charges = chargesDue(ada, '2026-12-01', [adaPaid]);
  expect(charges.map((charge) => charge.amount_paid_in_cents)).toEqual([147_500, 4_512]);
});

test('keeps the remaining balance after a partial payment', () => {
  const part = paid([['res-1042-2026-12-rent', 100_000]]);
  const account = accountOn('2026-11-21', ada, [part]);
  expect(account.balance_in_cents).toBe(52_012);
});

test('ignores overpayments and payments for other charges', () => {
  const wrong = paid([
    ['res-1042-2026-12-rent', 999_999],
    ['someone-else', 5_000],
  ]);
  const charges = chargesDue(ada, '2026-12-01', [wrong]);
  expect(charges.map((charge) => charge.amount_paid_in_cents)).toEqual([147_500, 0]);
});

test('a month later the payment is in the history and the next month is due', () => {
  const account = accountOn('2026-12-05', ada, [adaPaid]);
  const [january, december] = account.cycles;
  expect(january).toMatchObject({ due_date: '2027-01-01', balance_in_cents: 152_012 });
  expect(december?.entries.map(({ settlement_id }) => settlement_id)).toEqual([
    null,
    null,
    'stl_1',
  ]);
});

test('has no history before the lease started', () => {
  const resident: Resident = { ...ada, lease: { ...ada.lease, startsOn: '2026-11-01' } };
  expect(accountOn('2026-11-21', resident, []).cycles).toHaveLength(2);
});
