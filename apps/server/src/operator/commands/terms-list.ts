import { listPrograms } from '../../domain/partners/program-terms.ts';
import { defineCommand, optionalArgument } from '../command.ts';
import { formatMinute } from '../format.ts';
import { table } from '../table.ts';

export const termsList = defineCommand({
  name: 'terms list',
  summary: 'list the versions of the product’s terms',
  input: { pms: optionalArgument('[pms]') },
  effect: 'report',
  console: { needs: 'read', partner: 'pms' },
  run: async ({ tx }, input) => ({ items: await listPrograms(tx, input) }),
  describe: ({ items }) =>
    table(
      'stored versions, so the built-in terms apply',
      ['effective from', 'partner', 'state', 'version', 'applied', 'by', 'reason'],
      items.map((it) => [
        it.effective_from,
        it.pms ?? 'all',
        it.state ?? 'all',
        it.version,
        formatMinute(it.created_at),
        it.created_by,
        it.reason,
      ]),
      'Of the versions in effect, the most specific applies: partner and state, partner, state, all.',
    ),
});
