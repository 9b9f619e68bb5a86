import { z } from 'zod';
import { instant, listOf, listQuery } from '../primitives.ts';

/** What the audit log records, each in the transaction of what it tells of. */
export const auditActions = [
  'endpoint.created',
  'endpoint.updated',
  'endpoint.deleted',
  'secret.revealed',
  'secret.rotated',
  'test.sent',
  'message.published',
  'message.replayed',
  'message.expunged',
  'replay.started',
  'replay.paused',
  'replay.resumed',
  'replay.canceled',
  'portal.link_created',
  'portal.session_opened',
  'portal.session_closed',
  'portal.session_revoked',
  'portal.sessions_revoked',
] as const;

export const auditGroups = ['endpoint', 'secret', 'test', 'message', 'replay', 'portal'] as const;

export const auditEntryOutput = z.object({
  id: z.string(),
  action: z.enum(auditActions),
  occurred_at: instant,
  via: z
    .enum(['key', 'portal'])
    .describe('An API key of the partner, or a session of the webhook portal.'),
  credential_id: z.string().describe('The key’s or the portal session’s id.'),
  credential: z
    .object({
      ends_with: z.string().nullable().describe('The last characters of the API key, where known.'),
      person: z.string().nullable().describe('Whom the portal link was made for.'),
      read_only: z.boolean(),
      since: instant.describe('When the key was made, or the portal session opened.'),
    })
    .describe('What tells it from the partner’s others.'),
  endpoint_id: z.string().nullable(),
  subject_id: z.string().nullable().describe('The message or replay it was done to.'),
  details: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]))
    .describe('What was chosen: names of changed fields, URLs, counts; never a secret.'),
  request_id: z.string(),
});
export type AuditEntryOutput = z.infer<typeof auditEntryOutput>;

export const auditLogQuery = z.strictObject({
  ...listQuery,
  endpoint_id: z.string().max(100).optional(),
  credential_id: z.string().max(100).describe('Only what this key or session did.').optional(),
  group: z.enum(auditGroups).describe('The part of the action before the dot.').optional(),
});
export const auditLogOutput = listOf(auditEntryOutput);
