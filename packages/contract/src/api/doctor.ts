import { z } from 'zod';
import { externalId, instant } from '../primitives.ts';

/** The output of the SDK's `svc.diagnose()`. Fields of a newer SDK are accepted and not read. */
const diagnosisInput = z
  .looseObject({
    page_url: z.string().max(2048).optional(),
    environment: z.string().max(20).optional(),
    pms: z.string().max(100).optional(),
    external_id: externalId.optional(),
    signature: z.string().max(200).optional().describe('Compared with that of your live keys.'),
    balance: z.number().optional().describe('In cents; compared with the reported charges.'),
    container: z
      .object({ width: z.number(), height: z.number() })
      .nullish()
      .describe('Size of the widget in CSS pixels.'),
    blocked_by: z.array(z.string().max(100)).max(20).optional(),
    problems: z
      .array(z.looseObject({ code: z.int(), error_code: z.string().max(100) }))
      .max(50)
      .optional(),
  })
  .describe('The output of `svc.diagnose()` of the SDK.');
export type DiagnosisInput = z.output<typeof diagnosisInput>;

export const doctorInput = z.strictObject({
  page_url: z
    .string()
    .min(1)
    .max(2048)
    .optional()
    .describe('A page of yours that shows the widget. It is fetched once, without cookies.'),
  external_id: externalId.optional().describe('A tenant whose signature and charges to check.'),
  diagnosis: diagnosisInput.optional(),
});
export type DoctorInput = z.output<typeof doctorInput>;

/** In the order in which they are answered. There is one of each `webhook_…` for each endpoint. */
export const doctorCheckIds = [
  'key',
  'signature',
  'charges',
  'window',
  'origins',
  'page',
  'csp',
  'frame_headers',
  'container',
  'sdk',
  'clock',
  'webhook_valid',
  'webhook_forged',
  'webhook_repeated',
] as const;

export const doctorStatuses = ['pass', 'warn', 'fail', 'skipped'] as const;

export const doctorCheckOutput = z.object({
  id: z.enum(doctorCheckIds),
  status: z.enum(doctorStatuses),
  title: z.string(),
  detail: z.string().describe('What was found; of a skipped check, why it was skipped.'),
  fix: z.string().nullable().describe('What to do; null when there is nothing to do.'),
  docs_url: z.string().nullable(),
});
export type DoctorCheckOutput = z.infer<typeof doctorCheckOutput>;

export const doctorOutput = z.object({ checks: z.array(doctorCheckOutput) });
export type DoctorOutput = z.infer<typeof doctorOutput>;

/** Marked by what the service has seen. */
export const observedGoLiveItems = [
  'origins_set',
  'webhook_delivered',
  'forgery_refused',
  'retry_recovered',
  'key_rotated',
  'settlement_verified',
] as const;
/** Marked by a click, because the service cannot see them. */
export const manualGoLiveItems = [
  'duplicates_handled',
  'decline_rehearsed',
  'production_secrets_separate',
  'support_informed',
] as const;
export const goLiveItems = [...observedGoLiveItems, ...manualGoLiveItems] as const;
export type GoLiveItem = (typeof goLiveItems)[number];

export const goLiveOutput = z.object({
  items: z.array(
    z.object({
      id: z.enum(goLiveItems),
      title: z.string(),
      how: z
        .enum(['observed', 'manual'])
        .describe('`observed`: the service marks it. `manual`: you do.'),
      done: z.boolean(),
      done_at: instant.nullable(),
      todo: z.string().describe('How to get it done.'),
    }),
  ),
});
export type GoLiveOutput = z.infer<typeof goLiveOutput>;

export const goLiveMarkInput = z.strictObject({ done: z.boolean() });
export const goLiveParams = z.strictObject({
  item: z
    .string()
    .min(1)
    .max(100)
    .describe(`One of ${manualGoLiveItems.join(', ')}.`),
});
