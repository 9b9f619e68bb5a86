import { z } from 'zod';
import { exampleIds, field, loggedField, named } from '../describe-schema.ts';
import { environment, origin, pms, queryBoolean, visibleText } from '../primitives.ts';

export const partnerOutput = named(
  'Partner',
  'The partner that the API key belongs to.',
  z.object({
    pms: field(pms, 'The name of your portal, as in the widget’s setting `pms`.', 'my-portal'),
    environment: field(
      environment,
      'The environment of this service and of its API keys.',
      'sandbox',
    ),
  }),
);
export type PartnerOutput = z.infer<typeof partnerOutput>;

/** The part of the portal that a link opens. `admin` includes `webhooks`. */
export const portalScopes = ['webhooks', 'admin'] as const;
export const portalScope = z.enum(portalScopes);
export type PortalScope = z.infer<typeof portalScope>;

export const allowedOriginsInput = named(
  'AllowedOriginsInput',
  'The pages that may show the widget.',
  z.strictObject({
    allowed_origins: loggedField(
      z.array(origin).max(20),
      'Exact origins: scheme, host and port, without a path. Replaces the stored list. While it is empty, the sandbox accepts every origin.',
      ['https://portal.example'],
    ),
  }),
);
export const allowedOriginsOutput = named(
  'AllowedOrigins',
  'The pages that may show the widget.',
  z.object({
    allowed_origins: field(z.array(z.string()), 'Exact origins.', ['https://portal.example']),
  }),
);

export const webhookPortalUrlQuery = z.strictObject({
  scope: loggedField(
    portalScope.optional(),
    '`webhooks`: endpoints, messages and replays. `admin`: also the request log, API keys, allowed origins, tenants and settlements. Default: `webhooks`.',
    'admin',
  ),
  read_only: loggedField(
    queryBoolean.optional(),
    '`true` for a session that can change nothing and read no secret.',
    'true',
  ),
  person: field(
    visibleText(100).optional(),
    'The person the link is for, such as a name. Appears in the audit log.',
    'Sam Ortiz',
  ),
});
export const webhookPortalUrlOutput = named(
  'WebhookPortalLink',
  'A link to the console.',
  z.object({
    url: field(
      z.string(),
      'Redirect the person to it. It works once, within 10 minutes; the session then lasts up to 24 hours, or 30 minutes without use.',
      'https://sandbox.svc.example/portal#pl_3f9c2a7d5e',
    ),
  }),
);
export const revokedOutput = named(
  'RevokedSessions',
  'How many sessions were ended.',
  z.object({
    revoked: field(z.int(), 'The number of console sessions that were ended.', 2),
    api_keys: field(
      z.array(
        named(
          'KeyOfSession',
          'An API key that was created in a session of the console.',
          z.object({
            id: field(z.string(), 'Id of the key.', exampleIds.key),
            name: field(z.string().nullable(), 'Its name.', 'Billing backend'),
          }),
        ),
      ),
      'API keys that were created in these sessions and still work. Revoke those that you do not know.',
      [],
    ),
  }),
);
export type RevokedSessionsOutput = z.infer<typeof revokedOutput>;
