import { listPartners } from '../../domain/partners/list-partners.ts';
import { defineCommand } from '../command.ts';
import { formatMinute } from '../format.ts';
import { table } from '../table.ts';

export const partnerList = defineCommand({
  name: 'partner list',
  summary: 'list partners and when their keys were last used',
  effect: 'report',
  console: { needs: 'read' },
  run: (ctx) => listPartners(ctx),
  describe: ({ items }) =>
    table(
      'partners',
      ['partner', 'name', 'id', 'created', 'live keys', 'keys last used'],
      items.map((it) => [
        it.pms,
        it.name,
        it.id,
        formatMinute(it.created_at),
        String(it.live_keys),
        it.last_used_at === null ? '' : formatMinute(it.last_used_at),
      ]),
    ),
});
