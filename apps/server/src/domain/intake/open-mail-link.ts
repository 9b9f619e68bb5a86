import type { ExchangeOutput } from '@svc/contract';
import type { Ctx } from '../../context.ts';
import { useMailLink } from '../access/mail-links.ts';
import { enterExperience } from './enter-experience.ts';

/** Exchanges a mail's link for a session of the experience, on our own page instead of the portal's. */
export async function openMailLink(
  ctx: Ctx,
  { input }: { input: { link: string; nonce: string } },
): Promise<ExchangeOutput> {
  return enterExperience(ctx, await useMailLink(ctx, input), 'look');
}
