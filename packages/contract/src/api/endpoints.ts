import { z } from 'zod';
import { eventTypeOrGroup } from '../event-types.ts';
import { instant, metadata, text, visibleText } from '../primitives.ts';

const headerName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, {
  error: 'must be an HTTP header name',
});
const headerValue = z
  .string()
  .max(1000)
  .regex(/^[\x20-\x7e]*$/, { error: 'must be visible ASCII' });

const auth = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('none') }),
  z.strictObject({
    type: z.literal('basic'),
    username: text(200, { without: ':' }),
    password: text(500),
  }),
  z.strictObject({ type: z.literal('header'), name: headerName, value: headerValue.min(1) }),
]);

export const channel = z.string().regex(/^[A-Za-z0-9_.:-]{1,100}$/, {
  error: 'must be letters, digits and _ . : -',
});

const endpointState = z.enum(['enabled', 'disabled']);
const mostHeaders = 20;

const endpointFields = {
  url: z.string().min(1).max(2048).describe('An https URL; http in the sandbox only.'),
  description: visibleText(500).nullish(),
  event_types: z.array(eventTypeOrGroup).min(1).max(100).nullish(),
  channels: z
    .array(channel)
    .min(1)
    .max(10)
    .nullish()
    .describe('Deliver only messages that were published to one of these channels.'),
  uid: z
    .string()
    .regex(/^(?!ep_)[A-Za-z0-9_.-]{1,100}$/, {
      error: 'must be letters, digits and _ . -, and not begin with ep_',
    })
    .nullish()
    .describe('Your name for the endpoint, accepted wherever its id is.'),
  auth: auth.optional(),
  headers: z
    .record(headerName, headerValue)
    .refine((headers) => Object.keys(headers).length <= mostHeaders, {
      error: `must be at most ${mostHeaders} headers`,
    })
    .meta({ maxProperties: mostHeaders })
    .describe(
      'Sent with each webhook. Headers that the delivery or the signature sets are refused.',
    )
    .optional(),
  secret: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]{22,86}={0,2}$/, {
      error:
        'must be "whsec_" and the base64 of 16 to 64 random bytes; leave it out to have one generated',
    })
    .describe('A secret of another system to keep using. Generated if left out.')
    .optional(),
  throttle_per_second: z.int().min(1).max(10_000).nullish(),
  disable_on_gone: z.boolean().optional(),
  metadata: metadata
    .nullish()
    .describe('Your own facts about the endpoint, such as its team. Replaced as a whole.'),
};

export const createEndpointInput = z.strictObject(endpointFields);
/** `held` decides what happens to held messages when an endpoint is enabled again. */
export const updateEndpointInput = z.strictObject({
  ...endpointFields,
  url: endpointFields.url.optional(),
  secret: z.never().optional(),
  state: endpointState.optional(),
  held: z.enum(['release', 'skip']).optional(),
});
export type CreateEndpointInput = z.infer<typeof createEndpointInput>;
export type UpdateEndpointInput = z.infer<typeof updateEndpointInput>;

export const endpointOutput = z.object({
  id: z.string(),
  uid: z.string().nullable(),
  url: z.string(),
  description: z.string().nullable(),
  event_types: z.array(z.string()).nullable(),
  channels: z.array(z.string()).nullable(),
  auth: z.object({
    type: z.enum(['none', 'basic', 'header']),
    username: z.string().optional(),
    name: z.string().optional(),
  }),
  header_names: z.array(z.string()),
  throttle_per_second: z.int().nullable(),
  disable_on_gone: z.boolean(),
  metadata: z.record(z.string(), z.string()),
  state: endpointState,
  disabled_reason: z.string().nullable(),
  held_count: z
    .int()
    .describe(
      'Messages that are held until the endpoint is enabled; 10,000 means that many or more.',
    ),
  previous_secret_expires_at: instant
    .nullable()
    .describe('Until then webhooks are also signed with the secret from before the last rotation.'),
  failing_since: instant
    .nullable()
    .describe('End of the first failed attempt since the last success.'),
  disables_at: instant
    .nullable()
    .describe(
      'The first failed attempt after this time disables the endpoint. A success before it clears this.',
    ),
  created_at: instant,
});
export type EndpointOutput = z.infer<typeof endpointOutput>;

export const secretOutput = z.object({
  secret: z.string(),
  previous: z.array(z.object({ expires_at: instant })),
});
export const rotateSecretInput = z.strictObject({
  overlap_seconds: z.int().min(0).max(604_800).default(86_400),
});
