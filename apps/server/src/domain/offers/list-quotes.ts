import type { QuoteOutput } from '@svc/contract';
import type { Ctx } from '../../context.ts';
import type { TenantActor } from '../access/actor.ts';
import { wouldLandLate } from '../eligibility/eligibility.ts';
import {
  loadTenantSnapshot,
  type Position,
  positionOf,
  type TenantSnapshot,
} from '../eligibility/load-tenant-snapshot.ts';
import {
  endsBefore,
  newestPaymentMethod,
  type PaymentMethod,
} from '../payments/payment-methods.ts';
import { Refusal } from '../refusal.ts';
import { findQuote, quotes } from './quote.ts';

/** Lists the plans that the tenant can choose from now. Without an account or card they have no agreement yet. */
export async function listQuotes(ctx: Ctx<TenantActor>): Promise<{ items: QuoteOutput[] }> {
  const { partnerId, tenantId, productVariant } = ctx.actor;
  const [snapshot, method] = await Promise.all([
    loadTenantSnapshot(ctx.tx, { partnerId, tenantId }, { lock: false }),
    newestPaymentMethod(ctx.tx, ctx.actor),
  ]);
  if (!snapshot) throw new Refusal('tenant_not_found');
  const position = positionOf(snapshot, ctx, productVariant);
  const items = quotes(factsOf(ctx, { snapshot, position, method: method ?? null }));
  return { items: method ? items.map((quote) => withExpiryWarning(quote, method)) : items };
}

/** Warns that the card expires before the last payment. */
function withExpiryWarning(quote: QuoteOutput, method: PaymentMethod): QuoteOutput {
  const day = quote.installments.at(-1)?.due_date;
  if (day === undefined || !endsBefore(method, day)) return quote;
  const message = `The card ends ${method.expires}, and the last payment is on ${day}: another card or account is needed for it.`;
  return { ...quote, warnings: [...quote.warnings, { code: 'card_ends_early', message }] };
}

/** The quote with this id, if it is still on offer. */
export function offeredQuote(
  ctx: Ctx<TenantActor>,
  offer: OfferFacts,
  id: string,
): QuoteOutput | undefined {
  return findQuote(factsOf(ctx, offer), id);
}

interface OfferFacts {
  readonly snapshot: TenantSnapshot;
  readonly position: Position;
  readonly method: PaymentMethod | null;
}

function factsOf(
  { actor, service }: Ctx<TenantActor>,
  { snapshot: { tenant, application }, position, method }: OfferFacts,
): Parameters<typeof quotes>[0] {
  const { cycle, eligibility, at } = position;
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
    cycle,
    at,
    timeZone: tenant.timeZone,
    variant: actor.productVariant,
    creditor: service.creditor,
    method,
    warnings,
  };
}
