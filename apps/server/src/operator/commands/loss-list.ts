import { listLosses } from '../../domain/plans/list-losses.ts';
import { defineCommand } from '../command.ts';
import { dollars, olderLeftOut } from '../format.ts';
import { table } from '../table.ts';

export const lossList = defineCommand({
  name: 'loss list',
  summary: 'list written-off plans and what is still owed',
  effect: 'report',
  console: { needs: 'read' },
  run: (ctx) => listLosses(ctx),
  describe: ({ items, has_more }) =>
    table(
      'written-off plans',
      ['written off', 'amount', 'still owed', 'tenant', 'plan'],
      items.map((it) => [
        it.written_off_on,
        dollars(it.written_off_in_cents),
        dollars(it.still_owed_in_cents),
        `${it.pms}/${it.external_id}`,
        it.plan_id,
      ]),
      has_more ? olderLeftOut : '',
    ),
});
