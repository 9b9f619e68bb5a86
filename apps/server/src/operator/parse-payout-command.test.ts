import { expect, test } from 'vitest';
import { parseCommandLine } from './parse-command-line.ts';

const id = 'pyt_01k5z3w7c8d9e0f1g2h3j4k5m6';
const read = (line: string) => parseCommandLine(line.split(' '));

test.each([
  [
    'payout schedule oak --method credit --destination first-bank --reason x',
    { pms: 'oak', method: 'credit', destination: 'first-bank' },
  ],
  [
    'payout schedule oak --method debit --cut-off 9 --reason x',
    { method: 'debit', cut_off_hour: 9 },
  ],
  ['payout settings', { command: 'payout settings' }],
  ['payout list oak --json', { pms: 'oak' }],
  [`payout statement ${id}`, { payout_id: id }],
  [`payout statement ${id} --format json --out a`, { format: 'json' }],
  ['payout create oak --reason x', { pms: 'oak' }],
  [
    'payout adjust oak --amount=-4100 --account credit_loss --reason x',
    { pms: 'oak', amount_in_cents: -4100, account: 'credit_loss' },
  ],
  [`payout send ${id} --out a --reason x`, { payout_id: id }],
  [`payout confirm ${id} --reference FB-77 --reason x`, { payout_id: id, reference: 'FB-77' }],
  [`payout fail ${id} --reason x`, { payout_id: id }],
  [`payout return ${id} --reason x`, { payout_id: id }],
])('%s', (line, request) => {
  expect(read(line)).toMatchObject({ request });
});

test.each([
  ['payout schedule oak --method weekly --reason x', '--method must be one of debit, credit, each'],
  ['payout schedule oak --method credit --reason x', 'needs --destination'],
  ['payout schedule oak --method debit --cut-off 24 --reason x', 'an hour from 0 to 23'],
  ['payout schedule oak --method debit', 'needs --reason'],
  [
    'payout send stl_1 --reason x',
    'A payout must be an id such as pyt_…, which "payout list" lists',
  ],
  [`payout send ${id}`, 'needs --reason'],
  [`payout send ${id} --reference a --reason x`, 'takes no --reference'],
  ['payout list --reason x', 'changes nothing, so it takes no --reason'],
  ['payout adjust oak --account credit_loss --reason x', '"payout adjust" needs --amount <cents>'],
  ['payout adjust oak --amount 5 --account cash --reason x', '--account must be one of fee_income'],
  [`payout statement ${id} --format xml`, '--format must be one of csv, json'],
  ['books close 2026-01-26 --method debit --reason x', 'takes no --method'],
])('%s is refused: %s', (line, message) => {
  expect(() => read(line)).toThrow(message);
});
