import { z } from 'zod';
import { instant, listOf, visibleText } from '../primitives.ts';

/** An API key without its secret. */
export const apiKeyOutput = z.object({
  id: z.string(),
  name: z.string().nullable().describe('Your name for it. Null for a key the operator created.'),
  prefix: z.string().describe('The first characters, such as `svc_sandbox_`.'),
  ends_with: z
    .string()
    .nullable()
    .describe('The last four characters. Null for a key from before they were stored.'),
  state: z
    .enum(['live', 'expiring', 'revoked'])
    .describe('`expiring`: replaced by a rotation, and valid until `expires_at`.'),
  created_at: instant,
  last_used_at: instant.nullable().describe('To within ten minutes.'),
  expires_at: instant.nullable().describe('The end of its overlap with the key that replaced it.'),
  revoked_at: instant.nullable(),
  is_current: z
    .boolean()
    .describe('The key of this call, or the one that created the link of this portal session.'),
});
export type ApiKeyOutput = z.infer<typeof apiKeyOutput>;
export const apiKeysOutput = listOf(apiKeyOutput);

export const createApiKeyInput = z.strictObject({
  name: visibleText(60).describe('Where the key is used, such as "Billing backend".'),
});
export type CreateApiKeyInput = z.input<typeof createApiKeyInput>;

/** A new key. `api_key` is the secret, which no other response contains. */
export const createdApiKeyOutput = apiKeyOutput.extend({
  api_key: z.string().describe('The secret. Store it now: it is shown only once.'),
});
export type CreatedApiKeyOutput = z.infer<typeof createdApiKeyOutput>;

const longestOverlapHours = 168;

export const rotateApiKeyInput = z.strictObject({
  overlap_hours: z
    .int()
    .min(0)
    .max(longestOverlapHours)
    .default(24)
    .describe('How long the old key stays valid. 0 revokes it at once.'),
});
export type RotateApiKeyInput = z.input<typeof rotateApiKeyInput>;

export const rotatedApiKeyOutput = createdApiKeyOutput.extend({
  replaces: z.object({
    id: z.string(),
    expires_at: instant.describe('Until then the old key works.'),
  }),
});
export type RotatedApiKeyOutput = z.infer<typeof rotatedApiKeyOutput>;

export const revokedApiKeyOutput = z.object({
  id: z.string(),
  revoked_at: instant,
  sessions_ended: z
    .int()
    .describe('Portal sessions that were opened with a link of this key and ended with it.'),
});
export type RevokedApiKeyOutput = z.infer<typeof revokedApiKeyOutput>;
