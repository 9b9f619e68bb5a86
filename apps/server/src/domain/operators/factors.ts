import type { OperatorFactorsOutput } from '@svc/contract/operator';
import { boolean, instant, integer, nullable, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import type { OperatorActor } from '../access/actor.ts';
import { Refusal } from '../refusal.ts';
import { providerOf } from './accounts.ts';
import { recordOperatorAction } from './record.ts';
import { createRecoveryCodes } from './recovery-codes.ts';

const passkeyRow = row('passkey', {
  id: text,
  created_at: instant,
  last_used_at: nullable(instant),
});
const countsRow = row('factors', { has_password: boolean, recovery_codes_left: integer });

/** Lists how the person can prove who they are. */
export async function listFactors({
  tx,
  actor: { operatorId },
  service,
}: Pick<Ctx<OperatorActor>, 'tx' | 'actor' | 'service'>): Promise<OperatorFactorsOutput> {
  const passkeys = await tx.many(
    passkeyRow,
    sql`
    select id, created_at, last_used_at from operator_passkey where operator_id = ${operatorId}
    order by created_at, id`,
  );
  const counts = await tx.one(
    countsRow,
    sql`
    select exists (select from operator_password where operator_id = ${operatorId}) as has_password,
      (select count(*) from operator_recovery_code
        where operator_id = ${operatorId} and used_at is null)::integer as recovery_codes_left`,
  );
  return {
    provider: await providerOf({ tx, service }, operatorId),
    passkeys: passkeys.map(({ id, created_at, last_used_at }) => ({
      id,
      created_at: created_at.toISOString(),
      last_used_at: last_used_at?.toISOString() ?? null,
    })),
    ...counts,
  };
}

/**
 * Ends an enrollment: the session may do everything from now on. Returns ten recovery codes, unless the person
 * has some.
 */
export async function finishEnrollment(
  ctx: Ctx<OperatorActor>,
  method: 'passkey' | 'password',
): Promise<{ recovery_codes: string[] | null }> {
  const { tx, actor, now } = ctx;
  await recordOperatorAction(ctx, actor, {
    action: 'operator.enrolled',
    subject_id: actor.operatorId,
    details: { method },
  });
  await tx.run(sql`
    update operator_session set is_enrolling = false, proven_at = ${now}
    where id = ${actor.sessionId}`);
  const { recovery_codes_left } = await listFactors(ctx);
  const needsCodes = actor.isEnrolling || recovery_codes_left === 0;
  return { recovery_codes: needsCodes ? await createRecoveryCodes(ctx, actor.operatorId) : null };
}

/** Removes a passkey, but not the person's last way to sign in. @throws Refusal */
export async function removePasskey(
  ctx: Ctx<OperatorActor>,
  { id }: { readonly id: string },
): Promise<null> {
  const { tx, actor } = ctx;
  const { passkeys, has_password, provider } = await listFactors(ctx);
  if (!passkeys.some((it) => it.id === id)) {
    throw new Refusal('not_found', { message: 'You have no such passkey.' });
  }
  if (passkeys.length === 1 && !has_password && provider === null) {
    throw new Refusal('version_conflict', {
      message: 'This is your only way to sign in. Add another passkey or a password first.',
    });
  }
  await tx.run(sql`
    delete from operator_passkey where id = ${id} and operator_id = ${actor.operatorId}`);
  await recordOperatorAction(ctx, actor, {
    action: 'operator.passkey_removed',
    subject_id: actor.operatorId,
  });
  return null;
}
