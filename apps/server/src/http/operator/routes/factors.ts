import {
  enrolledOutput,
  enrollPasswordInput,
  operatorFactorsOutput,
  passkeyInput,
  passkeyOptionsOutput,
  passwordOptionsOutput,
  proveInput,
  provenOutput,
} from '@svc/contract/operator';
import { z } from 'zod';
import { countAttempt } from '../../../domain/operators/attempts.ts';
import { finishEnrollment, listFactors, removePasskey } from '../../../domain/operators/factors.ts';
import {
  enrollPasskey,
  passkeyToEnroll,
  passkeyToProve,
} from '../../../domain/operators/passkeys.ts';
import {
  checkPassword,
  enrollPassword,
  hashPassword,
  newTotpSecret,
} from '../../../domain/operators/passwords.ts';
import { proveOperator } from '../../../domain/operators/prove.ts';
import type { Route } from '../../route.ts';
import { operatorRoute } from '../operator-route.ts';

const own = { who: 'operator', needs: 'read' } as const;
/** Needs a fresh proof, because someone who finds an open session must not add a way to sign in. */
const enrolling = { ...own, freshProof: true, whileEnrolling: true } as const;

const byId = z.strictObject({ id: z.string().min(1).max(1_400) });

export const factorRoutes: readonly Route[] = [
  operatorRoute({
    ...own,
    method: 'GET',
    path: '/factors',
    kind: 'query',
    summary: 'List the ways in which you can sign in',
    whileEnrolling: true,
    output: operatorFactorsOutput,
    verb: (ctx) => listFactors(ctx),
  }),
  operatorRoute({
    ...enrolling,
    method: 'POST',
    path: '/factors/passkey/options',
    kind: 'command',
    summary: 'Begin to enroll a passkey',
    output: passkeyOptionsOutput,
    audit: { none: 'nothing has happened yet' },
    verb: async (ctx) => ({ options: { ...(await passkeyToEnroll(ctx, ctx.actor)) } }),
  }),
  operatorRoute({
    ...enrolling,
    method: 'POST',
    path: '/factors/passkey',
    kind: 'command',
    summary: 'Enroll a passkey',
    body: passkeyInput,
    output: enrolledOutput,
    audit: 'in_verb',
    async verb(ctx, { body: { response } }) {
      await enrollPasskey(ctx, { operatorId: ctx.actor.operatorId, response });
      return finishEnrollment(ctx, 'passkey');
    },
  }),
  operatorRoute({
    ...own,
    freshProof: true,
    method: 'POST',
    path: '/factors/passkeys/{id}/remove',
    kind: 'command',
    summary: 'Remove a passkey',
    params: byId,
    output: z.null(),
    audit: 'in_verb',
    verb: (ctx, { params }) => removePasskey(ctx, params),
  }),
  operatorRoute({
    ...enrolling,
    method: 'POST',
    path: '/factors/password/options',
    kind: 'query',
    summary: 'Begin to enroll a password with an authenticator app',
    output: passwordOptionsOutput,
    verb: async ({ actor }) => newTotpSecret(actor.name),
  }),
  operatorRoute({
    ...enrolling,
    method: 'POST',
    path: '/factors/password',
    kind: 'steps',
    group: 'outside',
    summary: 'Enroll a password with an authenticator app',
    body: enrollPasswordInput,
    output: enrolledOutput,
    audit: 'in_verb',
    async verb({ steps, actor: { operatorId } }, { body: { password, secret, code } }) {
      const hashed = await hashPassword(password);
      return steps.step(async (ctx) => {
        await enrollPassword(ctx, { operatorId, hashed, secret, code });
        return finishEnrollment(ctx, 'password');
      });
    },
  }),
  operatorRoute({
    ...own,
    method: 'POST',
    path: '/session/prove/options',
    kind: 'command',
    summary: 'Begin to prove who you are with a passkey',
    output: passkeyOptionsOutput,
    audit: { none: 'nothing has happened yet' },
    verb: async (ctx) => ({ options: { ...(await passkeyToProve(ctx, ctx.actor.operatorId)) } }),
  }),
  operatorRoute({
    ...own,
    method: 'POST',
    path: '/session/prove',
    kind: 'steps',
    summary: 'Prove who you are, for actions that need it to be fresh',
    body: proveInput,
    output: provenOutput,
    audit: { none: 'the action that needs it is audited' },
    async before({ tx, now, actor: { name }, address }, { body }) {
      if (body.password !== undefined) await countAttempt(tx, { name, address }, now);
    },
    async verb({ steps, tx, actor: { name } }, { body }) {
      const { password } = body;
      const checked =
        password === undefined ? undefined : await checkPassword(tx, { name, password });
      return steps.step((ctx) => proveOperator(ctx, body, checked));
    },
  }),
];
