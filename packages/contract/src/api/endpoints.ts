import { z } from 'zod';
import { exampleIds, field, loggedField, named } from '../describe-schema.ts';
import { eventTypeOrGroup } from '../event-types.ts';
import { payloadFilter, payloadFilterOutput } from '../payload-filter.ts';
import { atMost, instant, metadata, text, visibleText } from '../primitives.ts';

const headerName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, {
  error: 'must be an HTTP header name',
});
const headerValue = z
  .string()
  .max(1000)
  .regex(/^[\x20-\x7e]*$/, { error: 'must be visible ASCII' });

const auth = named(
  'EndpointAuthInput',
  'How we authenticate to your endpoint, in addition to the signature.',
  z.discriminatedUnion('type', [
    named(
      'NoAuthInput',
      'No credentials.',
      z.strictObject({ type: loggedField(z.literal('none'), 'Always `none`.', 'none') }),
    ),
    named(
      'BasicAuthInput',
      'HTTP basic authentication.',
      z.strictObject({
        type: loggedField(z.literal('basic'), 'Always `basic`.', 'basic'),
        username: field(text(200, { without: ':' }), 'The user name.', 'svc'),
        password: field(
          text(500),
          'The password. It is stored encrypted and never returned.',
          'correct horse',
        ),
      }),
    ),
    named(
      'HeaderAuthInput',
      'A header with a secret value.',
      z.strictObject({
        type: loggedField(z.literal('header'), 'Always `header`.', 'header'),
        name: field(headerName, 'The name of the header.', 'X-Portal-Token'),
        value: field(
          headerValue.min(1),
          'The value of the header. It is stored encrypted and never returned.',
          'token-1234',
        ),
      }),
    ),
  ]),
  { type: 'none' },
);

export const channel = z.string().regex(/^[A-Za-z0-9_.:-]{1,100}$/, {
  error: 'must be letters, digits and _ . : -',
});

const endpointState = named(
  'EndpointState',
  'A disabled endpoint receives nothing; its messages are held until it is enabled again.',
  z.enum(['enabled', 'disabled']),
  'enabled',
);
const mostHeaders = 20;

const endpointFields = {
  url: field(
    z.string().trim().min(1).max(2048),
    'An https URL; http in the sandbox only.',
    'https://portal.example/api/svc/webhooks',
  ),
  description: field(visibleText(500).nullish(), 'A note for people.', 'Ledger service'),
  event_types: loggedField(
    z.array(eventTypeOrGroup).min(1).max(100).nullish(),
    'The event types to deliver, or groups such as `plan.*`. Null or left out: all.',
    ['plan.*', 'settlement.created'],
  ),
  channels: loggedField(
    z.array(channel).min(1).max(10).nullish(),
    'Deliver only messages that were published to one of these channels.',
    ['ledger'],
  ),
  filter: field(
    payloadFilter.nullish(),
    'Deliver only messages whose body meets all of these conditions. Others are recorded as `skipped` with the reason `filtered`. Null or left out: all messages.',
    [{ field: 'data.product_variant', equals: 'hoa' }],
  ),
  uid: loggedField(
    z
      .string()
      .regex(/^(?!ep_)[A-Za-z0-9_.-]{1,100}$/, {
        error: 'must be letters, digits and _ . -, and not begin with ep_',
      })
      .nullish(),
    'Your name for the endpoint, accepted wherever its id is.',
    'ledger',
  ),
  auth: field(auth.optional(), 'How we authenticate to your endpoint. Default: `none`.'),
  headers: field(
    atMost(mostHeaders, 'headers', z.record(headerName, headerValue)).optional(),
    'Sent with each webhook. Headers that the delivery or the signature sets are refused.',
    { 'X-Team': 'ledger' },
  ),
  secret: field(
    z
      .string()
      .regex(/^whsec_[A-Za-z0-9+/]{22,86}={0,2}$/, {
        error:
          'must be "whsec_" and the base64 of 16 to 64 random bytes; leave it out to have one generated',
      })
      .optional(),
    'A secret of another system to keep using. Generated if left out.',
  ),
  throttle_per_second: loggedField(
    z.int().min(1).max(10_000).nullish(),
    'The most messages per second to send. Null or left out: no limit.',
    100,
  ),
  disable_on_gone: loggedField(
    z.boolean().optional(),
    'True to disable the endpoint when it answers 410 Gone.',
    true,
  ),
  honor_retry_after: loggedField(
    z.boolean().optional(),
    'True to wait longer before the next attempt when a failed response has `Retry-After`: seconds or an HTTP date, at most 24 hours. The wait is never shorter than the schedule’s. Default: false.',
    true,
  ),
  ordered: loggedField(
    z.boolean().optional(),
    'True to get the messages about each tenant one after another, in the order of their events: the next one is sent when the one before has succeeded or is exhausted. Messages without `external_id` are sent at once. Default: false.',
    false,
  ),
  asymmetric_signature: loggedField(
    z.boolean().optional(),
    'True to sign webhooks with an ed25519 key pair of the endpoint as well (`v1a`), in addition to the secret. False deletes the key pair. Default: false.',
    true,
  ),
  metadata: field(
    metadata.nullish(),
    'Your own facts about the endpoint, such as its team. Replaced as a whole.',
    { team: 'ledger' },
  ),
};

