import { z } from 'zod';
import { type ChargeInput, charge } from '../charges.ts';
import { extensible, field, loggedField, named } from '../describe-schema.ts';
import { earliestDate, largestTotalInCents, latestDate, noEndDate } from '../limits.ts';
import {
  dateInput,
  email,
  endDateInput,
  environment,
  externalId,
  instant,
  isoDate,
  metadata,
  positiveCents,
  productVariant,
  queryBoolean,
  text,
  visibleText,
} from '../primitives.ts';
import { isTimeZone, timeZoneProblem } from '../time-zones.ts';
import { eligibilityReasons, eligibilityStates } from '../vocabulary.ts';
import { hostedInput } from './hosted.ts';

const timeZone = z
  .string()
  .trim()
  .max(100)
  .refine(isTimeZone, { error: ({ input }) => timeZoneProblem(String(input)) })
  .describe('An IANA time zone such as America/Chicago.');

const property = named(
  'PropertyInput',
  'The home, or the building that it is in.',
  z.strictObject({
    id: loggedField(text(200), 'Your id of the property.', 'P-9'),
    name: field(visibleText(200).nullish(), 'The name of the building.', 'Maple Court'),
    line1: field(visibleText(200).nullish(), 'Street and number.', '12 Maple St'),
    line2: field(visibleText(200).nullish(), 'Apartment, suite or unit.', 'Apt 4'),
    city: field(visibleText(100).nullish(), 'The city.', 'Austin'),
    state: field(
      visibleText(50).nullish(),
      'The state, as `TX` or `Texas`. The terms of the product may depend on it.',
      'TX',
    ),
    postal_code: field(visibleText(20).nullish(), 'The ZIP code.', '78701'),
    time_zone: loggedField(
      timeZone.nullish(),
      'An IANA time zone, which due dates and days follow. Default: `UTC`.',
      'America/Chicago',
    ),
  }),
);

const lease = named(
  'LeaseInput',
  'The lease that the charges belong to.',
  z.strictObject({
    id: loggedField(text(200), 'Your id of the lease. Roommates share it.', 'L-1'),
    payments_enabled: loggedField(
      z.boolean().optional(),
      'False if the tenant may not pay online, for example during an eviction. Then the tenant cannot split.',
      true,
    ),
    partial_payments_allowed: loggedField(
      z.boolean().optional(),
      'True if the landlord accepts a part of the balance.',
      true,
    ),
    starts_on: loggedField(
      dateInput.nullish(),
      `The first day of the lease, from ${earliestDate} to ${latestDate}.`,
      '2025-09-01',
    ),
    ends_on: loggedField(
      endDateInput.optional(),
      `The last day of the lease, from ${earliestDate} to ${latestDate}. For no end, null or ${noEndDate}.`,
      '2026-08-31',
    ),
    late_fee_from: loggedField(
      dateInput.nullish(),
      'The first day on which rent counts as late, so that the money arrives before it.',
      '2026-02-05',
    ),
    property: field(property.nullish(), 'The home. Omitted fields keep the stored value.'),
  }),
);

const shape = {
  first_name: field(visibleText(100), 'The tenant’s first name.', 'Ada'),
  last_name: field(visibleText(100), 'The tenant’s last name.', 'Lane'),
  email: field(
    email,
    'The tenant’s e-mail address: at most 254 bytes in UTF-8, with at most 64 before the @.',
    'ada@example.com',
  ),
  phone_number: field(
    z
      .string()
      .regex(/^\+[1-9]\d{6,14}$/, { error: 'must be E.164, such as +15125550100' })
      .nullish(),
    'The tenant’s phone number in E.164 format.',
    '+15125550100',
  ),
  product_variant: loggedField(
    productVariant.nullish(),
    'The kind of charge that the tenant splits. Default: `rent`.',
  ),
  charges: field(
    z.array(charge).max(200).superRefine(checkIds).superRefine(checkTotal),
    `Everything that the tenant owes now, each charge with its own id. Replaces the stored charges. In total at most ${largestTotalInCents} cents, credits counted as positive.`,
  ),
  lease: field(lease.nullish(), 'The lease and the home.'),
  return_url: field(
    z
      .url({ protocol: /^https?$/, error: 'must be an http(s) URL' })
      .max(2048)
      .nullish(),
    'The page of your portal that our mails link to.',
    'https://portal.example/rent',
  ),
  hosted: field(
    hostedInput.optional(),
    'Also returns `experience_url`: a page of ours that opens the experience, for apps, messages and portals without the widget.',
  ),
  metadata: field(
    metadata.nullish(),
    'Your own data about the tenant: at most 20 keys, with values of at most 500 characters.',
    { unit: '4B' },
  ),
};

