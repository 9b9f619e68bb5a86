import { z } from 'zod';
import { origin } from '../primitives.ts';

export const allowedOriginsInput = z.strictObject({
  allowed_origins: z.array(origin).max(20),
});
export const allowedOriginsOutput = z.object({ allowed_origins: z.array(z.string()) });

export const webhookPortalUrlQuery = z.strictObject({
  read_only: z.enum(['true', 'false']).optional(),
});
export const webhookPortalUrlOutput = z.object({ url: z.string() });
export const revokedOutput = z.object({ revoked: z.int() });

/** The one click behind a portal link: its secret for a session cookie. */
export const portalSessionInput = z.strictObject({ secret: z.string().min(1).max(200) });
export const portalSessionOutput = z.object({
  pms: z.string(),
  environment: z.enum(['sandbox', 'production']),
  read_only: z.boolean(),
  expires_at: z.iso.datetime(),
});
