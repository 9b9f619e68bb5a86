import {
  asCsv,
  readDelinquency,
  readFees,
  readLosses,
  readPortfolio,
} from '../../domain/back-office/money-reports.ts';
import { defineCommand, flag, longestReadMs, option, type TransactionContext } from '../command.ts';
import { dollars, olderLeftOut } from '../format.ts';
import { table } from '../table.ts';
import { UsageError } from '../usage-error.ts';

// The reports of the operator's console, over all portals.

type Row = Readonly<Record<string, string | number>>;

interface Result {
  readonly items: readonly Row[];
  readonly has_more?: boolean;
}

const csv = { csv: flag('--csv', 'print CSV instead of a table') };
const months = {
  from: option('--from <month>', 'eleven months before --to by default', readMonth),
  to: option('--to <month>', 'this month by default', readMonth),
  ...csv,
};

const report = { effect: 'report', writesFile: true, timeoutMs: longestReadMs } as const;

export const reportDelinquency = defineCommand({
  ...report,
  name: 'report delinquency',
  summary: 'sum what is late by partner and age',
  input: csv,
  run: (ctx) => readDelinquency(ofAllPartners(ctx)),
  describe: (result, input) => describeReport('late plans', result, input),
});

export const reportLosses = defineCommand({
  ...report,
  name: 'report losses',
  summary: 'list plans that were charged off and what is still owed',
  input: csv,
  run: (ctx, input) => readLosses(ofAllPartners(ctx), { inFile: input.csv === true }),
  describe: (result, input) => describeReport('losses', result, input),
});

export const reportFees = defineCommand({
  ...report,
  name: 'report fees',
  summary: 'sum fees of tenants, processors and banks by partner and month',
  input: months,
  run: (ctx, input) => readFees(ofAllPartners(ctx), input),
  describe: (result, input) => describeReport('fees', result, input),
});

export const reportPortfolio = defineCommand({
  ...report,
  name: 'report portfolio',
  summary: 'count plans by partner, month and state',
  input: months,
  run: (ctx, input) => readPortfolio(ofAllPartners(ctx), input),
  describe: (result, input) => describeReport('plans', result, input),
});

function ofAllPartners(ctx: TransactionContext) {
  return { ...ctx, actor: { partners: null } };
}

function describeReport(
  name: string,
  { items, has_more = false }: Result,
  input: { readonly csv?: true },
): string {
  if (input.csv) return asCsv(items);
  const [first = {}] = items;
  const keys = Object.keys(first);
  return table(
    name,
    keys.map((key) => key.replace(/_in_cents$/, '').replaceAll('_', ' ')),
    items.map((item) =>
      keys.map((key) =>
        key.endsWith('_in_cents') ? dollars(Number(item[key])) : String(item[key]),
      ),
    ),
    has_more ? olderLeftOut : '',
  );
}

function readMonth(text: string): string {
  if (/^20\d\d-(0[1-9]|1[0-2])$/.test(text)) return text;
  throw new UsageError(`"${text}" is no month. Write one such as 2026-03.`);
}
