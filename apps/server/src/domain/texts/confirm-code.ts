import { timingSafeEqual } from 'node:crypto';
import type { TextChangeOutput, TextConfirmInput, TextProblem } from '@svc/contract';
import { bytes, instant, integer, nullable, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import type { TenantActor } from '../access/actor.ts';
import { codeText } from './request-code.ts';
import { endTextsOf, readTexts, requireTexts } from './texts-of-tenant.ts';

const waitingRow = row('consent that waits for its code', {
  id: text,
  codeHmac: nullable(bytes),
  codeExpiresAt: instant,
  triesLeft: integer,
});

/**
 * Turns texts on, if the code is the one that was sent last. A wrong code is data, not a refusal: its count
 * must be committed. The consent is locked, so that codes sent at once are counted one by one.
 */
export async function confirmCode(
  ctx: Ctx<TenantActor>,
  { code }: TextConfirmInput,
): Promise<TextChangeOutput> {
  requireTexts(ctx);
  const problem = await enterCode(ctx, code);
  return { texts: await readTexts(ctx), problem };
}

async function enterCode(ctx: Ctx<TenantActor>, code: string): Promise<TextProblem | null> {
  const { tx, now, service, actor } = ctx;
  const { partnerId, tenantId } = actor;
  const waiting = await tx.maybe(
    waitingRow,
    sql`
    select id, code_hmac, code_expires_at, tries_left from text_consent
    where partner_id = ${partnerId} and tenant_id = ${tenantId}
      and confirmed_at is null and ended_at is null
    order by requested_at desc, id desc limit 1
    for update`,
  );
  if (!waiting || waiting.codeExpiresAt <= now || waiting.triesLeft === 0) return 'code_expired';
  const { id, codeHmac } = waiting;
  const isCorrect = service.vault
    .digests(codeText(id, code))
    .some((digest) => codeHmac !== null && timingSafeEqual(digest, codeHmac));
  if (!isCorrect) {
    await tx.run(sql`
      update text_consent set tries_left = tries_left - 1
      where partner_id = ${partnerId} and id = ${id}`);
    return waiting.triesLeft === 1 ? 'code_expired' : 'wrong_code';
  }
  // Ends the consent of the number that got texts so far. It also ends this one, which the next statement reopens.
  await endTextsOf(ctx, 'replaced');
  await tx.run(sql`
    update text_consent set confirmed_at = ${now}, ended_at = null, ended_by = null
    where partner_id = ${partnerId} and id = ${id}`);
  return null;
}
