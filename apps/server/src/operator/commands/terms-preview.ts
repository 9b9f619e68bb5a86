import type { PreviewedCost } from '../../domain/offers/preview-states.ts';
import { previewTerms, type TermsPreview } from '../../domain/offers/preview-terms.ts';
import { allStates } from '../../domain/partners/us-states.ts';
import { defineCommand, fileOption, option, requiredOption } from '../command.ts';
import { dollars } from '../format.ts';
import { readAmount } from '../read-amount.ts';
import { readDay, readFile } from '../read-values.ts';
import { table } from '../table.ts';
import { UsageError } from '../usage-error.ts';
import { describeRule } from './lending-list.ts';

/** The options of a command about terms: the file that has them, and the partner and state where they apply. */
export const termsOptions = {
  terms: fileOption('--file <terms.json>', 'the terms', {
    open: (path) => readFile(path).toString('utf8'),
    readContent: readTerms,
  }),
  pms: option('--partner <pms>', 'only for this partner'),
  state: option('--state <state>', 'only for properties in this state, such as TX'),
};

/** Parses the file's JSON. Its fields are checked where the command runs. */
function readTerms(content: string, name: string): unknown {
  try {
    return JSON.parse(content);
  } catch (error) {
    throw new UsageError(`${name} is not JSON: ${(error as Error).message}.`);
  }
}

export const termsPreview = defineCommand({
  name: 'terms preview',
  summary: 'print the offers for --amount under --file and without it',
  input: {
    ...termsOptions,
    amount_in_cents: requiredOption('--amount <cents>', 'the amount to split', readAmount),
    effective: option(
      '--effective <date>',
      'as if they applied from this day on',
      readDay('--effective'),
    ),
  },
  effect: 'report',
  console: { needs: 'read' },
  run: (ctx, input) => previewTerms(ctx, input),
  describe(preview) {
    const { now, new: next, changes, offered_on } = preview;
    const sides = [now, next];
    const counts = new Set(
      sides.flatMap((it) => it.quotes.map((quote) => quote.installment_count)),
    );
    const rows = [...counts]
      .sort((a, b) => a - b)
      .flatMap((count) => {
        const [left = [], right = []] = sides.map((side) => offerLines(side, count));
        return Array.from({ length: Math.max(left.length, right.length) }, (_, index) => [
          index === 0 ? String(count) : '',
          left[index] ?? '',
          right[index] ?? '',
        ]);
      });
    const offers = table('offers', ['payments', `now (${now.version})`, 'new'], rows);
    const refusals = (['now', 'new'] as const).flatMap((name) => {
      const { refused } = preview[name];
      return refused === null
        ? []
        : [`Nothing is offered under the terms "${name}": ${refused}.\n`];
    });
    const differences = table(
      'differences',
      ['field', 'now', 'new'],
      changes.map((it) => [it.field, fieldText(it.field, it.now), fieldText(it.field, it.new)]),
    );
    return `$${dollars(preview.amount_in_cents)}, due and split on ${offered_on}\n\n${offers}${refusals.join('')}\n${differences}\n${statesTable(preview.states)}`;
  },
});

function offerLines({ quotes }: TermsPreview['now'], count: number): string[] {
  const quote = quotes.find((it) => it.installment_count === count);
  if (!quote) return ['not offered'];
  return [
    `fee ${dollars(quote.fee_in_cents)}, APR ${(quote.apr_bps / 100).toFixed(1)} %`,
    ...quote.installments.map((it) => `${it.due_date}  ${dollars(it.amount_in_cents)}`),
    `total ${dollars(quote.total_of_payments_in_cents)}`,
  ];
}

function statesTable(states: TermsPreview['states']): string {
  const [first] = states;
  const amounts = first?.rents.map((it) => `$${dollars(it.amount_in_cents)}`) ?? [];
  return table(
    'states',
    ['states', 'terms', 'limits', ...amounts],
    shortestFirst(states).map((group) => [
      namesOf(group.states),
      group.terms,
      limitsText(group),
      ...group.rents.map(({ costs }) => (group.offered ? costs.map(costText).join(', ') : '')),
    ]),
    'For each number of payments, the APR of a balance that is due and split on that day.',
  );
}

function limitsText({
  offered,
  needs_apr_limit,
  ...limits
}: TermsPreview['states'][number]): string {
  if (needs_apr_limit) return 'not offered until --maximum-apr-bps is set';
  if (!offered) return 'not offered';
  return describeRule({ offered, ...limits, license: limits.license ?? undefined });
}

function shortestFirst(states: TermsPreview['states']): TermsPreview['states'] {
  return states.toSorted((a, b) => a.states.length - b.states.length);
}

/**
 * Lists a few states by name. A larger group is only counted: it is the last row, and has all states that no other
 * row names.
 */
function namesOf(codes: readonly string[]): string {
  if (codes.length === allStates.length) return 'all';
  return codes.length > 20 ? `${codes.length} others` : codes.join(' ');
}

/** A cost such as `2: 84.5 %`, or `2: not offered, APR 129.4 %`. */
function costText({ installment_count, apr_bps, exceeds }: PreviewedCost): string {
  const apr = `${(apr_bps / 100).toFixed(1)} %`;
  if (exceeds === null) return `${installment_count}: ${apr}`;
  return `${installment_count}: not offered, ${exceeds === 'maximum_apr_bps' ? `APR ${apr}` : 'fee'}`;
}

function fieldText(field: string, value: unknown): string {
  if (field !== 'documents') return JSON.stringify(value);
  return value === null ? 'built-in texts' : 'other texts (see --json)';
}
