import { z } from 'zod';
import { exampleIds, field, loggedField, named } from '../describe-schema.ts';
import { keyScopes, keyScopeWords } from '../key-scopes.ts';
import { instant, listOf, visibleText } from '../primitives.ts';
import { warning } from './portal-info.ts';

export const keyScope = z.enum(keyScopes);

const shape = {
  id: field(z.string(), 'Id of the key. It is not secret.', exampleIds.key),
  name: field(
    z.string().nullable(),
    'Your name for it. Null for a key that the operator created.',
    'Billing backend',
  ),
  scopes: field(z.array(keyScope), 'What the key may do. `everything` includes all other scopes.', [
    'everything',
  ]),
  prefix: field(z.string(), 'The first characters of the key.', 'svc_sandbox_'),
  ends_with: field(
    z.string().nullable(),
    'The last four characters. Null for a key from before they were stored.',
    '4f2a',
  ),
  state: field(
    z.enum(['live', 'expiring', 'revoked']),
    '`expiring`: replaced by a rotation, and valid until `expires_at`.',
    'live',
  ),
  created_at: field(instant, 'When it was created.', '2026-01-02T09:00:00.000Z'),
  last_used_at: field(
    instant.nullable(),
    'When it was last used, to within one minute.',
    '2026-02-02T15:30:00.000Z',
  ),
  expires_at: field(
    instant.nullable(),
    'The end of its overlap with the key that replaced it.',
    null,
  ),
  revoked_at: field(instant.nullable(), 'When it was revoked, or its overlap ended.', null),
  is_current: field(
    z.boolean(),
    'True for the key of this call, or the one that created the link of this console session.',
    true,
  ),
};
/** What a new key has in addition to an `ApiKey`. */
const created = {
  api_key: field(
    z.string().nullable(),
    'The secret. Store it now: no other response contains it. Null when the call repeats an Idempotency-Key.',
    'svc_sandbox_7soadXDjQwfPIBXDfSpK4iBufUBxmTF2x9brQQQhzfa3AMM9k',
  ),
  warnings: field(
    z.array(warning),
    'Says what to do when the secret is not repeated, with the code `secret_shown_once`.',
    [],
  ),
};

/** An API key without its secret. */
export const apiKeyOutput = named('ApiKey', 'An API key, without its secret.', z.object(shape));
export type ApiKeyOutput = z.infer<typeof apiKeyOutput>;
export const apiKeysOutput = listOf(apiKeyOutput);

export const createApiKeyInput = named(
  'CreateApiKeyInput',
  'A new API key.',
  z.strictObject({
    name: field(visibleText(60), 'Where the key is used.', 'Billing backend'),
    scopes: loggedField(
      z.array(keyScope).min(1).max(keyScopes.length).default(['everything']),
      `What the key may do. ${keyScopes.map((scope) => `\`${scope}\`: ${keyScopeWords[scope]}`).join(' ')} The backend of a page with the widget needs \`widget\` and \`tokens\`.`,
      ['widget', 'tokens'],
    ),
  }),
);
export type CreateApiKeyInput = z.input<typeof createApiKeyInput>;

/** A new key. `api_key` is the secret, which no other response contains, not even to a repeated call. */
export const createdApiKeyOutput = named(
  'CreatedApiKey',
  'A new API key with its secret.',
  z.object({ ...shape, ...created }),
);
export type CreatedApiKeyOutput = z.infer<typeof createdApiKeyOutput>;

const longestOverlapHours = 168;

export const rotateApiKeyInput = named(
  'RotateApiKeyInput',
  'How a key is replaced.',
  z.strictObject({
    overlap_hours: loggedField(
      z.int().min(0).max(longestOverlapHours).default(24),
      'How long the old key stays valid. 0 revokes it at once.',
      24,
    ),
  }),
);
export type RotateApiKeyInput = z.input<typeof rotateApiKeyInput>;

export const rotatedApiKeyOutput = named(
  'RotatedApiKey',
  'The key that replaces another one, with its secret.',
  z.object({
    ...shape,
    ...created,
    replaces: named(
      'ReplacedApiKey',
      'The key that was replaced.',
      z.object({
        id: field(z.string(), 'Id of the old key.', exampleIds.key),
        expires_at: field(instant, 'Until then the old key works.', '2026-02-03T15:30:00.000Z'),
      }),
    ),
  }),
);
export type RotatedApiKeyOutput = z.infer<typeof rotatedApiKeyOutput>;

export const revokedApiKeyOutput = named(
  'RevokedApiKey',
  'A key that no longer works.',
  z.object({
    id: field(z.string(), 'Id of the key.', exampleIds.key),
    revoked_at: field(instant, 'When it stopped working.', '2026-02-02T15:30:00.000Z'),
    sessions_ended: field(
      z.int(),
      'Console sessions that were opened with a link of this key and ended with it.',
      1,
    ),
  }),
);
export type RevokedApiKeyOutput = z.infer<typeof revokedApiKeyOutput>;
