import type { ExchangeOutput } from '@svc/contract';
import type { Ctx } from '../../context.ts';
import { useTenantToken } from '../access/tenant-tokens.ts';
import { enterExperience } from './enter-experience.ts';
import { proveIdentity, type WidgetIdentity } from './widget-session.ts';

/** Exchanges a tenant token and the widget's proof of identity for a session of the experience. */
export async function exchangeToken(
  ctx: Ctx,
  { input }: { input: WidgetIdentity & { token: string; nonce: string } },
): Promise<ExchangeOutput> {
  const partner = await proveIdentity(ctx, input);
  const exchanged = await useTenantToken(ctx.tx, ctx.now, {
    token: input.token,
    nonce: input.nonce,
    partnerId: partner.id,
    externalId: input.external_id,
    productVariant: input.product_variant,
  });
  return enterExperience(ctx, { ...exchanged, pms: partner.pms }, 'full');
}
