import {
  operatorSessionOutput,
  passkeyInput,
  passkeyOptionsOutput,
  passwordSignInInput,
  recoverySignInInput,
} from '@svc/contract/operator';
import { clearAttempts, countAttempt } from '../../../domain/operators/attempts.ts';
import { passkeyToProve, verifyPasskey } from '../../../domain/operators/passkeys.ts';
import { checkPassword, useCode } from '../../../domain/operators/passwords.ts';
import { takeRecoveryCode } from '../../../domain/operators/recovery-codes.ts';
import { type OpenedSession, openOperatorSession } from '../../../domain/operators/sessions.ts';
import type { Route, RouteCtx } from '../../route.ts';
import { operatorRoute } from '../operator-route.ts';

const signIn = { method: 'POST', who: 'anyone', kind: 'command' } as const;

/** Counts an attempt. It runs as `before`, which is committed, so a refused attempt stays counted. */
async function countSignIn(ctx: RouteCtx, { body }: { body: { name: string } }): Promise<void> {
  await countAttempt(ctx.tx, { name: body.name, address: ctx.address }, ctx.now);
}

function signedIn(ctx: RouteCtx, { secret, session }: OpenedSession): OpenedSession['session'] {
  ctx.http.sessionCookie(secret, session.expires_at);
  return session;
}

export const signInRoutes: readonly Route[] = [
  operatorRoute({
    ...signIn,
    path: '/sign_in/passkey/options',
    summary: 'Begin to sign in with a passkey',
    output: passkeyOptionsOutput,
    audit: { none: 'nothing has happened yet' },
    verb: async (ctx) => ({ options: { ...(await passkeyToProve(ctx)) } }),
  }),
  operatorRoute({
    ...signIn,
    path: '/sign_in/passkey',
    summary: 'Sign in with a passkey',
    body: passkeyInput,
    output: operatorSessionOutput,
    audit: 'in_verb',
    async verb(ctx, { body }) {
      const operatorId = await verifyPasskey(ctx, body);
      const how = { operatorId, isEnrolling: false, method: 'passkey' } as const;
      return signedIn(ctx, await openOperatorSession(ctx, how));
    },
  }),
  operatorRoute({
    ...signIn,
    kind: 'steps',
    path: '/sign_in/password',
    summary: 'Sign in with a password and the code of an authenticator app',
    body: passwordSignInInput,
    output: operatorSessionOutput,
    audit: 'in_verb',
    before: countSignIn,
    async verb(ctx, { body }) {
      const checked = await checkPassword(ctx.tx, body);
      const opened = await ctx.steps.step(async (step) => {
        await useCode(step, checked, body.code);
        await clearAttempts(step.tx, body.name);
        const { operatorId } = checked;
        const how = { operatorId, isEnrolling: false, method: 'password' } as const;
        return openOperatorSession(step, how);
      });
      return signedIn(ctx, opened);
    },
  }),
  operatorRoute({
    ...signIn,
    path: '/sign_in/recovery',
    summary: 'Sign in with a recovery code, to enroll again',
    body: recoverySignInInput,
    output: operatorSessionOutput,
    audit: 'in_verb',
    before: countSignIn,
    async verb(ctx, { body }) {
      const operatorId = await takeRecoveryCode(ctx, body);
      const how = { operatorId, isEnrolling: true, method: 'recovery_code' } as const;
      return signedIn(ctx, await openOperatorSession(ctx, how));
    },
  }),
];
