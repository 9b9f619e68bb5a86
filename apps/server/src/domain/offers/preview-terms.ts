import { isDeepStrictEqual } from 'node:util';
import type { QuoteOutput } from '@svc/contract';
import type { Queryable } from '@svc/db';
import type { Ctx } from '../../context.ts';
import type { Creditor } from '../../creditor.ts';
import { currentLendingRules, resolveLending, unlimited } from '../lending/lending-rules.ts';
import { possibleSplits } from '../lending/splits.ts';
import {
  findTermsScope,
  firstDayToCome,
  parseTerms,
  type TermsScope,
} from '../partners/apply-terms.ts';
import { loadPrograms, resolveTerms } from '../partners/program-terms.ts';
import { type ProgramTerms, type Terms, toTerms } from '../partners/terms.ts';
import { addMonth, hourOf } from '../tenants/calendar.ts';
import type { TenantTime } from '../tenants/time.ts';
import { previewStates, type StatesPreview } from './preview-states.ts';
import { computeQuotes, type QuoteInput } from './quote.ts';
import { requireOffers } from './require-offers.ts';

interface Request extends TermsScope {
  readonly terms: unknown;
  readonly amount_in_cents: number;
  readonly effective?: string;
}

/** The offers for one amount under one version. */
interface PreviewedOffers {
  readonly version: string;
  /** Why nothing is offered, if the amount is outside the limits. */
  readonly refused: 'amount_above_cap' | 'amount_below_minimum' | null;
  readonly quotes: readonly QuoteOutput[];
}

export interface TermsPreview {
  readonly amount_in_cents: number;
  /** The day on which the offer is made and the rent is due. */
  readonly offered_on: string;
  readonly now: PreviewedOffers;
  readonly new: PreviewedOffers;
  /** The fields that differ, as they are in the file. */
  readonly changes: readonly {
    readonly field: string;
    readonly now: unknown;
    readonly new: unknown;
  }[];
  /** The offers in each state under the new terms, within the state's rules. */
  readonly states: readonly StatesPreview[];
}

/** Makes the quotes for an amount under the terms of a file and under those that would apply otherwise. */
export async function previewTerms(
  { tx, now, service }: Pick<Ctx, 'tx' | 'now' | 'service'>,
  { terms: file, amount_in_cents, effective, ...scope }: Request,
): Promise<TermsPreview> {
  const program = parseTerms(file);
  const { partnerId, state } = await findTermsScope(tx, scope);
  const from = effective ?? firstDayToCome(now);
  requireOffers(program, from);
  // The preview is for rent that is due on the first of a month.
  const today = from.endsWith('-01') ? from : addMonth(`${from.slice(0, 7)}-01`);
  const [programs, rules] = await Promise.all([
    // No partner has the empty id.
    loadPrograms(tx, partnerId ?? ''),
    currentLendingRules(tx),
  ]);
  const terms = resolveTerms(programs, { state, today });
  const { creditor, environment } = service;
  const offersOf = (it: Terms) =>
    previewOffers(quoteInput(it, { today, amountInCents: amount_in_cents, creditor }));
  const next = toTerms('new', program);
  return {
    amount_in_cents,
    offered_on: today,
    now: offersOf(terms),
    new: offersOf(next),
    changes: changesOf(terms.source, program),
    states: previewStates({
      lendingIn: (it) => resolveLending(rules, { partnerId, state: it, today, environment }),
      termsIn: (it) =>
        state === null || state === it ? next : resolveTerms(programs, { state: it, today }),
      splitsOf: (it, amountInCents) => {
        const input = quoteInput(it, { today, amountInCents, creditor });
        return refusalOf(input) === null ? possibleSplits(input) : [];
      },
    }),
  };
}

function previewOffers(input: QuoteInput): PreviewedOffers {
  const refused = refusalOf(input);
  const quotes = refused === null ? computeQuotes(input) : [];
  return { version: input.terms.version, refused, quotes };
}

function refusalOf({ cycle, terms }: QuoteInput): PreviewedOffers['refused'] {
  if (cycle.amountDueInCents > terms.maximumInCents) return 'amount_above_cap';
  return cycle.amountDueInCents < terms.minimumInCents ? 'amount_below_minimum' : null;
}

function quoteInput(
  terms: Terms,
  example: { readonly today: string; readonly amountInCents: number; readonly creditor: Creditor },
): QuoteInput {
  const { today, amountInCents, creditor } = example;
  const noon = hourOf(today, 12, 'UTC') as TenantTime;
  return {
    applicationId: 'app_preview',
    planId: 'pln_preview',
    signer: { name: 'Ada Lane', home: 'Elm Court, 1 Elm St, Austin, TX 78701' },
    variant: 'rent',
    creditor,
    method: { id: 'pmt_1', type: 'bank_account', brand: null, last4: '6789', expires: null },
    cycle: {
      dueDate: today,
      opensAt: noon,
      closesAt: noon,
      state: 'open',
      amountDueInCents: amountInCents,
      charges: [],
    },
    at: noon,
    timeZone: 'UTC',
    terms,
    paydays: null,
    lending: unlimited,
    warnings: [],
  };
}

/** Compares the terms in a file with the terms that would apply on its first day without it. */
export async function termsChanges(
  tx: Queryable,
  { terms: file, effective, ...scope }: TermsScope & { terms: unknown; effective: string },
): Promise<TermsPreview['changes']> {
  const { partnerId, state } = await findTermsScope(tx, scope);
  const programs = await loadPrograms(tx, partnerId ?? '');
  const before = resolveTerms(programs, { state, today: effective });
  return changesOf(before.source, parseTerms(file));
}

/** Returns the fields that differ between two documents, as they are in the files. */
export function changesOf(now: ProgramTerms, next: ProgramTerms): TermsPreview['changes'] {
  const fields = new Set([...Object.keys(now), ...Object.keys(next)] as (keyof ProgramTerms)[]);
  return [...fields]
    .filter((field) => !isDeepStrictEqual(now[field], next[field]))
    .map((field) => ({ field, now: now[field] ?? null, new: next[field] ?? null }));
}
