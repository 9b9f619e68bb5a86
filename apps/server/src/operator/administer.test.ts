import { expect, test } from 'vitest';
import { describeResult } from './administer.ts';
import type { VerifiedLedger } from './commands/ledger-verify.ts';

const maple = {
  pms: 'maple',
  transfers: 5,
  checked_transfers: 5,
  seals: 2,
  unsealed: 1,
  trial_balance: { cash: 150_000, fee_income: -150_000 },
  faults: [],
};
const report: VerifiedLedger = {
  transfers: 5,
  checked_transfers: 5,
  seals: 4,
  seals_before_partners: 2,
  unsealed: 1,
  trial_balance: maple.trial_balance,
  faults: [],
  partners: [maple],
};

test('ledger verify prints a line for each partner, then the totals', () => {
  expect(describeResult({ command: 'ledger verify' }, report)).toBe(`\
partner  transfers  seals  not sealed yet  faults
maple    5          2      1               0

Transfers: 5, seals: 4, of them 2 from before each partner had its own seals, not sealed yet: 1.
  cash                          1500.00
  fee_income                   -1500.00
The ledger balances and every seal is valid.
`);
});

test('ledger verify prints each fault', () => {
  const faults = ['Seal 2 of maple no longer matches its 2 transfers.'];
  const faulty = { ...report, faults, partners: [{ ...maple, faults }] };
  const text = describeResult({ command: 'ledger verify' }, faulty);
  expect(text).toContain('maple    5          2      1               1\n');
  expect(text).toMatch(/\nFAULT: Seal 2 of maple no longer matches its 2 transfers\.\n$/);
});

test('ledger verify says how much it checked when it started from checkpoints', () => {
  const since = { ...report, checked_transfers: 2, note: 'No checkpoint was written.' };
  expect(describeResult({ command: 'ledger verify' }, since)).toMatch(
    /every new seal is valid\. Checked 2 transfers .+; --full checks all\.\nNo checkpoint was written\.\n$/,
  );
});

test('key list tells a live, a rotated and a revoked key apart', () => {
  const key = {
    key_id: 'key_1',
    pms: 'oak',
    name: 'Billing',
    scopes: ['widget', 'tokens'],
    ends_with: 'a1b2',
    created_at: '2026-02-01T18:00:00.000Z',
    last_used_at: null,
    expires_at: null,
    revoked_at: null,
  };
  const ends = '2026-02-02T18:00:00.000Z';
  const items = [
    key,
    { ...key, key_id: 'key_2', name: null, expires_at: ends },
    { ...key, key_id: 'key_3', expires_at: ends, revoked_at: ends },
  ];
  const [, live, rotated, revoked] = describeResult({ command: 'key list' }, { items }).split('\n');
  expect(live).toMatch(
    /^key_1\s+oak\s+Billing\s+widget, tokens\s+…a1b2\s+2026-02-01 18:00 UTC\s+live$/,
  );
  expect(rotated).toMatch(
    /^key_2\s+oak\s+widget, tokens\s+…a1b2\s.*rotated, works until 2026-02-02 18:00/,
  );
  expect(revoked).toMatch(/revoked 2026-02-02 18:00/);
});
