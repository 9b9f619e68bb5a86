import type { Lending } from '../lending/lending-rules.ts';
import type { Terms } from '../partners/terms.ts';
import { allStates } from '../partners/us-states.ts';

/** Rents of which a preview shows the cost. */
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
  /** The APR of each number of payments for an amount that these terms allow, whatever the limits. */
  readonly costsOf: (
    terms: Terms,
    amountInCents: number,
  ) => readonly { readonly installment_count: number; readonly apr_bps: number }[];
}

/** Previews the offers in each state. States with the same result are grouped. */
export function previewStates({ lendingIn, termsIn, costsOf }: Sources): StatesPreview[] {
  const groups = new Map<string, StatesPreview>();
  for (const state of allStates) {
    const lending = lendingIn(state);
    const terms = termsIn(state);
    const shared = {
      terms: terms.version,
      offered: lending.refusal === null,
      maximum_apr_bps: lending.maximumAprBps,
      maximum_fee_in_cents: lending.maximumFeeInCents,
      license: lending.license,
    };
    const key = JSON.stringify(shared);
    const group = groups.get(key);
    const rents = () =>
      exampleRents.map((amount_in_cents) => ({
        amount_in_cents,
        costs: costsOf(terms, amount_in_cents).map((it) => ({
          ...it,
          exceeds: exceededLimit(lending, { apr_bps: it.apr_bps, feeInCents: terms.feeInCents }),
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

function exceededLimit(
  { maximumAprBps, maximumFeeInCents }: Lending,
  cost: { readonly apr_bps: number; readonly feeInCents: number },
): PreviewedCost['exceeds'] {
  if (maximumFeeInCents !== null && cost.feeInCents > maximumFeeInCents)
    return 'maximum_fee_in_cents';
  return maximumAprBps !== null && cost.apr_bps > maximumAprBps ? 'maximum_apr_bps' : null;
}
