import { z } from 'zod';
import { instant, isoDate } from '../primitives.ts';

export const termsVersionOfPath = z.strictObject({ version: z.string().min(1).max(100) });

const termsVersion = z.object({
  version: z.string(),
  pms: z.string().nullable().describe('Null for all partners.'),
  state: z.string().nullable().describe('Null for all states.'),
  effective_from: isoDate.nullable().describe('Null for the terms that are part of the release.'),
  status: z
    .enum(['in_force', 'upcoming', 'replaced'])
    .describe(
      'Within its partner and state. A more specific version applies before a general one.',
    ),
  created_at: instant.nullable(),
  created_by: z.string().nullable(),
  reason: z.string().nullable(),
});
export type TermsVersion = z.infer<typeof termsVersion>;

export const operatorTermsOutput = z.object({
  items: z.array(termsVersion).describe('The latest effective day first.'),
});

/** The JSON of a terms file: see docs/operate/terms.md. */
const termsDocument = z.record(z.string(), z.unknown());

export const operatorTermsVersionOutput = termsVersion.extend({
  terms: termsDocument,
  before: z
    .string()
    .nullable()
    .describe(
      'The version that would apply on its first day without it. Null for the built-in one.',
    ),
  changes: z
    .array(z.object({ field: z.string(), now: z.unknown(), new: z.unknown() }))
    .describe('The fields that differ from those of `before`.'),
});
export type OperatorTermsVersionOutput = z.infer<typeof operatorTermsVersionOutput>;
