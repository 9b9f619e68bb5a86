import { accountKinds, chartOf } from '../domain/books/chart.ts';
import type { AccountKind } from '../domain/ledger/post.ts';
import { processors } from '../processors/index.ts';
import type { Reader } from './command.ts';
import { readOneOf } from './read-values.ts';

/** The chart of accounts with those of every processor, to read and describe the options of commands. */
export const chart = chartOf(processors);

/** Reads an account of the chart, as the option `--account` names it. */
export const readAccount: Reader<AccountKind> = readOneOf(
  '--account',
  accountKinds(chart),
  (kind) => `${chart[kind].number} ${chart[kind].name}`,
);
