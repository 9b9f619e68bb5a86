import { z } from 'zod';
import { keyScope } from '../api/api-keys.ts';
import { fontNames } from '../appearance.ts';
import { environment, instant } from '../primitives.ts';

export const operatorPartnerOfPath = z.strictObject({ pms: z.string().min(1).max(100) });

export const operatorPartnersOutput = z.object({
  items: z.array(
    z.object({
      pms: z.string(),
      name: z.string(),
      created_at: instant,
      live_keys: z.int(),
      last_used_at: instant.nullable().describe('When any of its keys was last used.'),
      endpoints: z.int(),
      failing_endpoints: z.int(),
    }),
  ),
});
export type OperatorPartnersOutput = z.infer<typeof operatorPartnersOutput>;

const partnerKey = z.object({
  id: z.string(),
  name: z.string().nullable().describe('The partner’s name for it.'),
  ends_with: z.string().nullable(),
  scopes: z.array(keyScope).describe('What the key may do.'),
  created_at: instant,
  last_used_at: instant.nullable().describe('To within one minute.'),
  state: z.enum(['live', 'expiring', 'revoked']),
  expires_at: instant.nullable().describe('When a rotated key stops working.'),
  revoked_at: instant.nullable(),
  link: z
    .object({ expires_at: instant, opened_at: instant.nullable() })
    .nullable()
    .describe('The link with which it was handed over.'),
});
export type OperatorPartnerKey = z.infer<typeof partnerKey>;

const partnerEndpoint = z.object({
  id: z.string(),
  url: z.string(),
  description: z.string().nullable(),
  state: z.enum(['enabled', 'disabled']),
  disabled_reason: z.string().nullable(),
  failing_since: instant.nullable(),
  secret_created_at: instant.nullable(),
});
export type OperatorPartnerEndpoint = z.infer<typeof partnerEndpoint>;

export const operatorPartnerOutput = z.object({
  pms: z.string(),
  name: z.string(),
  id: z.string(),
  created_at: instant,
  environment,
  allowed_origins: z.array(z.string()),
  keys: z.array(partnerKey).describe('Those that work first, then the newest. At most 100.'),
  endpoints: z.array(partnerEndpoint),
  appearance: z.object({
    accent: z.string().nullable(),
    radius: z.int().nullable(),
    font: z.enum(fontNames).nullable(),
    theme: z.enum(['light', 'dark', 'auto']),
    logo: z
      .object({ url: z.string(), width: z.int(), height: z.int() })
      .nullable()
      .describe('As a data URL, because the console’s pages load nothing of another origin.'),
    has_font_file: z.boolean(),
  }),
});
export type OperatorPartnerOutput = z.infer<typeof operatorPartnerOutput>;

export const controlsQuery = z.strictObject({ pms: z.string().max(100).optional() });
export const controlsOutput = z.object({
  runbook: z.string().describe('The address of the page about stopping and pausing.'),
  money: z.object({
    stopped_at: instant.nullable(),
    stopped_by: z.string().nullable(),
    reason: z.string().nullable(),
  }),
  pauses: z.array(
    z.object({
      pms: z.string(),
      scope: z.enum(['partner', 'property', 'tenant']),
      subject: z.string().describe('The id of the property or tenant in the portal.'),
      started_at: instant,
      started_by: z.string(),
      reason: z.string(),
    }),
  ),
});
export type ControlsOutput = z.infer<typeof controlsOutput>;

export const secretsOutput = z.object({
  runbook: z.string().describe('The address of the page that says how to replace the secret key.'),
  secret_key: z
    .object({
      keys: z.int().describe('How many keys SVC_SECRET_KEY has. One, unless it is being replaced.'),
      replaced_at: instant
        .nullable()
        .describe('When `secret rotate` last ran, in what the audit log keeps.'),
      first_used_at: instant.nullable().describe('When the first partner was created.'),
    })
    .nullable()
    .describe('Null for a person who is limited to some portals.'),
  items: z
    .array(
      z.object({
        kind: z.enum(['api_key', 'webhook_secret']),
        pms: z.string(),
        id: z.string(),
        name: z.string().describe('The key’s name and end, or the endpoint’s URL.'),
        created_at: instant,
        last_used_at: instant.nullable(),
      }),
    )
    .describe('Those that work, the oldest first. At most 200.'),
});
export type SecretsOutput = z.infer<typeof secretsOutput>;
