import { csvLine } from '../../domain/csv-line.ts';
import {
  nachaPeriod,
  type ReturnRate,
  readReturnRates,
} from '../../domain/payments/return-rates.ts';
import { addDays, monthOf } from '../../domain/tenants/calendar.ts';
import { defineCommand, flag, longestReadMs, option, optionalArgument } from '../command.ts';
import { readDay } from '../read-values.ts';
import { table } from '../table.ts';

export const debitReturns = defineCommand({
  name: 'ach returns',
  summary: "compare the returned debits of 60 days with Nacha's limits, for any processor",
  input: {
    pms: optionalArgument('[pms]'),
    from: option('--from <day>', 'the first day', readDay('--from')),
    to: option('--to <day>', 'the last day, today if left out', readDay('--to')),
    by_month: flag('--by-month', 'each of the last twelve months, as CSV for the yearly review'),
  },
  effect: 'report',
  console: { needs: 'read', partner: 'pms' },
  writesFile: true,
  timeoutMs: longestReadMs,
  refuse: ({ from, to }) =>
    from !== undefined && to !== undefined && from > to
      ? 'needs a --from that is not after --to'
      : undefined,
  async run({ tx, now }, { pms, from, to, by_month: byMonth = false }) {
    const usual = nachaPeriod(now, to);
    const period = { from: from ?? (byMonth ? yearUntil(usual.to) : usual.from), to: usual.to };
    return { ...period, rates: await readReturnRates(tx, { ...period, byMonth, pms }) };
  },
  describe: ({ from, to, rates }, { by_month: byMonth }) =>
    byMonth
      ? [
          ['month', 'portal', 'category', 'debits', 'returned', 'rate', 'limit', 'over the limit'],
          ...rates.map((it) => [it.month, ...cellsOf(it)]),
        ]
          .map(csvLine)
          .join('')
      : table(
          'debits',
          ['portal', 'category', 'debits', 'returned', 'rate', 'limit', ''],
          rates.map((it) => cellsOf(it)),
          `Debits and returns from ${from} to ${to}.`,
        ),
});

/** Returns the first day of the month that is eleven months before the given day. */
function yearUntil(day: string): string {
  let first = `${monthOf(day)}-01`;
  for (let months = 0; months < 11; months += 1) first = `${monthOf(addDays(first, -1))}-01`;
  return first;
}

function cellsOf({ pms, category, debits, returned, rate, limit, is_over }: ReturnRate): string[] {
  return [
    pms ?? 'all',
    category,
    String(debits),
    String(returned),
    rate === null ? '' : percent(rate),
    percent(limit),
    is_over ? 'over' : '',
  ];
}

/** `0.50 %` */
function percent(share: number): string {
  return `${(share * 100).toFixed(2)} %`;
}
