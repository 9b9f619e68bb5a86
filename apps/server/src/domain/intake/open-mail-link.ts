import type { ExchangeOutput } from '@svc/contract';
import type { Ctx } from '../../context.ts';
import { openExperienceSession } from '../access/experience-sessions.ts';
import { useMailLink } from '../access/mail-links.ts';
import { readState } from './read-state.ts';

/** Exchanges a mail's link for a session of the experience, on our own page instead of the portal's. */
export async function openMailLink(
  ctx: Ctx,
  { input }: { input: { link: string; nonce: string } },
): Promise<ExchangeOutput> {
  const opened = await useMailLink(ctx, input);
  const session = await openExperienceSession(ctx, opened);
  const { partnerId, pms, tenantId, productVariant } = opened;
  const actor = {
    kind: 'tenant',
    partnerId,
    pms,
    tenantId,
    productVariant,
    sessionId: session.id,
    access: 'look',
  } as const;
  const state = await readState({ ...ctx, actor });
  return { ...state, session: session.secret, expires_at: session.expiresAt.toISOString() };
}
