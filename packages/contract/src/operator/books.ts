import { z } from 'zod';
import { dateInput, isoDate } from '../primitives.ts';

/** In bytes. Larger files are for the command line, because the service would keep them in memory. */
export const largestStatementFile = 32 * 1024 * 1024;

/** A sum over all tenants, in cents, so its only limit is that of a number. */
export const sumInCents = z.int();

const fileName = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[^\p{Cc}]*$/u, { error: 'must be one line' });
const bankName = z.string().min(1).max(100);

export const statementUploadQuery = z.strictObject({
  bank: bankName.describe('The registered account whose statements are taken from the file.'),
  file: fileName.describe('The name of the file, for the audit log.'),
});

export const statementReplaceQuery = statementUploadQuery.extend({
  dry_run: z.literal('true').optional().describe('Say what would be replaced, and change nothing.'),
});

/** `missing`: an account's statement is missing. `later`: an earlier day must be closed first. */
const dayState = z.enum(['closed', 'ready', 'missing', 'later', 'not_ended']);
export type BooksDayState = z.infer<typeof dayState>;

export const booksDaysOutput = z.object({
  today: isoDate.describe('In the sandbox, the newest day that a simulated tenant has reached.'),
  closed_through: isoDate.nullable(),
  days: z
    .array(
      z.object({
        day: isoDate,
        state: dayState,
        closed_at: z.string().nullable(),
        unmatched: z
          .int()
          .describe('Lines and entries that are not matched, or were not at the close.'),
        missing: z.array(z.string()).describe('Accounts whose statement is missing.'),
      }),
    )
    .describe('Banking days and others that were closed, newest first.'),
  items: z.array(
    z.object({
      number: z.int(),
      action: z.string(),
      day: isoDate.nullable(),
      sealed_at: z.string(),
    }),
  ),
  accounts: z.array(
    z.object({
      name: z.string(),
      account_last4: z.string(),
      ledger_account: z.string(),
      starts_on: isoDate,
      last_day: isoDate.nullable(),
      closing_in_cents: sumInCents.nullable(),
      open_lines: z.int(),
    }),
  ),
});

export const dayPath = z.strictObject({ day: isoDate });

/** One day, with the statement of each account that covers it. */
export const booksDayOutput = z.object({
  day: isoDate,
  state: dayState,
  closed_at: z.string().nullable(),
  can_reopen: z.boolean().describe('Only the last closed day can be reopened.'),
  close_first: isoDate.nullable().describe('The earlier day that must be closed first.'),
  missing: z.array(z.string()),
  statements: z.array(
    z.object({
      bank: z.string(),
      ledger_account: z.string(),
      from: isoDate,
      to: isoDate,
      format: z.string(),
      opening_in_cents: sumInCents,
      closing_in_cents: sumInCents,
      lines: z.int().describe('Of this day.'),
      matched: z.int(),
    }),
  ),
});

export const exceptionsQuery = z.strictObject({
  bank: bankName.optional(),
  until: dateInput.optional().describe('Only what was booked until that day.'),
});

/** Lines and entries that are not matched, oldest first. */
export const exceptionsOutput = z.object({
  items: z.array(
    z.object({
      item: z.string(),
      bank: z.string().nullable().describe('Null for an entry of the ledger.'),
      ledger_account: z.string(),
      partner: z.string().nullable(),
      day: isoDate,
      age_in_days: z.int(),
      amount_in_cents: sumInCents,
      kind: z.string(),
      reference: z.string(),
      why: z.string(),
      owner: z.string().nullable(),
      after_close: z.boolean(),
    }),
  ),
  has_more: z.boolean(),
  count: z.int(),
  total_in_cents: sumInCents.describe('Lines minus entries.'),
});
export type BookExceptionOutput = z.infer<typeof exceptionsOutput>['items'][number];
