import {
  openOperatorSessionInput,
  operatorSessionOutput,
  operatorSessionsOutput,
} from '@svc/contract/operator';
import { z } from 'zod';
import {
  closeOperatorSession,
  describeOperatorSession,
  endOperatorSession,
  listOperatorSessions,
  openInvitedSession,
} from '../../../domain/operators/sessions.ts';
import { byId, type Route } from '../../route.ts';
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
      const { secret, session } = await openInvitedSession(ctx, body);
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
    whileEnrolling: true,
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
    whileEnrolling: true,
    output: z.null(),
    audit: 'in_verb',
    async verb(ctx) {
      await closeOperatorSession(ctx);
      ctx.http.sessionCookie(null);
      return null;
    },
  }),
  operatorRoute({
    method: 'GET',
    path: '/sessions',
    who: 'operator',
    needs: 'read',
    kind: 'query',
    summary: 'List your open sessions, or everybody’s if you manage people',
    output: operatorSessionsOutput,
    verb: (ctx) => listOperatorSessions(ctx),
  }),
  operatorRoute({
    method: 'POST',
    path: '/sessions/{id}/end',
    who: 'operator',
    needs: 'read',
    kind: 'command',
    summary: 'End a session',
    params: byId,
    output: z.null(),
    audit: 'in_verb',
    verb: (ctx, { params }) => endOperatorSession(ctx, params),
  }),
];
