import type { Locale, QuoteOutput, QuotesOutput } from '@svc/contract';
import type { Ctx } from '../../context.ts';
import { derivedId } from '../../ids.ts';
import type { TenantActor } from '../access/actor.ts';
import { wouldLandLate } from '../eligibility/eligibility.ts';
import {
  loadTenantSnapshot,
  type Position,
  positionOf,
  type TenantSnapshot,
} from '../eligibility/load-tenant-snapshot.ts';
import { notOnPaydays } from '../lending/splits.ts';
import {
  endsBefore,
  newestPaymentMethod,
  type PaymentMethod,
} from '../payments/payment-methods.ts';
import { Refusal } from '../refusal.ts';
import { openPaydays } from '../tenants/paydays.ts';
import { openPersonal } from '../tenants/personal-data.ts';
import { disclosureText, signerOf } from './disclosure.ts';
import { computeQuotes, findQuote, type QuoteInput } from './quote.ts';

/** Lists the plans that the tenant can choose from now. Without an account or card they have no agreement yet. */
export async function listQuotes(ctx: Ctx<TenantActor>): Promise<QuotesOutput> {
  const { partnerId, tenantId } = ctx.actor;
  const [snapshot, method] = await Promise.all([
    loadTenantSnapshot(ctx.tx, { partnerId, tenantId }, { lock: false }),
    newestPaymentMethod(ctx.tx, ctx.actor),
  ]);
  if (!snapshot) throw new Refusal('tenant_not_found');
  return quotesFor(ctx, snapshot, method);
}

/** Returns the plans on offer for a tenant whose snapshot and account or card were read already. */
export function quotesFor(
  ctx: Ctx<TenantActor>,
  snapshot: TenantSnapshot,
  method: PaymentMethod | undefined,
): QuotesOutput {
  const position = positionOf(snapshot, ctx, ctx.actor.productVariant);
  const facts = factsOf(ctx, { snapshot, position, method: method ?? null });
  const items = computeQuotes(facts);
  return {
    items: method ? items.map((quote) => withExpiryWarning(quote, method)) : items,
    paydays: facts.paydays,
    not_offered: notOnPaydays(facts).map(({ count, code }) => ({
      installment_count: count,
      code,
      message:
        code === 'too_few_paydays'
          ? `${count} payments need ${count - 1} paydays after today, within ${facts.terms.spanDays} days and before the next rent cycle. There are fewer.`
          : `On these paydays, ${count} payments would cost more than is allowed.`,
    })),
  };
}

/** Warns that the card expires before the last payment. */
function withExpiryWarning(quote: QuoteOutput, method: PaymentMethod): QuoteOutput {
  const day = quote.installments.at(-1)?.due_date;
  if (day === undefined || !endsBefore(method, day)) return quote;
  const message = `The card ends ${method.expires}, and the last payment is on ${day}: another card or account is needed for it.`;
  return { ...quote, warnings: [...quote.warnings, { code: 'card_ends_early', message }] };
}

/** A quote that is still on offer, with the plan that it becomes if it is accepted. */
interface Offered {
  readonly quote: QuoteOutput;
  /** The id of the plan that the agreement names. */
  readonly planId: string;
  /** Writes the agreement without the names of the tenant and the home. */
  readonly anonymousText: (locale: Locale) => string;
}

/** Returns the quote with this id, if it is still on offer. */
export function offeredQuote(
  ctx: Ctx<TenantActor>,
  offer: OfferFacts & { readonly method: PaymentMethod },
  id: string,
): Offered | undefined {
  const facts = factsOf(ctx, offer);
  const quote = findQuote(facts, id);
  if (!quote) return undefined;
  const { planId } = facts;
  const anonymousText = (locale: Locale) =>
    disclosureText(quote, { ...facts, method: offer.method, signer: null }, locale);
  return { quote, planId, anonymousText };
}

interface OfferFacts {
  readonly snapshot: TenantSnapshot;
  readonly position: Position;
  readonly method: PaymentMethod | null;
}

function factsOf(
  { actor, service }: Ctx<TenantActor>,
  { snapshot: { tenant, application, planCount }, position, method }: OfferFacts,
): QuoteInput {
  const { cycle, eligibility, at, terms, lending } = position;
  if (eligibility.state !== 'approved' || !cycle || !application) {
    throw new Refusal('step_not_allowed');
  }
  const warnings = wouldLandLate(position)
    ? [
        {
          code: 'would_land_late',
          message: 'The payment to your landlord may arrive after late fees begin.',
        },
      ]
    : [];
  return {
    applicationId: application.id,
    // The agreement names the plan before it is accepted, so its id is derived from what is known then.
    planId: derivedId('pln', application.id, `${application.id} ${planCount}`),
    signer: signerOf(openPersonal(service.vault, tenant.id, tenant.personal), tenant.lease),
    cycle,
    at,
    timeZone: tenant.timeZone,
    terms,
    paydays: openPaydays(service.vault, tenant),
    lending,
    variant: actor.productVariant,
    creditor: service.creditor,
    method,
    warnings,
  };
}