export const createEndpointInput = named(
  'EndpointInput',
  'A URL of yours that receives webhooks.',
  z.strictObject({
    ...endpointFields,
    state: loggedField(
      endpointState.optional(),
      'With `disabled`, nothing is sent until you enable the endpoint; its messages are held. Default: `enabled`.',
    ),
  }),
);
/** `held` decides what happens to held messages when an endpoint is enabled again. */
export const updateEndpointInput = named(
  'EndpointUpdate',
  'The settings to change. Omitted fields stay as they are; null clears a setting.',
  z.strictObject({
    ...endpointFields,
    url: field(endpointFields.url.optional(), 'An https URL; http in the sandbox only.'),
    secret: field(
      z.never().optional(),
      'Not accepted here. Create a new secret with `rotateEndpointSecret`.',
    ),
    state: loggedField(endpointState.optional(), 'Enables or disables the endpoint.'),
    held: loggedField(
      z.enum(['release', 'skip']).optional(),
      'When you enable the endpoint: send the messages that were held (`release`, the default) or skip them.',
      'release',
    ),
  }),
);
export type CreateEndpointInput = z.infer<typeof createEndpointInput>;
export type UpdateEndpointInput = z.infer<typeof updateEndpointInput>;

const publicKeys = z.array(
  named(
    'PublicKey',
    'A public key of an endpoint. It can be published.',
    z.object({
      public_key: field(
        z.string(),
        'Verify `v1a` signatures with it: `whpk_` and the base64 of an ed25519 public key.',
        'whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=',
      ),
      expires_at: field(
        instant.nullable(),
        'When its private key stops signing, after a rotation. Null for the current key.',
        null,
      ),
    }),
  ),
);

export const publicKeysOutput = named(
  'PublicKeys',
  'The public keys of an endpoint.',
  z.object({ public_keys: field(publicKeys, 'The keys that sign now, newest first.') }),
);

