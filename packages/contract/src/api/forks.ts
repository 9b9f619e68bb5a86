import { z } from 'zod';
import { exampleIds, field, loggedField, named } from '../describe-schema.ts';
import { failureCodes } from '../payment-failures.ts';
import { cents, externalId, instant, productVariant } from '../primitives.ts';
import { planOutput } from './plans.ts';
import { simulationOutput, underwritingResult } from './simulation.ts';

const codes = Object.keys(failureCodes) as [keyof typeof failureCodes];

/** The most calls about a tenant that the sandbox keeps, so that a fork can repeat them. */
export const mostRecordedCalls = 400;

export const forkChange = named(
  'ForkChange',
  'The fact that is different from now on. Pass one of the fields.',
  z
    .strictObject({
      fail_next_payment: loggedField(
        z.enum(codes).optional(),
        'The next payment fails with this code.',
        'R01',
      ),
      advance_clock: loggedField(
        z
          .string()
          .max(8)
          .regex(/^P(\d{1,3}[DW]|\d{1,2}M)$/, { error: 'must be a duration such as P30D or P1M' })
          .optional(),
        'The clock moves on by this duration, and what falls due on the way happens.',
        'P30D',
      ),
      underwriting_result: underwritingResult.optional(),
      terms_version: loggedField(
        z.string().min(1).max(100).optional(),
        'The next plan is offered under this version of the program’s terms.',
        'default-2026-11',
      ),
    })
    .refine((change) => Object.keys(change).length === 1, {
      error: 'pass exactly one of the fields',
    }),
  { fail_next_payment: 'R01' },
);
export type ForkChange = z.infer<typeof forkChange>;

export const forkInput = named(
  'ForkInput',
  'Where the copy begins, and what is different in it.',
  z.strictObject({
    at: loggedField(
      z.string().max(100).optional(),
      'The id of a webhook about the tenant. The copy is as the tenant was right after it. Default: as the tenant is now.',
      exampleIds.message,
    ),
    change: forkChange.optional(),
    deliver_webhooks: loggedField(
      z.boolean().default(false),
      'Whether webhooks about the copy are sent to your endpoints. Without it they are only stored.',
      false,
    ),
  }),
);
export type ForkInput = z.output<typeof forkInput>;

export const forkOutput = named(
  'Fork',
  'A copy of a tenant that was made by repeating the calls about the tenant.',
  z.object({
    external_id: field(externalId, 'The copy.', 't-100~fork-1'),
    forked_from: field(externalId, 'The tenant that was copied.', 't-100'),
    at: field(
      z.string().nullable(),
      'The webhook after which the copy was made.',
      exampleIds.message,
    ),
    reproduced_events: field(
      z.int(),
      'How many webhooks about the copy are equal to those about the tenant.',
      7,
    ),
    simulation: simulationOutput,
  }),
);
export type ForkOutput = z.infer<typeof forkOutput>;

const callName = field(
  z.string().max(100),
  'Method and path of the route, or “the page of a bank”.',
  'POST /portal_info',
);
const callTime = field(instant, 'The tenant’s time when it began.', '2026-02-01T18:00:00.000Z');
const refusal = field(
  z.string().max(100).nullable(),
  'The error code, if it was refused.',
  'quote_not_found',
);

const recordedCall = named(
  'RecordedCall',
  'A call about a tenant of the sandbox.',
  z.object({
    call: callName,
    at: callTime,
    until: field(instant, 'The tenant’s time after it.', '2026-02-01T18:00:00.000Z'),
    params: field(z.record(z.string(), z.string()), 'The parameters of the path.', {}),
    body: field(
      z.unknown(),
      'The body; null without one. Social Security numbers are invented ones.',
      { external_id: 't-100', charges: [] },
    ),
    product_variant: field(
      productVariant.nullable(),
      'Whose experience the tenant called from. Null for a call of the portal.',
    ),
    result_ids: field(
      z.array(z.string().max(100)).max(1_000),
      'The ids and hashes in the response, in order. Each copy has others.',
      [exampleIds.plan],
    ),
    refused: refusal,
  }),
);
export type RecordedCall = z.infer<typeof recordedCall>;

const tenantCall = named(
  'TenantCall',
  'A call about a tenant of the sandbox, without what it said.',
  z.object({ call: callName, at: callTime, refused: refusal }),
);

