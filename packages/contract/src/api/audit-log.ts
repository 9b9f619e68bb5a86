import { z } from 'zod';
import { exampleIds, extensible, field, loggedField, named } from '../describe-schema.ts';
import { instant, listByIdQuery, listOf } from '../primitives.ts';

/** The actions that the audit log records. Each entry is written in the transaction of the change. */
export const auditActions = [
  'endpoint.created',
  'endpoint.updated',
  'endpoint.deleted',
  'secret.revealed',
  'secret.rotated',
  'secret.key_pair_rotated',
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
  'portal.token_created',
  'settlement.updated',
  'settlement.returned',
  'settlement.refunded',
  'settlement.reopened',
  'payout.scheduled',
  'payout.created',
  'payout.adjusted',
  'payout.updated',
  'payment.refunded',
  'payment.returned',
  'payment.dispute_booked',
  'plan.payment_moved',
  'plan.canceled',
  'plan.fee_waived',
  'collections.paused',
  'collections.resumed',
  'key.created',
  'key.link_opened',
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
  'partner.certification_started',
  'partner.certification_finished',
  'mail.printed',
  'mail.sent_on_paper',
  'mail.resent',
  'tenant.exported',
  'tenant.erased',
  'tenant.notices_on_paper',
] as const;

export type AuditAction = (typeof auditActions)[number];
type AuditGroup = AuditAction extends `${infer Group}.${string}` ? Group : never;

/** The part of each action before the dot. */
export const auditGroups = [
  ...new Set(auditActions.map((action) => action.split('.', 1)[0] as AuditGroup)),
];

const webhooksGroups: readonly AuditGroup[] = [
  'endpoint',
  'secret',
  'test',
  'message',
  'replay',
  'portal',
];
const brandAction = /^partner\.(appearance|logo|font)_/;

/** The actions that a console session with the scope `webhooks` sees: those that it can cause. */
export const webhooksScopeActions = auditActions.filter(
  (action) =>
    webhooksGroups.some((group) => action.startsWith(`${group}.`)) || brandAction.test(action),
);

export const auditEntryOutput = named(
  'AuditEntry',
  'One change, or one look at a secret: what, when, and by which key or person.',
  z.object({
    id: field(z.string(), 'Id of the entry.', exampleIds.audit),
    action: field(
      extensible(z.enum(auditActions)),
      'What was done. More actions may be added.',
      'settlement.updated',
    ),
    occurred_at: field(instant, 'When it was done.', '2026-02-02T15:30:00.000Z'),
    via: field(
      z.enum(['key', 'portal', 'cli']),
      'An API key of the partner, a session of the console, or the operator’s command line.',
      'key',
    ),
    credential_id: field(
      z.string(),
      'The id of the key or the console session; the operator’s user name for `cli`.',
      exampleIds.key,
    ),
    credential: field(
      named(
        'AuditCredential',
        'What identifies the key, session or operator.',
        z.object({
          ends_with: field(
            z.string().nullable(),
            'The last characters of the API key, where known.',
            '4f2a',
          ),
          person: field(
            z.string().nullable(),
            'The name the portal link was made for, or the operator.',
            null,
          ),
          read_only: field(z.boolean(), 'True for a read-only console session.', false),
          since: field(
            instant,
            'When the key was created or the console session opened.',
            '2026-01-02T09:00:00.000Z',
          ),
        }),
      ),
      'What identifies the key, session or operator.',
    ),
    endpoint_id: field(
      z.string().nullable(),
      'The endpoint it is about, if it is about one.',
      null,
    ),
    subject_id: field(
      z.string().nullable(),
      'The message, replay, settlement, payment, key, tenant or test body that was changed or exported.',
      exampleIds.settlement,
    ),
    details: field(
      z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])),
      'The values of the change, such as field names, URLs and counts. Never a secret.',
      { status: 'verified', status_before: 'unverified' },
    ),
    request_id: field(z.string(), 'The `X-Request-Id` of the call.', exampleIds.request),
    address: field(
      z.string().nullable(),
      'The IP address the call came from. Null for the command line and old entries.',
      '203.0.113.9',
    ),
  }),
);
export type AuditEntryOutput = z.infer<typeof auditEntryOutput>;

export const auditLogQuery = z.strictObject({
  ...listByIdQuery('aud'),
  endpoint_id: loggedField(
    z.string().max(100).optional(),
    'Only entries about this endpoint: its id or your `uid`.',
    exampleIds.endpoint,
  ),
  credential_id: loggedField(
    z.string().max(100).optional(),
    'Only entries of this key or session.',
    exampleIds.key,
  ),
  group: loggedField(
    z.enum(auditGroups).optional(),
    'The part of the action before the dot.',
    'settlement',
  ),
});
export const auditLogOutput = listOf(auditEntryOutput);
