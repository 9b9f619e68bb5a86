import { settlementStatuses } from '@svc/contract';
import { listAllSettlements } from '../../domain/settlements/list-all.ts';
import { defineCommand, flag, option, optionalArgument } from '../command.ts';
import { dollars, olderLeftOut } from '../format.ts';
import { readOneOf } from '../read-values.ts';
import { table } from '../table.ts';

export const settlementList = defineCommand({
  name: 'settlement list',
  summary: 'list settlements, also in one --status or --stale',
  input: {
    pms: optionalArgument('[pms]'),
    status: option(
      '--status <status>',
      `only those that are ${settlementStatuses.join(', ')}`,
      readOneOf('--status', settlementStatuses),
    ),
    stale: flag('--stale', 'only those that are open for too long'),
  },
  effect: 'report',
  console: { needs: 'read', partner: 'pms' },
  run: (ctx, input) => listAllSettlements(ctx, input),
  describe: ({ items, has_more }) =>
    table(
      'settlements',
      ['settlement', 'tenant', 'status', 'amount', 'debit by', 'debit', 'payout', 'why'],
      items.map((it) => [
        it.id,
        `${it.pms}/${it.external_id}`,
        it.is_stale ? `${it.status} (stale)` : it.status,
        dollars(it.amount_in_cents),
        it.debit_by,
        it.processor_transaction_id ?? '',
        it.payout_id ?? '',
        it.failure_reason ?? '',
      ]),
      has_more ? olderLeftOut : '',
    ),
});
