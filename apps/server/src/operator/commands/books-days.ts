import { listDays } from '../../domain/books/close-day.ts';
import { defineCommand } from '../command.ts';
import { formatMinute } from '../format.ts';
import { table } from '../table.ts';

export const booksDays = defineCommand({
  name: 'books days',
  summary: 'list closed and reopened days',
  effect: 'report',
  console: { needs: 'read' },
  run: async ({ tx }) => ({ items: await listDays(tx, 100) }),
  describe: ({ items }) =>
    table(
      'closed days',
      ['seal', 'what', 'day', 'when'],
      items.map((it) => [String(it.number), it.action, it.day ?? '', formatMinute(it.sealed_at)]),
    ),
});
