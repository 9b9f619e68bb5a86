import type { QuoteOutput } from '@svc/contract';
import type { Ctx } from '../../context.ts';
import type { TenantActor } from '../access/actor.ts';
import { Refusal } from '../refusal.ts';
import { wouldLandLate } from './eligibility.ts';
import { type Dossier, loadDossier, type Position, positionOf } from './load-standing.ts';
import { quotes } from './offer/quote.ts';

/** The plans on offer now: reading them changes nothing. */
export async function listQuotes(ctx: Ctx<TenantActor>): Promise<{ items: QuoteOutput[] }> {
  const { partnerId, tenantId, productVariant } = ctx.actor;
  const dossier = await loadDossier(ctx.tx, { partnerId, tenantId }, { lock: false });
  if (!dossier) throw new Refusal('tenant_not_found');
  const position = positionOf(dossier, ctx.now, productVariant);
  return { items: quotesFor(dossier, position, productVariant) };
}

/** The same again when one of them is accepted. */
export function quotesFor(
  { tenant, application }: Dossier,
  position: Position,
  variant: 'rent' | 'hoa',
): QuoteOutput[] {
  const { cycle, standing, at } = position;
  if (standing.state !== 'approved' || !cycle || !application) {
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
  const { timeZone } = tenant;
  return quotes({ applicationId: application.id, cycle, at, timeZone, variant, warnings });
}
