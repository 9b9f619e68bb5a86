import type { ExchangeOutput } from '@svc/contract';
import type { Ctx } from '../../context.ts';
import { openExperienceSession } from '../access/experience-sessions.ts';
import { useTenantToken } from '../access/tenant-tokens.ts';
import { readState } from './read-state.ts';
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
  const session = await openExperienceSession(ctx, exchanged);
  const actor = {
    kind: 'tenant' as const,
    partnerId: partner.id,
    pms: partner.pms,
    tenantId: exchanged.tenantId,
    productVariant: exchanged.productVariant,
    sessionId: session.id,
    access: 'full' as const,
  };
  const state = await readState({ ...ctx, actor });
  return { ...state, session: session.secret, expires_at: session.expiresAt.toISOString() };
}
