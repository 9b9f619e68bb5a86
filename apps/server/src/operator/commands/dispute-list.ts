import { listDisputes } from '../../domain/disputes/list-disputes.ts';
import { defineCommand } from '../command.ts';
import { dollars, formatMinute, olderLeftOut } from '../format.ts';
import { table } from '../table.ts';

export const disputeList = defineCommand({
  name: 'dispute list',
  summary: 'list payments that a bank reversed, and their outcome',
  effect: 'report',
  console: { needs: 'read' },
  run: (ctx) => listDisputes(ctx),
  describe: ({ items, has_more }) =>
    table(
      'disputes and returned payments',
      [
        'began on',
        'amount',
        'taken',
        'won',
        'reason',
        'state',
        'won on',
        'dispute',
        'answer by',
        'tenant',
        'payment',
      ],
      items.map((it) => [
        it.began_on,
        dollars(it.amount_in_cents),
        dollars(it.taken_in_cents),
        dollars(it.won_in_cents),
        it.reason,
        it.state,
        it.won_on ?? '',
        it.dispute === null ? '' : `${it.dispute} (${it.status})`,
        it.answer_by === null ? '' : formatMinute(it.answer_by),
        `${it.pms}/${it.external_id}`,
        it.payment_id,
      ]),
      has_more ? olderLeftOut : '',
    ),
});