const tenantEvent = named(
  'TenantWebhook',
  'A webhook about a tenant.',
  z.object({
    id: field(z.string(), 'Id of the webhook.', exampleIds.message),
    type: field(z.string(), 'Its type.', 'plan.activated'),
    occurred_at: field(instant, 'The tenant’s time.', '2026-02-01T18:00:00.000Z'),
    data: field(z.record(z.string(), z.unknown()), 'Its data.', { plan_id: exampleIds.plan }),
  }),
);
export type TenantEvent = z.infer<typeof tenantEvent>;

export const recording = named(
  'Recording',
  'The calls about a tenant, and the webhooks that they caused.',
  z.object({
    version: field(z.literal(1), 'The format.', 1),
    external_id: externalId,
    at: field(
      z.string().max(100).nullable(),
      'The webhook that it ends with. Null: it ends with the last call.',
      exampleIds.message,
    ),
    ends_at: field(instant, 'The tenant’s time at its end.', '2026-02-03T18:00:00.000Z'),
    calls: field(
      z.array(recordedCall).max(mostRecordedCalls),
      'The calls about the tenant, in order.',
    ),
    events: field(
      z.array(tenantEvent).max(2_000),
      'The webhooks about the tenant that the calls caused, in order.',
    ),
  }),
);
export type Recording = z.infer<typeof recording>;

export const recordingQuery = z.strictObject({
  at: loggedField(
    z.string().max(100).optional(),
    'The id of the webhook that the recording ends with. Default: it ends with the last call.',
    exampleIds.message,
  ),
});

export const replayInput = named(
  'RecordingReplay',
  'A recording to play as another tenant.',
  z.strictObject({
    recording: field(z.record(z.string(), z.unknown()), 'What `getRecording` returned.', {
      version: 1,
      external_id: 't-100',
      at: null,
      ends_at: '2026-02-01T18:00:00.000Z',
      calls: [
        {
          call: 'POST /simulation/{external_id}/scenario',
          at: '2026-02-01T18:00:00.000Z',
          until: '2026-02-01T18:00:00.000Z',
          params: { external_id: 't-100' },
          body: { scenario: 'approved' },
          product_variant: null,
          result_ids: [],
          refused: null,
        },
      ],
      events: [],
    }),
    change: forkChange.optional(),
  }),
);
export type ReplayInput = z.output<typeof replayInput>;

const postingEntry = named(
  'PostingEntry',
  'One account in a transfer.',
  z.object({
    account: field(z.string(), 'The kind of account.', 'tenant_receivable'),
    amount_in_cents: field(cents, 'Positive for a debit, negative for a credit.', 40_000),
  }),
);

const posting = named(
  'TenantPosting',
  'A transfer in our ledger. Its entries sum to zero.',
  z.object({
    occurred_at: field(instant, 'The tenant’s time.', '2026-02-01T18:00:00.000Z'),
    kind: field(z.string(), 'Why the money moved.', 'payment'),
    entries: field(z.array(postingEntry), 'The accounts between which it moved.'),
  }),
);

export const tenantHistoryOutput = named(
  'TenantHistory',
  'All that happened to a tenant of the sandbox.',
  z.object({
    external_id: externalId,
    forked_from: field(externalId.nullable(), 'The tenant that it is a copy of.', 't-100'),
    forked_at: field(
      z.string().nullable(),
      'The webhook after which it was copied.',
      exampleIds.message,
    ),
    reproduced_events: field(
      z.int().nullable(),
      'How many of the first events are equal to those of the tenant that was copied.',
      7,
    ),
    change: field(z.record(z.string(), z.string()).nullable(), 'The fact that was changed in it.', {
      fail_next_payment: 'R01',
    }),
    simulation: simulationOutput,
    plan: field(planOutput.nullable(), 'The newest plan. Null if there has been none.'),
    calls: field(z.array(tenantCall), 'The recorded calls about the tenant, in order.'),
    events: field(z.array(tenantEvent), 'The webhooks about the tenant, oldest first.'),
    postings: field(z.array(posting), 'The transfers in the ledger, oldest first.'),
  }),
);
export type TenantHistoryOutput = z.infer<typeof tenantHistoryOutput>;

/** The page of the console that shows what a sandbox tenant sees. */
export const tenantViewOutput = z.object({ url: z.string(), expires_at: instant });
export type TenantViewOutput = z.infer<typeof tenantViewOutput>;
