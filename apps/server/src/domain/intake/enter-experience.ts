import type { ExchangeOutput } from '@svc/contract';
import type { Ctx } from '../../context.ts';
import type { TenantActor } from '../access/actor.ts';
import { openExperienceSession } from '../access/experience-sessions.ts';
import type { Exchanged } from '../access/tenant-tokens.ts';
import { readState } from './read-state.ts';

/** Opens the session of a token or link that was used, and reads the state for the first screen. */
export async function enterExperience(
  ctx: Ctx,
  opened: Exchanged & Pick<TenantActor, 'pms'>,
  access: TenantActor['access'],
): Promise<ExchangeOutput> {
  const session = await openExperienceSession(ctx, opened);
  const { partnerId, pms, tenantId, productVariant } = opened;
  const actor = {
    kind: 'tenant',
    partnerId,
    pms,
    tenantId,
    productVariant,
    sessionId: session.id,
    access,
  } as const;
  const state = await readState({ ...ctx, actor });
  return { ...state, session: session.secret, expires_at: session.expiresAt.toISOString() };
}
