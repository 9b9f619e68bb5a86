import type { ProveInput } from '@svc/contract/operator';
import { sql } from '@svc/db';
import type { Ctx } from '../../context.ts';
import type { OperatorActor } from '../access/actor.ts';
import { Refusal } from '../refusal.ts';
import { clearAttempts } from './attempts.ts';
import { listFactors } from './factors.ts';
import { verifyPasskey } from './passkeys.ts';
import { type CheckedPassword, useCode } from './passwords.ts';

/**
 * Proves again who the person at the session is, for actions that need that to be fresh. In the sandbox, a
 * person who was let in by a link and has nothing to prove it with proves it by asking.
 * @param checked the password, if one was sent
 * @throws Refusal
 */
export async function proveOperator(
  ctx: Ctx<OperatorActor>,
  { passkey, code }: ProveInput,
  checked: CheckedPassword | undefined,
): Promise<{ proven_at: string }> {
  const { tx, actor, now, service } = ctx;
  const { operatorId, name } = actor;
  if (passkey) await verifyPasskey(ctx, { operatorId, response: passkey });
  else if (checked && code !== undefined) {
    await useCode(ctx, checked, code);
    await clearAttempts(tx, name);
  } else {
    const { passkeys, has_password, provider } = await listFactors(ctx);
    const hasFactor = passkeys.length > 0 || has_password || provider !== null;
    if (service.environment === 'production' || hasFactor) {
      throw new Refusal('validation_failed', {
        message:
          provider === null
            ? 'Send the answer of a passkey, or the password with the code of your app.'
            : `Sign in at ${provider} again, with POST /operator/v1/session/prove/oidc.`,
      });
    }
  }
  await tx.run(sql`
    update operator_session set proven_at = ${now} where id = ${actor.sessionId}`);
  return { proven_at: now.toISOString() };
}
