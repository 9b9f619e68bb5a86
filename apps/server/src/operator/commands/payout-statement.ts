import { readAnyStatement } from '../../domain/payouts/by-operator.ts';
import { csvOf } from '../../domain/payouts/statement.ts';
import { argument, defineCommand, option } from '../command.ts';
import { readOneOf } from '../read-values.ts';
import { readPayoutId } from './payout-send.ts';

export const payoutStatement = defineCommand({
  name: 'payout statement',
  summary: 'print the lines of a payout, as --format csv or json',
  input: {
    payout_id: argument('<payout id>', readPayoutId),
    format: option(
      '--format <format>',
      'csv, the default, or json',
      readOneOf('--format', ['csv', 'json']),
    ),
  },
  effect: 'report',
  console: { needs: 'read', partner: 'payout_id' },
  writesFile: true,
  run: ({ tx }, { payout_id }) => readAnyStatement(tx, payout_id),
  describe: (statement, { format = 'csv' }) =>
    format === 'csv' ? csvOf(statement) : `${JSON.stringify(statement, null, 2)}\n`,
});