/** The portal's data about a tenant. Omitted fields keep the stored value; null clears it. */
export const portalInfoInput = named(
  'PortalInfoInput',
  'Your data about a tenant. Omitted optional fields keep the stored value; null clears it.',
  z.strictObject(shape),
);
/** `portalInfoInput` with `external_id` in the body, for `POST /portal_info`. */
export const portalInfoBodyInput = named(
  'PortalInfoBodyInput',
  'Your data about a tenant, with the tenant’s id. Omitted optional fields keep the stored value; null clears it.',
  z.strictObject({ external_id: externalId, ...shape }),
);
export type PortalInfoInput = z.infer<typeof portalInfoInput>;

export const eligibility = named(
  'Eligibility',
  'Whether the tenant can split what is due.',
  z.object({
    state: field(
      z.enum(eligibilityStates),
      '`can_apply`: the tenant can apply now. `approved`: the tenant can choose a plan. `has_plan`: a plan is open. `blocked`: `reason` says why not. `cycle_closed`: today is outside the days on which the balance can be split.',
      'can_apply',
    ),
    reason: field(
      extensible(z.enum(eligibilityReasons)).nullable(),
      'Why the tenant cannot split. Null if there is nothing to say. Do not show it to the tenant.',
      null,
    ),
  }),
);
export type Eligibility = z.infer<typeof eligibility>;

export const rentCycle = named(
  'RentCycle',
  'The month that is due, and the days on which it can be split.',
  z.object({
    due_date: field(isoDate, 'The due date of the earliest open charge.', '2026-02-01'),
    opens_at: field(instant, 'From then on the balance can be split.', '2026-01-25T06:00:00.000Z'),
    closes_at: field(instant, 'The end of that time.', '2026-02-11T06:00:00.000Z'),
    is_open: field(z.boolean(), 'True between `opens_at` and `closes_at`.', true),
    amount_due_in_cents: field(positiveCents, 'The balance that is due, in cents.', 152012),
  }),
);
export type RentCycle = z.infer<typeof rentCycle>;

export const warning = named(
  'Warning',
  'Something that was accepted but is probably a mistake. Log it during integration.',
  z.object({
    code: field(
      z.string(),
      'The kind of warning. More kinds may be added.',
      'external_id_equals_lease_id',
    ),
    param: field(z.string().nullable(), 'The field it is about, if it is about one.', 'lease.id'),
    message: field(
      z.string(),
      'What is suspicious and what to do, for people.',
      'external_id must be the tenant’s id, not the lease’s: roommates share a lease.',
    ),
  }),
);
export type Warning = z.infer<typeof warning>;

export const portalInfoOutput = named(
  'TenantToken',
  'The tenant’s token for the widget, and what the tenant can do now.',
  z.object({
    token: field(
      z.string().nullable(),
      'Pass it to the widget. Valid for 60 minutes and for one exchange. Null on a dry run.',
      'tt_01k5z3w7c8d9e0f1g2h3j4k5m6',
    ),
    expires_at: field(
      instant.nullable(),
      'When the token expires. Null on a dry run.',
      '2026-02-01T19:00:00.000Z',
    ),
    experience_url: field(
      z.string().nullable(),
      'Opens the experience once, without the widget. Give it to this tenant only. Null unless `hosted` was sent.',
      null,
    ),
    experience_url_expires_at: field(
      instant.nullable(),
      'When `experience_url` stops working if it is not opened.',
      null,
    ),
    external_id: externalId,
    environment,
    rent_cycle: field(rentCycle.nullable(), 'The month that is due. Null if nothing is due.'),
    eligibility,
    simulated_time: field(
      instant.nullable(),
      'The tenant’s clock, if you have moved it. Null in production.',
      null,
    ),
    warnings: field(z.array(warning), 'What is probably a mistake in the request.', []),
  }),
);
export type PortalInfoOutput = z.infer<typeof portalInfoOutput>;

export const portalInfoQuery = z.strictObject({
  dry_run: loggedField(
    queryBoolean.optional(),
    '`true` checks the body and answers as usual, but stores nothing and makes no token.',
    'true',
  ),
});

function checkIds(charges: ChargeInput[], context: z.RefinementCtx): void {
  const seen = new Set<string>();
  charges.forEach((item, index) => {
    if (seen.has(item.id)) {
      context.addIssue({
        code: 'custom',
        path: [index, 'id'],
        params: { code: 'duplicate' },
        message: `the id ${JSON.stringify(item.id)} is used twice; give each charge its own id`,
      });
    }
    seen.add(item.id);
  });
}

/** Limits the total, so that no sum of charges exceeds the range of responses and of the ledger. */
function checkTotal(charges: ChargeInput[], context: z.RefinementCtx): void {
  const total = charges.reduce((sum, it) => sum + Math.abs(it.amount_in_cents), 0);
  if (total <= largestTotalInCents) return;
  context.addIssue({
    code: 'custom',
    params: { code: 'too_big' },
    message: `must be at most ${largestTotalInCents} cents together, credits counted as positive; they are ${total}`,
  });
}
