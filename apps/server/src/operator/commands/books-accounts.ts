import { accountKinds, chartOf } from '../../domain/books/chart.ts';
import { defineCommand } from '../command.ts';
import { table } from '../table.ts';

export const booksAccounts = defineCommand({
  name: 'books accounts',
  summary: 'list the chart of accounts',
  effect: 'report',
  console: { needs: 'read' },
  async run({ service }) {
    const chart = chartOf(service.processorRecords);
    return { items: accountKinds(chart).map((kind) => ({ kind, ...chart[kind] })) };
  },
  describe: ({ items }) =>
    table(
      'accounts',
      ['number', 'name', 'type', 'kind'],
      items.map((it) => [String(it.number), it.name, it.type, it.kind]),
    ),
});
