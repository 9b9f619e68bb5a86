import { z } from 'zod';
import { cents, externalId, instant, isoDate, pms } from '../primitives.ts';
import {
  eligibilityReasons,
  eligibilityStates,
  paymentMethodTypes,
  productVariants,
} from '../vocabulary.ts';

/** How the operator's API names a tenant: the portal, and the portal's id of the tenant. */
export const tenantOfPartner = z.strictObject({ partner: pms, external_id: externalId });

/** Why an operator has to see the data of a tenant in clear. */
export const unmaskInput = z.strictObject({
  reason: z.string().trim().min(4).max(500),
});
export const unmaskOutput = z.object({
  expires_at: instant.describe('Until then this session sees the tenant in clear.'),
});

export const viewTenantOutput = z.object({
  url: z
    .string()
    .describe('The experience as the tenant sees it, without any way to change something.'),
  expires_at: instant,
});

const person = z.object({
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  phone_number: z.string().nullable(),
  is_masked: z.boolean(),
});

const home = z.object({
  lease_id: z.string().nullable(),
  property_id: z.string().nullable(),
  property_name: z.string().nullable(),
  address: z.string().nullable().describe('In one line. Null while the data are masked.'),
  city: z.string().nullable(),
  state: z.string().nullable(),
});

const pause = z.object({
  scope: z.enum(['partner', 'property', 'tenant']),
  subject: z.string().describe('The id of the property or tenant in the portal.'),
  started_at: instant.describe('In wall time.'),
  started_by: z.string(),
  reason: z.string(),
});

const openPlan = z.object({
  id: z.string(),
  state: z.string(),
  autopay: z.boolean(),
  rent_cycle_date: isoDate,
  payments: z.array(
    z.object({
      number: z.int(),
      due_date: isoDate,
      amount_in_cents: cents,
      state: z.string(),
      may_move_to: z.array(isoDate).describe('The days that the tenant is offered, too.'),
    }),
  ),
  may_cancel: z.boolean().describe('The first payment has not gone through.'),
  fee_to_waive_in_cents: cents.describe('The most that can be waived now.'),
});

const nextStep = z.object({
  kind: z.enum(['remind', 'collect', 'overdue', 'past_due', 'charge_off']),
  at: instant.describe('In the tenant’s time.'),
  number: z.int(),
  amount_in_cents: cents,
});

/** A tenant on one page: who, where, what is owed, and what happens next. */
export const tenantPageOutput = z.object({
  partner: z.object({ pms: z.string(), name: z.string() }),
  tenant_id: z.string(),
  external_id: z.string(),
  product_variant: z.enum(productVariants).nullable(),
  created_at: instant,
  erased_at: instant.nullable(),
  person: person
    .nullable()
    .describe('Null before the first report, and once the tenant is erased.'),
  home: home.nullable(),
  time_zone: z.string(),
  now: instant.describe('The tenant’s time.'),
  is_simulated: z.boolean(),
  eligibility: z.object({
    state: z.enum(eligibilityStates),
    reason: z.enum(eligibilityReasons).nullable(),
  }),
  balance: z.object({
    amount_in_cents: cents.describe('What the portal reported as owed for the rent cycle.'),
    due_date: isoDate.nullable(),
  }),
  position: z.string().describe('What happens next, or why nothing does, as a sentence.'),
  next: nextStep.nullable(),
  waits_for: z
    .array(z.string())
    .describe(
      'Why the next step is not taken at its time, apart from pauses. A sentence for each reason.',
    ),
  pauses: z.array(pause),
  plan: openPlan.nullable().describe('The open plan.'),
  plans: z
    .array(
      z.object({
        id: z.string(),
        state: z.string(),
        rent_cycle_date: isoDate,
        principal_in_cents: cents,
        accepted_at: instant,
        terms_version: z.string().nullable(),
        settlement: z
          .object({ id: z.string(), status: z.string(), amount_in_cents: cents })
          .nullable(),
      }),
    )
    .describe('The newest 24, newest first.'),
  methods: z.array(
    z.object({
      id: z.string(),
      type: z.enum(paymentMethodTypes),
      brand: z.string().nullable(),
      last4: z.string(),
      expires: z.string().nullable(),
      added_at: instant,
    }),
  ),
  applications: z.array(
    z.object({
      id: z.string(),
      state: z.string(),
      amount_in_cents: cents,
      approved_amount_in_cents: cents.nullable(),
      submitted_at: instant,
      reapply_after: isoDate.nullable(),
      flags: z.array(z.string()),
      reasons: z.array(z.string()).describe('Of the newest decision.'),
    }),
  ),
  consents: z.object({
    electronic_records: z.enum(['electronic', 'paper']).nullable(),
    texts: z.enum(['on', 'off']),
  }),
  mail: z.object({
    bounces_since: instant.nullable().describe('The tenant’s address refuses mails since then.'),
    last_sent_at: instant.nullable(),
    waiting: z.int().describe('Mails that are not sent yet.'),
    given_up: z.int().describe('Mails of the last 30 days that could not be sent.'),
  }),
});
export type TenantPageOutput = z.infer<typeof tenantPageOutput>;

export const timelineKinds = [
  'request',
  'application',
  'decision',
  'consent',
  'plan',
  'payment',
  'dispute',
  'settlement',
  'refund',
  'mail',
  'text',
  'posting',
  'webhook',
  'action',
] as const;
export type TimelineKind = (typeof timelineKinds)[number];

export const timelineQuery = z.strictObject({
  kinds: z
    .string()
    .max(200)
    .transform((names) => names.split(','))
    .pipe(z.array(z.enum(timelineKinds)).min(1))
    .optional()
    .describe('Kinds of entries, separated by commas. All of them if left out.'),
  cursor: z.string().max(100).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
});

export const timelineCsvQuery = timelineQuery.pick({ kinds: true });

/** Something that happened to a tenant. */
export const timelineEntry = z.object({
  id: z.string(),
  kind: z.enum(timelineKinds),
  at: instant.describe('Wall time.'),
  tenant_time: instant.nullable().describe('The tenant’s time, where the entry has one.'),
  title: z.string().describe('What happened, as a sentence.'),
  state: z.string().nullable(),
  amount_in_cents: cents.nullable(),
  subject_id: z.string().nullable().describe('The plan, payment or other thing that it is about.'),
  by: z.string().nullable().describe('The person or the credential that did it.'),
  details: z.record(z.string(), z.unknown()),
});
export type TimelineEntry = z.infer<typeof timelineEntry>;

export const timelineOutput = z.object({
  items: z.array(timelineEntry),
  next_cursor: z.string().nullable(),
});
