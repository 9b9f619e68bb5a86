import { z } from 'zod';
import { cents, text } from '../primitives.ts';

/** Sent in the body, because names and addresses must not appear in a URL or a log. */
export const searchInput = z.strictObject({
  query: text(200).describe(
    'An id, the portal’s id of a tenant, words of a name, an e-mail address, a phone number, the last four digits of an account, or a trace number.',
  ),
});

export const foundKinds = [
  'tenant',
  'plan',
  'installment',
  'payment',
  'payment_method',
  'application',
  'settlement',
  'payout',
  'refund',
  'transfer',
  'mail',
  'text',
  'message',
  'request',
  'partner',
  'statement_line',
] as const;

/** One search result and its tenant. */
export const foundItem = z.object({
  kind: z.enum(foundKinds),
  id: z.string(),
  partner: z.string().nullable().describe('The portal; null for a line of a bank statement.'),
  external_id: z.string().nullable().describe('The portal’s id of the tenant whose it is.'),
  name: z
    .string()
    .nullable()
    .describe('The tenant’s name, masked without the permission to see it.'),
  state: z.string().nullable(),
  amount_in_cents: cents.nullable(),
  found_by: z.enum(['id', 'external_id', 'personal', 'last4', 'reference']),
});
export type FoundItem = z.infer<typeof foundItem>;

export const searchOutput = z.object({
  items: z.array(foundItem).describe('The best 20.'),
  has_more: z.boolean().describe('There is more than this. Search for more words.'),
});
