import type { OperatorTermsVersionOutput, TermsVersion } from '@svc/contract/operator';
import { queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';
import { runCommand } from './commands.ts';

export type { TermsVersion };
export type TermsPage = OperatorTermsVersionOutput;
export type TermsChange = TermsPage['changes'][number];

export const termsQuery = queryOptions({
  queryKey: ['terms', 'list'],
  queryFn: async ({ signal }) => (await call('GET', '/terms', { signal })).items,
});

export function termsVersionQuery(version: string) {
  return queryOptions({
    queryKey: ['terms', 'version', version],
    queryFn: ({ signal }) => call('GET', '/terms/{version}', { params: { version }, signal }),
  });
}

/** Terms that are not stored yet: the JSON of the document, and where and from when they would apply. */
export interface TermsDraft {
  readonly terms: string;
  readonly effective: string;
  readonly pms?: string;
  readonly state?: string;
}

interface Offer {
  readonly installment_count: number;
  readonly fee_in_cents: number;
  readonly apr_bps: number;
  readonly total_of_payments_in_cents: number;
  readonly installments: readonly { readonly due_date: string; readonly amount_in_cents: number }[];
}

export interface PreviewedOffers {
  readonly version: string;
  readonly refused: 'amount_above_cap' | 'amount_below_minimum' | null;
  readonly quotes: readonly Offer[];
}

/** The result of the command `terms preview`. */
export interface TermsPreview {
  readonly offered_on: string;
  readonly now: PreviewedOffers;
  readonly new: PreviewedOffers;
  readonly changes: readonly TermsChange[];
  readonly states: readonly {
    readonly states: readonly string[];
    readonly terms: string;
    readonly offered: boolean;
    readonly needs_apr_limit: boolean;
    readonly maximum_apr_bps: number | null;
    readonly maximum_fee_in_cents: number | null;
    readonly license: string | null;
    readonly rents: readonly {
      readonly amount_in_cents: number;
      readonly costs: readonly {
        readonly installment_count: number;
        readonly apr_bps: number;
        readonly exceeds: 'maximum_apr_bps' | 'maximum_fee_in_cents' | null;
      }[];
    }[];
  }[];
}

/** @param amount_in_cents the rent whose offers are compared */
export async function previewTerms(
  draft: TermsDraft,
  amount_in_cents: number,
): Promise<TermsPreview> {
  const input = { ...draft, amount_in_cents };
  return (await runCommand('terms-preview', { input })).result as unknown as TermsPreview;
}

export function applyTerms(draft: TermsDraft, reason: string) {
  return runCommand('terms-apply', { input: { ...draft }, reason });
}
