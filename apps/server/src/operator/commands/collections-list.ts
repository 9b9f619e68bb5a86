import { listPauses } from '../../domain/controls/pauses.ts';
import { defineCommand, optionalArgument } from '../command.ts';
import { formatMinute } from '../format.ts';
import { table } from '../table.ts';

export const collectionsList = defineCommand({
  name: 'collections list',
  summary: 'list what is paused, since when and why',
  input: { pms: optionalArgument('[pms]') },
  effect: 'report',
  console: { needs: 'read', partner: 'pms' },
  readsPrimary: true,
  run: async ({ tx }, input) => ({ items: await listPauses(tx, input) }),
  describe: ({ items }) =>
    table(
      'pauses of collections',
      ['since', 'partner', 'what', 'by', 'reason'],
      items.map((it) => [
        formatMinute(it.started_at),
        it.pms,
        it.scope === 'partner' ? 'everything' : `${it.scope} ${it.subject}`,
        it.started_by,
        it.reason,
      ]),
    ),
});
