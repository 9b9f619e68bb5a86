import { z } from 'zod';
import { exampleIds, extensible, field, loggedField, named } from '../describe-schema.ts';
import { payoutStatuses } from '../plan-states.ts';
import { cents, instant, isoDate, listByIdQuery, text, visibleText } from '../primitives.ts';
import { payoutLineKinds, payoutMethods } from '../vocabulary.ts';

export const payoutStatus = named(
  'PayoutStatus',
  '`pending`: created at the cut-off. `sent`: on its way. `paid`: it arrived. `failed`: it did not. `returned`: it arrived, and the bank returned it later. The next payout carries the lines of a failed or returned one forward.',
  z.enum(payoutStatuses),
  'paid',
);

const payoutFields = {
  id: field(z.string(), 'Id of the payout.', exampleIds.payout),
  method: field(
    extensible(z.enum(payoutMethods)),
    '`debit`: you debit our account and report the outcome. `credit`: we send the money to yours.',
    'credit',
  ),
  status: payoutStatus,
  day: field(isoDate, 'The banking day of its cut-off, in New York.', '2026-02-02'),
  amount_in_cents: field(cents, 'The sum of its lines, in cents.', 152012),
  line_count: field(z.int(), 'How many lines its statement has.', 1),
  reference: field(
    z.string().nullable(),
    'What the bank shows with it: your id of the debit, or the bank’s of our credit. Null until one is known.',
    exampleIds.payout,
  ),
  failure_reason: field(z.string().nullable(), 'Why it failed or was returned.', null),
  created_at: field(instant, 'When it was created.', '2026-02-02T22:00:00.000Z'),
  sent_at: field(instant.nullable(), 'When it was sent.', '2026-02-02T22:00:05.000Z'),
  ended_at: field(
    instant.nullable(),
    'When it was paid, failed or was returned.',
    '2026-02-03T14:00:00.000Z',
  ),
  version: field(z.int(), 'Grows by one with each change.', 3),
};

export const payoutOutput = named(
  'Payout',
  'What we owed you at a cut-off, paid at once: settlements, minus refunds, and adjustments.',
  z.object(payoutFields),
);
export type PayoutOutput = z.infer<typeof payoutOutput>;

export const payoutsQuery = z.strictObject({
  ...listByIdQuery('pyt'),
  status: loggedField(payoutStatus.optional(), 'Only payouts with this status.'),
});

export const payoutLine = named(
  'PayoutLine',
  'A line of a payout’s statement.',
  z.object({
    number: field(z.int(), 'Its place in the statement, from 1.', 1),
    kind: field(
      extensible(z.enum(payoutLineKinds)),
      '`settlement`: what we owe you for a tenant. `refund`: the landlord credited the tenant, so we deduct it. `adjustment`: a correction.',
      'settlement',
    ),
    id: field(
      z.string(),
      'Id of the settlement, the refund or the adjustment.',
      exampleIds.settlement,
    ),
    settlement_id: field(
      z.string().nullable(),
      'The settlement, also of a refund.',
      exampleIds.settlement,
    ),
    external_id: field(z.string().nullable(), 'The tenant it is about.', 't-100'),
    plan_id: field(z.string().nullable(), 'The plan it is about.', exampleIds.plan),
    amount_in_cents: field(z.int(), 'In cents; negative if it is deducted.', 152012),
    carried_from: field(
      z.string().nullable(),
      'The failed or returned payout that had this line before.',
      null,
    ),
    reason: field(z.string().nullable(), 'Why it was refunded or adjusted.', null),
  }),
);
export type PayoutLine = z.infer<typeof payoutLine>;

/** A payout with all of its lines, whose amounts sum to the amount of the payout. */
export const payoutStatement = named(
  'PayoutStatement',
  'A payout with all of its lines. Their amounts sum to the amount of the payout.',
  z.object({
    ...payoutFields,
    carried_forward_in_cents: field(
      z.int(),
      'The sum of the lines that a failed or returned payout had before, in cents.',
      0,
    ),
    totals: field(
      z.array(
        named(
          'PayoutTotal',
          'The lines of one kind.',
          z.object({
            kind: field(extensible(z.enum(payoutLineKinds)), 'The kind of line.', 'settlement'),
            count: field(z.int(), 'How many lines.', 1),
            amount_in_cents: field(z.int(), 'Their sum, in cents.', 152012),
          }),
        ),
      ),
      'One total for each kind, also for those that do not occur.',
    ),
    lines: field(z.array(payoutLine), 'The lines, in the order of their numbers.'),
  }),
);
export type PayoutStatement = z.infer<typeof payoutStatement>;

/** The portal's report about its debit of a payout. */
export const payoutInput = named(
  'PayoutUpdate',
  'The outcome of your debit of our account for a payout.',
  z.strictObject({
    status: loggedField(
      z.enum(payoutStatuses).exclude(['pending', 'returned']),
      'The new status: `sent` after you have sent the debit, then `paid` or `failed`. Repeating the current status changes nothing.',
      'paid',
    ),
    processor_transaction_id: loggedField(
      text(200).optional(),
      'Your payment processor’s id of the debit. It becomes the `reference`.',
      'ach_20260202_0001',
    ),
    failure_reason: field(
      visibleText(500).optional(),
      'Why the debit failed. Accepted with `failed` only.',
    ),
  }),
);
export type PayoutInput = z.infer<typeof payoutInput>;

export const payoutReturnInput = named(
  'PayoutReturn',
  'Reports that the bank returned a debit that had arrived.',
  z.strictObject({
    reason: field(
      visibleText(500).optional(),
      'The bank’s reason, such as its return code.',
      'R10: reported as unauthorized',
    ),
  }),
);
export type PayoutReturnInput = z.infer<typeof payoutReturnInput>;
