import { z } from 'zod';
import { eventTypeName } from '../event-types.ts';
import { environment, instant, listOf, visibleText } from '../primitives.ts';
import { portalScope, portalView } from './partner.ts';

/** Exchanges the secret of a portal link for a session cookie. */
export const portalSessionInput = z.strictObject({ secret: z.string().min(1).max(200) });
export const portalSessionOutput = z.object({
  id: z.string(),
  pms: z.string(),
  environment,
  read_only: z.boolean(),
  scope: portalScope,
  view: portalView
    .nullable()
    .describe('The only view that a session in a frame reaches. Null for the whole console.'),
  external_id: z.string().nullable().describe('The only tenant of the view `tenant_plan`.'),
  person: z.string().nullable(),
  expires_at: instant.describe('The latest end. It ends earlier after 30 minutes without use.'),
});

/** The secret of a link that shows an API key once. */
export const openKeyInput = z.strictObject({ secret: z.string().min(1).max(200) });
export const openedKeyOutput = z.object({
  pms: z.string(),
  environment,
  api_url: z.string().describe('The base address of the API.'),
  key_id: z.string(),
  api_key: z.string(),
});
export type OpenedKeyOutput = z.infer<typeof openedKeyOutput>;

/** One of the partner's open console sessions. */
export const openSessionOutput = z.object({
  id: z.string(),
  person: z
    .string()
    .nullable()
    .describe('The person the link was created for, if your backend named one.'),
  read_only: z.boolean(),
  scope: portalScope,
  view: portalView.nullable(),
  opened_at: instant,
  expires_at: instant.describe('The latest end. It ends earlier after 30 minutes without use.'),
  api_keys: z
    .array(z.object({ id: z.string(), name: z.string().nullable() }))
    .describe('API keys that were created in this session and still work. They outlive it.'),
});
export const openSessionsOutput = listOf(openSessionOutput);
export type OpenSessionOutput = z.infer<typeof openSessionOutput>;

/** A body saved for test sends. Replaces one with the same name. The text may be incomplete JSON. */
export const testPresetInput = z.strictObject({
  name: visibleText(60),
  event_type: eventTypeName,
  body: z
    .string()
    .refine((body) => new TextEncoder().encode(body).length <= 65_536, {
      error: 'must be at most 64 KiB',
    })
    .refine((body) => body.isWellFormed() && !body.includes('\0'), {
      error: 'must be well-formed Unicode without U+0000',
    }),
});
export const testPresetOutput = z.object({
  id: z.string(),
  name: z.string(),
  event_type: z.string(),
  body: z.string(),
  saved_at: instant,
});
export const testPresetsOutput = listOf(testPresetOutput);
export type TestPresetInput = z.input<typeof testPresetInput>;
export type TestPresetOutput = z.infer<typeof testPresetOutput>;
