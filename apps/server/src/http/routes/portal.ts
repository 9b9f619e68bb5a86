import {
  auditLogOutput,
  auditLogQuery,
  openedKeyOutput,
  openKeyInput,
  openSessionsOutput,
  portalSessionInput,
  portalSessionOutput,
  portalViews,
  revokedOutput,
  testPresetInput,
  testPresetOutput,
  testPresetsOutput,
} from '@svc/contract';
import { z } from 'zod';
import { openKeyLink } from '../../domain/access/key-links.ts';
import { openPortalSession } from '../../domain/access/portal-links.ts';
import {
  closePortalSession,
  describePortalSession,
  listPortalSessions,
  revokePortalSession,
  revokePortalSessions,
} from '../../domain/access/portal-sessions.ts';
import { listAudit } from '../../domain/audit/list.ts';
import {
  listTestPresets,
  removeTestPreset,
  saveTestPreset,
} from '../../domain/partners/test-presets.ts';
import { byId, type Route, route } from '../route.ts';
import { listFilter } from './list-filter.ts';

const portal = { tag: 'Console', internal: true } as const;

const session = [
  route({
    ...portal,
    path: '/portal/session',
    method: 'POST',
    who: 'anyone',
    kind: 'command',
    summary: 'Open a session with the secret of a link',
    body: portalSessionInput,
    output: portalSessionOutput,
    async verb(ctx, { body }) {
      const { secret, session } = await openPortalSession(ctx, body);
      ctx.http.sessionCookie(secret, session.expires_at);
      return session;
    },
  }),
  route({
    ...portal,
    path: '/portal/session',
    method: 'GET',
    who: 'portal_or_anyone',
    views: portalViews,
    kind: 'query',
    summary: 'Read the open session, or null',
    output: portalSessionOutput.nullable(),
    verb: async (ctx) => describePortalSession(ctx),
  }),
  route({
    ...portal,
    path: '/portal/session',
    method: 'DELETE',
    who: 'portal',
    kind: 'command',
    summary: 'Sign out',
    readOnlyMay: true,
    output: z.null(),
    audit: 'in_verb',
    async verb(ctx) {
      await closePortalSession(ctx);
      ctx.http.sessionCookie(null);
      return null;
    },
  }),
  route({
    ...portal,
    path: '/portal/sessions',
    method: 'GET',
    who: 'portal',
    kind: 'query',
    summary: 'List the partner’s open sessions',
    output: openSessionsOutput,
    verb: (ctx) => listPortalSessions(ctx),
  }),
  route({
    ...portal,
    path: '/portal/sessions',
    method: 'DELETE',
    who: 'portal',
    kind: 'command',
    summary: 'Sign everyone out, this browser too',
    output: revokedOutput,
    audit: 'in_verb',
    async verb(ctx) {
      const revoked = await revokePortalSessions(ctx);
      ctx.http.sessionCookie(null);
      return revoked;
    },
  }),
  route({
    ...portal,
    path: '/portal/sessions/{id}',
    method: 'DELETE',
    who: 'portal',
    kind: 'command',
    summary: 'Sign another browser out',
    params: byId,
    output: z.null(),
    audit: 'in_verb',
    verb: (ctx, { params }) => revokePortalSession(ctx, params),
  }),
];

const handover = [
  route({
    ...portal,
    path: '/portal/key',
    method: 'POST',
    who: 'anyone',
    kind: 'command',
    summary: 'Show an API key with the secret of its link, once',
    body: openKeyInput,
    output: openedKeyOutput,
    verb: (ctx, { body }) => openKeyLink(ctx, body),
  }),
];

const presets = [
  route({
    ...portal,
    path: '/portal/test_presets',
    method: 'GET',
    who: 'portal',
    views: ['webhooks'],
    kind: 'query',
    summary: 'List the saved test bodies',
    output: testPresetsOutput,
    verb: (ctx) => listTestPresets(ctx),
  }),
  route({
    ...portal,
    path: '/portal/test_presets',
    method: 'POST',
    who: 'portal',
    views: ['webhooks'],
    kind: 'command',
    summary: 'Save a test body',
    body: testPresetInput,
    output: testPresetOutput,
    audit: {
      entry: ({ result: { id, name } }) => ({
        action: 'test.preset_saved',
        subject_id: id,
        details: { name },
      }),
    },
    verb: (ctx, { body }) => saveTestPreset(ctx, body),
  }),
  route({
    ...portal,
    path: '/portal/test_presets/{id}',
    method: 'DELETE',
    who: 'portal',
    views: ['webhooks'],
    kind: 'command',
    summary: 'Remove a saved test body',
    params: byId,
    output: z.null(),
    audit: {
      entry: ({ input: { params } }) => ({ action: 'test.preset_removed', subject_id: params.id }),
    },
    verb: (ctx, { params }) => removeTestPreset(ctx, params),
  }),
];

export const portalRoutes: readonly Route[] = [
  ...session,
  ...handover,
  ...presets,
  route({
    method: 'GET',
    path: '/webhooks/audit_log',
    who: 'key_or_portal',
    keyScope: 'read',
    kind: 'query',
    tag: 'Partner',
    summary: 'Read the audit log',
    docs: {
      id: 'listAuditLog',
      description:
        'Returns who changed what and when, newest first: endpoints, messages, settlements, keys, allowed origins, brand. Each look at a signing secret is listed, too. A console session with the scope `webhooks` gets the entries about webhooks and the brand.',
      errors: ['endpoint_not_found'],
      node: 'svc.webhooks.auditLog()',
    },
    query: auditLogQuery,
    output: auditLogOutput,
    verb: async (ctx, { query }) => listAudit(ctx, ctx.actor, await listFilter(ctx, query)),
  }),
];
