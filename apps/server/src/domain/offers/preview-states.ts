import type { Lending } from '../lending/lending-rules.ts';
import { exceededLimit, type Split } from '../lending/splits.ts';
import type { Terms } from '../partners/terms.ts';
import { allStates } from '../partners/us-states.ts';

/** The rents, in cents, whose cost a preview shows. */
const exampleRents = [800_00, 1_500_00, 2_500_00];

export interface PreviewedCost {
  readonly installment_count: number;
  readonly apr_bps: number;
  /** The limit that this number of payments exceeds, so that it is not offered. */
  readonly exceeds: 'maximum_apr_bps' | 'maximum_fee_in_cents' | null;
}

/** The offers in a group of states that share the same rules and terms. */
export interface StatesPreview {
  /** Postal codes, in order. */
  readonly states: readonly string[];
  readonly terms: string;
  readonly offered: boolean;
  /** True if nothing is offered only because no rule limits the APR. */
  readonly needs_apr_limit: boolean;
  readonly maximum_apr_bps: number | null;
  readonly maximum_fee_in_cents: number | null;
  readonly license: string | null;
  readonly rents: readonly {
    readonly amount_in_cents: number;
    readonly costs: readonly PreviewedCost[];
  }[];
}

interface Sources {
  readonly lendingIn: (state: string) => Lending;
  readonly termsIn: (state: string) => Terms;
  /** Returns one split for each number of payments that the terms allow, ignoring the lending limits. */
  readonly splitsOf: (terms: Terms, amountInCents: number) => readonly Split[];
}

/** Previews the offers in each state. States with the same result are grouped. */
export function previewStates({ lendingIn, termsIn, splitsOf }: Sources): StatesPreview[] {
  const groups = new Map<string, StatesPreview>();
  for (const state of allStates) {
    const lending = lendingIn(state);
    const terms = termsIn(state);
    const shared = {
      terms: terms.version,
      offered: lending.refusal === null,
      needs_apr_limit: lending.needsAprLimit,
      maximum_apr_bps: lending.maximumAprBps,
      maximum_fee_in_cents: lending.maximumFeeInCents,
      license: lending.license,
    };
    const key = JSON.stringify(shared);
    const group = groups.get(key);
    const rents = () =>
      exampleRents.map((amount_in_cents) => ({
        amount_in_cents,
        costs: splitsOf(terms, amount_in_cents).map((it) => ({
          installment_count: it.payments.length,
          apr_bps: Math.round(it.aprBps),
          exceeds: exceededLimit(it, { terms, lending }),
        })),
      }));
    groups.set(key, {
      ...shared,
      states: [...(group?.states ?? []), state],
      rents: group?.rents ?? rents(),
    });
  }
  return [...groups.values()];
}
