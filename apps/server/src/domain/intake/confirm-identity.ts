import { timingSafeEqual } from 'node:crypto';
import type { ConfirmInput, ConfirmOutput } from '@svc/contract';
import { bytes, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import type { TenantActor } from '../access/actor.ts';
import { confirmSession, countWrongAnswer, lockTries } from '../access/mail-links.ts';
import { sha256 } from '../access/secrets.ts';
import { Refusal } from '../refusal.ts';
import { readState } from './read-state.ts';

/**
 * Lets a session that began with a mail's link pay and change things, if it knows the tenant's date
 * of birth and the last four digits of the account. A wrong answer is data, not a refusal: its count
 * must be committed. The count is locked, so that concurrent answers are counted one by one.
 */
export async function confirmIdentity(
  ctx: Ctx<TenantActor>,
  input: ConfirmInput,
): Promise<ConfirmOutput> {
  const { actor } = ctx;
  if (actor.access !== 'look') throw new Refusal('step_not_allowed');
  const triesLeft = await lockTries(ctx, actor);
  // Concurrent calls may have used the last tries while this one waited for the lock.
  if (triesLeft <= 0) throw new Refusal('token_expired');
  const state = await readState(ctx);
  // With a return_url, the tenant signs in at the portal instead.
  if (state.mail_access?.continue_in !== 'confirm') throw new Refusal('confirmation_required');
  const about = { tenant_id: actor.tenantId, tries_left: triesLeft };
  if (await matchesIdentity(ctx, input)) {
    await confirmSession(ctx, actor);
    ctx.log.info(about, 'a mail link was confirmed');
    const confirmed = await readState({ ...ctx, actor: { ...actor, access: 'full' } });
    return { confirmed: true, tries_left: triesLeft, state: confirmed };
  }
  await countWrongAnswer(ctx, actor);
  const tries_left = triesLeft - 1;
  ctx.log.warn({ ...about, tries_left }, 'wrong answers to the questions of a mail link');
  return {
    confirmed: false,
    tries_left,
    state: { ...state, mail_access: { ...state.mail_access, tries_left } },
  };
}

const identityRow = row('identity', {
  application_id: text,
  date_of_birth_sealed: bytes,
  last4: text,
});

/** Compares both answers together, in constant time, so that nothing reveals which one was wrong. */
async function matchesIdentity(ctx: Ctx<TenantActor>, input: ConfirmInput): Promise<boolean> {
  const known = await ctx.tx.maybe(
    identityRow,
    sql`
    select p.application_id, a.date_of_birth_sealed, m.last4
    from plan p
      join application a on a.partner_id = p.partner_id and a.id = p.application_id
      join payment_method m on m.partner_id = p.partner_id and m.id = p.payment_method_id
    where p.partner_id = ${ctx.actor.partnerId} and p.tenant_id = ${ctx.actor.tenantId}
    order by p.state in ('created', 'active', 'past_due') desc, p.created_at desc limit 1`,
  );
  const dateOfBirth =
    known && ctx.service.vault.open(known.date_of_birth_sealed, known.application_id);
  const expected = sha256(`${dateOfBirth} ${known?.last4}`);
  return timingSafeEqual(expected, sha256(`${input.date_of_birth} ${input.last4}`));
}
