import { openOperatorSessionInput, operatorSessionOutput } from '@svc/contract/operator';
import { z } from 'zod';
import {
  closeOperatorSession,
  describeOperatorSession,
  openOperatorSession,
} from '../../../domain/operators/sessions.ts';
import type { Route } from '../../route.ts';
import { operatorRoute } from '../operator-route.ts';

export const sessionRoutes: readonly Route[] = [
  operatorRoute({
    method: 'POST',
    path: '/session/open',
    who: 'anyone',
    kind: 'command',
    summary: 'Open a session with the secret of an invite link',
    body: openOperatorSessionInput,
    output: operatorSessionOutput,
    audit: 'in_verb',
    async verb(ctx, { body }) {
      const { secret, session } = await openOperatorSession(ctx, body);
      ctx.http.sessionCookie(secret, session.expires_at);
      return session;
    },
  }),
  operatorRoute({
    method: 'GET',
    path: '/session',
    who: 'operator',
    needs: 'read',
    kind: 'query',
    summary: 'Read your session',
    output: operatorSessionOutput,
    verb: (ctx) => describeOperatorSession(ctx),
  }),
  operatorRoute({
    method: 'POST',
    path: '/session/close',
    who: 'operator',
    needs: 'read',
    kind: 'command',
    summary: 'Sign out',
    output: z.null(),
    audit: 'in_verb',
    async verb(ctx) {
      await closeOperatorSession(ctx);
      ctx.http.sessionCookie(null);
      return null;
    },
  }),
];
