import {
  finishVisitInput,
  finishVisitOutput,
  proofVisitInput,
  signInWaysOutput,
  visitInput,
  visitOutput,
} from '@svc/contract/operator';
import { beginVisit, finishVisit } from '../../../domain/operators/provider-sign-in.ts';
import type { Route, RouteCtx } from '../../route.ts';
import { operatorRoute } from '../operator-route.ts';

const outside = { method: 'POST', kind: 'steps', group: 'outside' } as const;

async function begin(
  { http, steps }: Pick<RouteCtx, 'http' | 'steps'>,
  input: Omit<Parameters<typeof beginVisit>[1], 'secret'>,
): Promise<{ url: string }> {
  const visit = { ...input, secret: http.visitSecret };
  const { url, secret, expiresAt } = await beginVisit(steps, visit);
  http.visitCookie(secret, expiresAt);
  return { url };
}

/** Routes to sign in, or to prove one's identity, at the company's provider (OpenID Connect). */
export const oidcRoutes: readonly Route[] = [
  operatorRoute({
    method: 'GET',
    path: '/sign_in',
    who: 'anyone',
    kind: 'query',
    summary: 'Read how people sign in',
    output: signInWaysOutput,
    verb: async ({ service }) => ({ provider: service.identityProvider?.host ?? null }),
  }),
  operatorRoute({
    ...outside,
    path: '/sign_in/oidc',
    who: 'anyone',
    summary: 'Begin to sign in at the provider',
    body: visitInput,
    output: visitOutput,
    audit: { none: 'nothing has happened yet' },
    verb: (ctx, { body }) => begin(ctx, { returnTo: body.return_to, again: body.again ?? false }),
  }),
  operatorRoute({
    ...outside,
    path: '/session/prove/oidc',
    who: 'operator',
    needs: 'read',
    summary: 'Begin to prove who you are at the provider',
    body: proofVisitInput,
    output: visitOutput,
    audit: { none: 'nothing has happened yet' },
    verb: (ctx, { body }) =>
      begin(ctx, { returnTo: body.return_to, again: true, sessionId: ctx.actor.sessionId }),
  }),
  operatorRoute({
    ...outside,
    path: '/sign_in/oidc/finish',
    who: 'anyone',
    summary: 'Sign in, or prove who you are, with the answer of the provider',
    body: finishVisitInput,
    output: finishVisitOutput,
    audit: 'in_verb',
    async verb({ http, steps }, { body }) {
      const { returnTo, opened } = await finishVisit(steps, {
        query: body.query,
        secret: http.visitSecret,
      });
      if (opened) http.sessionCookie(opened.secret, opened.expiresAt);
      return { return_to: returnTo };
    },
  }),
];