export const endpointOutput = named(
  'Endpoint',
  'A URL of yours that receives webhooks. Secrets and header values are never part of it.',
  z.object({
    id: field(z.string(), 'Id of the endpoint.', exampleIds.endpoint),
    uid: field(z.string().nullable(), 'Your name for the endpoint, if it has one.', 'ledger'),
    url: field(z.string(), 'Where webhooks are sent.', 'https://portal.example/api/svc/webhooks'),
    description: field(z.string().nullable(), 'A note for people.', 'Ledger service'),
    event_types: field(
      z.array(z.string()).nullable(),
      'The event types and groups that it receives. Null for all.',
      ['plan.*', 'settlement.created'],
    ),
    channels: field(
      z.array(z.string()).nullable(),
      'Only messages to one of these channels are delivered. Null for all.',
      null,
    ),
    filter: field(
      payloadFilterOutput.nullable(),
      'Only messages whose body meets all of these conditions are delivered. Null for all.',
      null,
    ),
    auth: field(
      named(
        'EndpointAuth',
        'How we authenticate to the endpoint, without the secret part.',
        z.object({
          type: field(z.enum(['none', 'basic', 'header']), 'The kind of authentication.', 'basic'),
          username: field(z.string().optional(), 'The user name, for `basic`.', 'svc'),
          name: field(z.string().optional(), 'The name of the header, for `header`.'),
        }),
      ),
      'How we authenticate to the endpoint, without the secret part.',
    ),
    header_names: field(z.array(z.string()), 'The names of the headers that you added.', [
      'X-Team',
    ]),
    throttle_per_second: field(
      z.int().nullable(),
      'The most messages per second. Null: no limit.',
      null,
    ),
    disable_on_gone: field(z.boolean(), 'True if a 410 Gone disables the endpoint.', true),
    honor_retry_after: field(
      z.boolean(),
      'True if `Retry-After` in a failed response can lengthen the wait before the next attempt.',
      true,
    ),
    ordered: field(
      z.boolean(),
      'True if the messages about each tenant are sent one after another, in the order of their events.',
      false,
    ),
    asymmetric_signature: field(
      z.boolean(),
      'True if webhooks are also signed with an ed25519 key pair (`v1a`).',
      true,
    ),
    public_keys: field(
      publicKeys,
      'The keys with which `v1a` signatures verify, newest first. Empty without a key pair.',
    ),
    metadata: field(z.record(z.string(), z.string()), 'Your own facts about the endpoint.', {
      team: 'ledger',
    }),
    state: endpointState,
    disabled_reason: field(
      z.string().nullable(),
      'Why it is disabled: `by_owner`, `failing` (every attempt failed for five days) or `gone` (it answered 410). Null while it is enabled.',
      null,
    ),
    held_count: field(
      z.int(),
      'Messages that are held until the endpoint is enabled; 10,000 means that many or more.',
      0,
    ),
    previous_secret_expires_at: field(
      instant.nullable(),
      'Until then webhooks are also signed with the secret from before the last rotation.',
      null,
    ),
    failing_since: field(
      instant.nullable(),
      'End of the first failed attempt since the last success.',
      null,
    ),
    disables_at: field(
      instant.nullable(),
      'The first failed attempt after this time disables the endpoint. A success before it clears this.',
      null,
    ),
    created_at: field(instant, 'When it was created.', '2026-01-15T10:00:00.000Z'),
  }),
);
export type EndpointOutput = z.infer<typeof endpointOutput>;

export const secretOutput = named(
  'EndpointSecret',
  'The signing secret of an endpoint. Keep it on your backend.',
  z.object({
    secret: field(
      z.string(),
      'Verify webhooks with it: `whsec_` and the base64 of the key.',
      'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    ),
    previous: field(
      z.array(
        named(
          'PreviousSecret',
          'A secret from before a rotation that still signs.',
          z.object({
            expires_at: field(instant, 'When it stops signing.', '2026-02-02T10:00:00.000Z'),
          }),
        ),
      ),
      'Secrets from before a rotation that still sign, too. Their values are not returned.',
      [],
    ),
  }),
);
export const rotateSecretInput = named(
  'SecretRotation',
  'How long the old secret keeps signing.',
  z.strictObject({
    overlap_seconds: loggedField(
      z.int().min(0).max(604_800).default(86_400),
      'For so many seconds webhooks are signed with the old secret, too. 0 ends it at once.',
      86_400,
    ),
  }),
);

export const filterPreviewInput = named(
  'FilterPreviewInput',
  'A filter to try on messages of the past.',
  z.strictObject({
    filter: field(payloadFilter, 'The conditions to try.', [
      { field: 'data.product_variant', equals: 'hoa' },
    ]),
    event_types: endpointFields.event_types,
    channels: endpointFields.channels,
  }),
);

const previewedMessages = z.array(
  named(
    'PreviewedMessage',
    'A message that a filter was tried on.',
    z.object({
      id: field(z.string(), 'Id of the message.', exampleIds.message),
      event_type: field(z.string(), 'The event type.', 'plan.created'),
      external_id: field(z.string().nullable(), 'The tenant it is about.', 't-100'),
      created_at: field(instant, 'When it was created.', '2026-02-01T18:00:01.000Z'),
    }),
  ),
);

export const filterPreviewOutput = named(
  'FilterPreview',
  'What a filter lets through of your newest messages that the types and channels select.',
  z.object({
    checked: field(z.int(), 'How many messages were checked: the newest 500 at most.', 120),
    matched: field(z.int(), 'How many of them match.', 7),
    since: field(
      instant.nullable(),
      'When the oldest of them was created.',
      '2026-01-15T10:00:00.000Z',
    ),
    matching: field(previewedMessages, 'The newest messages that match; at most five.'),
    others: field(previewedMessages, 'The newest messages that do not; at most five.'),
    warnings: field(
      z.array(z.string()),
      'What is probably a mistake, such as a filter that matches nothing.',
      [],
    ),
  }),
);
export type FilterPreviewInput = z.infer<typeof filterPreviewInput>;
export type FilterPreviewOutput = z.infer<typeof filterPreviewOutput>;
