import { z } from 'zod';
import { instant, listOf, listQuery } from '../primitives.ts';

/** The actions that the audit log records. Each entry is written in the transaction of the change. */
export const auditActions = [
  'endpoint.created',
  'endpoint.updated',
  'endpoint.deleted',
  'secret.revealed',
  'secret.rotated',
  'test.sent',
  'test.preset_saved',
  'test.preset_removed',
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
  'settlement.updated',
  'settlement.returned',
  'settlement.refunded',
  'settlement.reopened',
  'payment.refunded',
  'payment.returned',
  'collections.paused',
  'collections.resumed',
  'key.created',
  'key.rotated',
  'key.revoked',
  'partner.created',
  'partner.origins_changed',
  'partner.appearance_changed',
  'partner.logo_uploaded',
  'partner.logo_removed',
  'partner.font_uploaded',
  'partner.font_removed',
  'partner.doctor_run',
  'partner.go_live_marked',
  'tenant.exported',
  'tenant.erased',
] as const;

export type AuditAction = (typeof auditActions)[number];
type AuditGroup = AuditAction extends `${infer Group}.${string}` ? Group : never;

/** The part of each action before the dot. */
export const auditGroups = [
  ...new Set(auditActions.map((action) => action.split('.', 1)[0] as AuditGroup)),
];

export const auditEntryOutput = z.object({
  id: z.string(),
  action: z.enum(auditActions),
  occurred_at: instant,
  via: z
    .enum(['key', 'portal', 'cli'])
    .describe(
      'An API key of the partner, a session of the webhook portal, or the operator’s command line.',
    ),
  credential_id: z
    .string()
    .describe('The id of the key or the portal session; the operator’s user name for `cli`.'),
  credential: z
    .object({
      ends_with: z.string().nullable().describe('The last characters of the API key, where known.'),
      person: z
        .string()
        .nullable()
        .describe('The name the portal link was made for, or the operator.'),
      read_only: z.boolean(),
      since: instant.describe('When the key was created or the portal session opened.'),
    })
    .describe('What identifies the key, session or operator.'),
  endpoint_id: z.string().nullable(),
  subject_id: z
    .string()
    .nullable()
    .describe(
      'The message, replay, settlement, payment, key, tenant or test body that was changed or exported.',
    ),
  details: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]))
    .describe('The values of the change, such as field names, URLs and counts. Never a secret.'),
  request_id: z.string(),
  address: z
    .string()
    .nullable()
    .describe('The IP address the call came from. Null for the command line and old entries.'),
});
export type AuditEntryOutput = z.infer<typeof auditEntryOutput>;

export const auditLogQuery = z.strictObject({
  ...listQuery,
  endpoint_id: z.string().max(100).optional(),
  credential_id: z.string().max(100).describe('Only entries of this key or session.').optional(),
  group: z.enum(auditGroups).describe('The part of the action before the dot.').optional(),
});
export const auditLogOutput = listOf(auditEntryOutput);
