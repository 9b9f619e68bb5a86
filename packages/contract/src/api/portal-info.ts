import { z } from 'zod';
import { type ChargeInput, charge } from '../charges.ts';
import { largestTotalInCents } from '../limits.ts';
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
import { eligibilityReasons, eligibilityStates } from '../vocabulary.ts';

const timeZone = z
  .string()
  .max(100)
  .refine(isTimeZone, { error: 'must be an IANA time zone such as America/Chicago' })
  .describe('An IANA time zone such as America/Chicago.');

const property = z.strictObject({
  id: text(200),
  name: visibleText(200).nullish(),
  line1: visibleText(200).nullish(),
  line2: visibleText(200).nullish(),
  city: visibleText(100).nullish(),
  state: visibleText(50).nullish(),
  postal_code: visibleText(20).nullish(),
  time_zone: timeZone.nullish(),
});

const lease = z.strictObject({
  id: text(200),
  payments_enabled: z.boolean().optional(),
  partial_payments_allowed: z.boolean().optional(),
  starts_on: dateInput.nullish(),
  ends_on: endDateInput.optional(),
  late_fee_from: dateInput.nullish(),
  property: property.nullish(),
});

const shape = {
  first_name: visibleText(100),
  last_name: visibleText(100),
  email,
  phone_number: z
    .string()
    .regex(/^\+[1-9]\d{6,14}$/, { error: 'must be E.164, such as +15125550100' })
    .nullish(),
  product_variant: productVariant.nullish(),
  charges: z
    .array(charge)
    .max(200)
    .superRefine(checkIds)
    .superRefine(checkTotal)
    .describe(
      `Each with its own id. In total at most ${largestTotalInCents} cents, credits counted as positive.`,
    ),
  lease: lease.nullish(),
  return_url: z
    .url({ protocol: /^https?$/, error: 'must be an http(s) URL' })
    .max(2048)
    .nullish(),
  metadata: metadata.nullish(),
};

/** The portal's data about a tenant. Omitted fields keep the stored value; null clears it. */
export const portalInfoInput = z.strictObject(shape);
/** `portalInfoInput` with `external_id` in the body, for `POST /portal_info`. */
export const portalInfoBodyInput = z.strictObject({ external_id: externalId, ...shape });
export type PortalInfoInput = z.infer<typeof portalInfoInput>;

export const eligibility = z.object({
  state: z.enum(eligibilityStates),
  reason: z.enum(eligibilityReasons).nullable(),
});
export type Eligibility = z.infer<typeof eligibility>;

export const rentCycle = z.object({
  due_date: isoDate,
  opens_at: instant,
  closes_at: instant,
  is_open: z.boolean(),
  amount_due_in_cents: positiveCents,
});
export type RentCycle = z.infer<typeof rentCycle>;

export const warning = z.object({
  code: z.string(),
  param: z.string().nullable(),
  message: z.string(),
});
export type Warning = z.infer<typeof warning>;

export const portalInfoOutput = z.object({
  token: z
    .string()
    .nullable()
    .describe('Valid for 60 minutes and for one exchange. Null on a dry run.'),
  expires_at: instant.nullable(),
  external_id: externalId,
  environment,
  rent_cycle: rentCycle.nullable(),
  eligibility,
  simulated_time: instant.nullable(),
  warnings: z.array(warning),
});
export type PortalInfoOutput = z.infer<typeof portalInfoOutput>;

export const portalInfoQuery = z.strictObject({
  dry_run: queryBoolean.optional(),
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

const knownZones = new Set<string>();

/** Results are cached: creating a formatter takes as long as the rest of the request's parsing. */
function isTimeZone(value: string): boolean {
  if (knownZones.has(value)) return true;
  if (!/^[A-Za-z]/.test(value)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
  } catch {
    return false;
  }
  // Names are case-insensitive, so an attacker could send endless spellings of one zone.
  if (knownZones.size < 1000) knownZones.add(value);
  return true;
}
