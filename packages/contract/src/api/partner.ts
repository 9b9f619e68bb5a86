import { z } from 'zod';
import { field } from '../describe-schema.ts';
import { environment, origin, pms, queryBoolean, visibleText } from '../primitives.ts';

export const partnerOutput = z.object({
  pms: field(pms, 'The name of your portal, as in the widget’s setting `pms`.', 'maple'),
  environment: field(environment, 'The environment of this service and of its API keys.', 'sandbox'),
});
export type PartnerOutput = z.infer<typeof partnerOutput>;

/** The part of the portal that a link opens. `admin` includes `webhooks`. */
export const portalScopes = ['webhooks', 'admin'] as const;
export const portalScope = z.enum(portalScopes);
export type PortalScope = z.infer<typeof portalScope>;

export const allowedOriginsInput = z.strictObject({
  allowed_origins: z.array(origin).max(20),
});
export const allowedOriginsOutput = z.object({ allowed_origins: z.array(z.string()) });

export const webhookPortalUrlQuery = z.strictObject({
  scope: field(
    portalScope.optional(),
    '`webhooks`: endpoints, messages and replays. `admin`: also the request log, API keys, allowed origins, tenants and settlements. Default: `webhooks`.',
    'admin',
  ),
  read_only: queryBoolean.optional(),
  person: visibleText(100)
    .describe('The person the link is for, such as a name. Appears in the audit log.')
    .optional(),
});
export const webhookPortalUrlOutput = z.object({ url: z.string() });
export const revokedOutput = z.object({ revoked: z.int() });
