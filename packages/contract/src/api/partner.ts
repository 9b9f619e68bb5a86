import { z } from 'zod';
import { environment, origin, pms, queryBoolean, visibleText } from '../primitives.ts';

export const partnerOutput = z.object({
  pms: pms.describe('The name of your portal, as in the widget’s setting `pms`.'),
  environment: environment.describe('The environment of this service and of its API keys.'),
});
export type PartnerOutput = z.infer<typeof partnerOutput>;

export const allowedOriginsInput = z.strictObject({
  allowed_origins: z.array(origin).max(20),
});
export const allowedOriginsOutput = z.object({ allowed_origins: z.array(z.string()) });

export const webhookPortalUrlQuery = z.strictObject({
  read_only: queryBoolean.optional(),
  person: visibleText(100)
    .describe('The person the link is for, such as a name. Appears in the audit log.')
    .optional(),
});
export const webhookPortalUrlOutput = z.object({ url: z.string() });
export const revokedOutput = z.object({ revoked: z.int() });
