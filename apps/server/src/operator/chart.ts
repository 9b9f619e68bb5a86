import { chartOf } from '../domain/books/chart.ts';
import { processors } from '../processors/index.ts';

/** The chart of accounts with those of every processor, to read and describe the options of commands. */
export const chart = chartOf(processors);
