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

test('owes 1,520.12 on the next first, and nothing for the months before', () => {
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
  'sends on %s what the account shows, all due on one first after it',
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

test('shows a settlement as a payment by Svc, and owes nothing after it', () => {
  const account = accountOn('2026-11-21', ada, [adaPaid]);
  expect(account.balance_in_cents).toBe(0);
  expect(account.cycles[0]?.entries.at(-1)).toMatchObject({
    kind: 'payment',
    date: '2026-11-21',
    amount_in_cents: -152_012,
    settlement_id: 'stl_1',
  });
});

test('sends what is paid as paid', () => {
  const charges = chargesDue(ada, '2026-12-01', [adaPaid]);
  expect(charges.map((charge) => charge.amount_paid_in_cents)).toEqual([147_500, 4_512]);
});

test('keeps the rest of a part payment', () => {
  const part = paid([['res-1042-2026-12-rent', 100_000]]);
  const account = accountOn('2026-11-21', ada, [part]);
  expect(account.balance_in_cents).toBe(52_012);
});

test('never counts more than was charged, nor a payment for another charge', () => {
  const wrong = paid([
    ['res-1042-2026-12-rent', 999_999],
    ['someone-else', 5_000],
  ]);
  const charges = chargesDue(ada, '2026-12-01', [wrong]);
  expect(charges.map((charge) => charge.amount_paid_in_cents)).toEqual([147_500, 0]);
});

test('a month later what Svc paid stands in the history, and the next month is owed', () => {
  const account = accountOn('2026-12-05', ada, [adaPaid]);
  const [january, december] = account.cycles;
  expect(january).toMatchObject({ due_date: '2027-01-01', balance_in_cents: 152_012 });
  expect(december?.entries.map(({ settlement_id }) => settlement_id)).toEqual([
    null,
    null,
    'stl_1',
  ]);
});

test('has no history from before the lease', () => {
  const resident: Resident = { ...ada, lease: { ...ada.lease, startsOn: '2026-11-01' } };
  expect(accountOn('2026-11-21', resident, []).cycles).toHaveLength(2);
});
