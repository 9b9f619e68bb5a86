import { listAllPayouts } from '../../domain/payouts/by-operator.ts';
import { defineCommand, optionalArgument } from '../command.ts';
import { dollars } from '../format.ts';
import { table } from '../table.ts';

export const payoutList = defineCommand({
  name: 'payout list',
  summary: 'list payouts, those that are not over first',
  input: { pms: optionalArgument('[pms]') },
  effect: 'report',
  console: { needs: 'read', partner: 'pms' },
  run: ({ tx }, input) => listAllPayouts(tx, input),
  describe: ({ items, has_more }) =>
    table(
      'payouts',
      ['payout', 'portal', 'status', 'day', 'amount', 'lines', 'sent by', 'to', 'reference', 'why'],
      items.map((it) => [
        it.id,
        it.pms,
        it.status,
        it.day,
        dollars(it.amount_in_cents),
        String(it.line_count),
        it.sent_by,
        it.destination,
        it.reference ?? '',
        it.failure_reason ?? '',
      ]),
      has_more ? `Only ${items.length} are listed.` : '',
    ),
});
