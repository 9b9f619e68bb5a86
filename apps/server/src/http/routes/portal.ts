import {
  auditLogOutput,
  auditLogQuery,
  portalSessionInput,
  portalSessionOutput,
} from '@svc/contract';
import { z } from 'zod';
import {
  closePortalSession,
  describePortalSession,
  listAudit,
  openPortalSession,
} from '../../domain/index.ts';
import { type Route, route } from '../route.ts';

const portal = { path: '/portal/session', tag: 'Webhook portal', internal: true } as const;

export const portalRoutes: readonly Route[] = [
  route({
    ...portal,
    method: 'POST',
    who: 'anyone',
    kind: 'command',
    summary: 'Open a session with a link’s secret',
    body: portalSessionInput,
    output: portalSessionOutput,
    async verb(ctx, { body }) {
      const { secret, session } = await openPortalSession(ctx, body);
      ctx.http.portalCookie(secret, session.expires_at);
      return session;
    },
  }),
  route({
    ...portal,
    method: 'GET',
    who: 'portal',
    kind: 'query',
    summary: 'Whose session is open',
    output: portalSessionOutput,
    verb: (ctx) => describePortalSession(ctx),
  }),
  route({
    ...portal,
    method: 'DELETE',
    who: 'portal',
    kind: 'command',
    summary: 'Sign out',
    readOnlyMay: true,
    output: z.null(),
    async verb(ctx) {
      await closePortalSession(ctx);
      ctx.http.portalCookie(null);
      return null;
    },
  }),
  route({
    method: 'GET',
    path: '/webhooks/audit_log',
    who: 'key_or_portal',
    kind: 'query',
    tag: 'Webhooks',
    summary: 'List who did what to the webhooks, newest first',
    query: auditLogQuery,
    output: auditLogOutput,
    verb: (ctx, { query }) => listAudit(ctx, ctx.actor.partnerId, query),
  }),
];
