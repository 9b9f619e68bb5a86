import { z } from 'zod';
import { cents, instant, isoDate } from '../primitives.ts';

/** The work that waits for people. */
export const queueNames = [
  'approvals',
  'reviews',
  'unknown_payments',
  'refused_refunds',
  'books',
  'settlements',
  'payouts',
  'endpoints',
  'mails',
  'notices',
  'past_due',
  'failed_payments',
] as const;
export const queueName = z.enum(queueNames);
export type QueueName = z.infer<typeof queueName>;

export const queueOfPath = z.strictObject({ name: queueName });

export const queuesOutput = z.object({
  items: z.array(
    z.object({
      name: queueName,
      title: z.string(),
      count: z.int().describe('Without what is snoozed. At most 1,000 are counted.'),
      snoozed: z.int(),
      oldest_at: instant.nullable().describe('Since when the oldest item waits.'),
    }),
  ),
});
export type QueuesOutput = z.infer<typeof queuesOutput>;

export const queueQuery = z.strictObject({
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
  snoozed: z
    .enum(['true', 'false'])
    .default('false')
    .transform((value) => value === 'true')
    .describe('Only what is snoozed, instead of what is not.'),
  owner: z.literal('me').optional().describe('Only what the caller has taken.'),
});

export const queueCsvQuery = queueQuery.pick({ snoozed: true, owner: true });

/** A command of the operator's API with the input that is known already. */
const nextCommand = z.object({
  name: z.string().describe('As in `POST /operator/v1/commands/{name}`.'),
  input: z.record(z.string(), z.union([z.string(), z.number(), z.literal(true)])),
  runs: z
    .string()
    .optional()
    .describe('Another command that it runs. The caller’s role must allow that one as well.'),
});

export const queueItem = z.object({
  queue: queueName,
  id: z.string(),
  partner: z.string().nullable(),
  external_id: z.string().nullable(),
  subject_id: z.string().nullable().describe('The plan, payment or other thing that it is about.'),
  problem: z.string().describe('What is wrong, as a sentence.'),
  advice: z.string().describe('What to do next, as a sentence.'),
  commands: z.array(nextCommand).describe('The commands that do it, the most likely one first.'),
  amount_in_cents: cents.nullable(),
  waiting_since: instant,
  due_on: isoDate.nullable().describe('The last day for it.'),
  needs: z.array(z.string()).describe('What is missing to decide.'),
  owner: z.string().nullable(),
  snoozed_until: instant.nullable(),
  details: z.record(z.string(), z.unknown()),
});
export type QueueItem = z.infer<typeof queueItem>;

export const queueOutput = z.object({
  items: z.array(queueItem).describe('Those first that wait longest.'),
  next_cursor: z.string().nullable(),
});

const itemIds = z.array(z.string().min(1).max(100)).min(1).max(100);

export const takeItemsInput = z.strictObject({
  ids: itemIds,
  from: z
    .string()
    .max(100)
    .optional()
    .describe('The owner to take them over from. Others’ items are refused without it.'),
});
export const releaseItemsInput = z.strictObject({ ids: itemIds });
export const snoozeItemsInput = z.strictObject({
  ids: itemIds,
  until: z.iso.datetime({ error: 'must be an instant such as 2026-02-01T18:00:00Z' }),
  reason: z.string().trim().min(4).max(500),
});
export const notedItemsOutput = z.object({ changed: z.int() });
