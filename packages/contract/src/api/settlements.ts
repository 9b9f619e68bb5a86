import { z } from 'zod';
import { paidCharges } from '../charges.ts';
import { exampleIds, extensible, field, loggedField, named } from '../describe-schema.ts';
import { largestAmountInCents } from '../limits.ts';
import { settlementStatuses } from '../plan-states.ts';
import {
  cents,
  dateInput,
  externalId,
  instant,
  isoDate,
  listByIdQuery,
  queryBoolean,
  text,
  visibleText,
} from '../primitives.ts';

export const settlementStatus = named(
  'SettlementStatus',
  '`unsettled`: you have not debited our account yet. `unverified`: you have, and wait for the outcome. `verified`: the money arrived. `failed`: it did not. `returned`: it arrived, and the bank returned it later.',
  z.enum(settlementStatuses),
  'unverified',
);

export const settlementOutput = named(
  'Settlement',
  'What we owe you for a tenant: debit our account for it by `debit_by`, and report the outcome.',
  z.object({
    id: field(z.string(), 'Id of the settlement.', exampleIds.settlement),
    external_id: externalId,
    plan_id: field(z.string(), 'The plan that it pays for.', exampleIds.plan),
    status: settlementStatus,
    ...paidCharges,
    refunded_in_cents: field(cents, 'The amount that you have refunded.', 0),
    rent_cycle_date: field(isoDate, 'The due date of the rent that it pays.', '2026-02-01'),
    debit_by: field(isoDate, 'The last day on which to debit our account.', '2026-02-02'),
    processor_transaction_id: field(
      z.string().nullable(),
      'Your payment processor’s id of the debit. Null until you report one.',
      'ach_20260202_0001',
    ),
    payout_id: field(
      z.string().nullable(),
      'The payout that pays it, or that paid it last. Null if you debit it separately.',
      null,
    ),
    failure_reason: field(
      z.string().nullable(),
      'Why the debit failed or was returned, as you reported it.',
      null,
    ),
    is_stale: field(
      z.boolean(),
      'True if it is still open three banking days after `debit_by`.',
      false,
    ),
    created_at: field(instant, 'When it was created.', '2026-02-01T18:00:00.000Z'),
    updated_at: field(instant, 'When it last changed.', '2026-02-02T15:30:00.000Z'),
    version: field(z.int(), 'Grows by one with each change.', 2),
  }),
);
export type SettlementOutput = z.infer<typeof settlementOutput>;

export const settlementsQuery = z.strictObject({
  ...listByIdQuery('stl'),
  status: loggedField(settlementStatus.optional(), 'Only settlements with this status.'),
  external_id: loggedField(externalId.optional(), 'Only settlements of this tenant.', 't-100'),
  processor_transaction_id: loggedField(
    text(200).optional(),
    'Only the settlements that you reported with this id of your processor.',
    'ach_20260202_0001',
  ),
  is_stale: loggedField(
    queryBoolean.optional(),
    '`true` for those that are still open three banking days after `debit_by`; `false` for all others.',
    'true',
  ),
});

/** The status that the partner reports for its debit of our account. */
export const settlementInput = named(
  'SettlementUpdate',
  'The outcome of your debit of our account.',
  z.strictObject({
    status: loggedField(
      z.enum(settlementStatuses).exclude(['returned']),
      'The new status: `unverified` after you have sent the debit, then `verified` or `failed`. Repeating the current status changes nothing.',
      'verified',
    ),
    processor_transaction_id: loggedField(
      text(200).optional(),
      'Your payment processor’s id of the debit.',
      'ach_20260202_0001',
    ),
    failure_reason: field(
      visibleText(500).optional(),
      'Why the debit failed. Accepted with `failed` only.',
    ),
  }),
);
export type SettlementInput = z.infer<typeof settlementInput>;

/** Reports that a bank returned a debit that had arrived. */
export const settlementReturnInput = named(
  'SettlementReturn',
  'Reports that the bank returned a debit that had arrived.',
  z.strictObject({
    reason: field(
      visibleText(500).optional(),
      'The bank’s reason, such as its return code.',
      'R10: reported as unauthorized',
    ),
  }),
);
export type SettlementReturnInput = z.infer<typeof settlementReturnInput>;

/** Money that the portal sends back to us, because the landlord credited the tenant. */
export const refundInput = named(
  'RefundInput',
  'Money that you send back to us because the landlord credited the tenant.',
  z.strictObject({
    amount_in_cents: loggedField(
      z.int().min(1).max(largestAmountInCents),
      'The amount that you send back, in cents. All refunds together are at most the settlement’s amount.',
      12000,
    ),
    charge_id: loggedField(
      text(255).optional(),
      'The charge that was credited, one of those that the settlement pays.',
      'C-1',
    ),
    processor_transaction_id: loggedField(
      text(200).optional(),
      'Your payment processor’s id of the transfer.',
      'ach_20260210_0007',
    ),
    reason: field(
      visibleText(500).optional(),
      'Why the tenant was credited. The tenant does not see it.',
      'Heating was out for two days',
    ),
  }),
);
export type RefundInput = z.infer<typeof refundInput>;

export const refundOutput = named(
  'Refund',
  'Money that you sent back. It reduces what the tenant owes, from the last payment on, and pays back the rest.',
  z.object({
    id: field(z.string(), 'Id of the refund.', exampleIds.refund),
    settlement_id: field(z.string(), 'The settlement that was refunded.', exampleIds.settlement),
    plan_id: field(z.string(), 'The plan whose debt it reduces.', exampleIds.plan),
    amount_in_cents: field(cents, 'The amount that you sent back, in cents.', 12000),
    credited_in_cents: field(
      cents,
      'The part that reduced the tenant’s debt, from the last payment on.',
      12000,
    ),
    paid_back_in_cents: field(
      cents,
      'The part that was refunded to the tenant, because nothing was owed.',
      0,
    ),
    deducted: field(
      z.boolean(),
      'True if it is deducted from a payout, as with all refunds of portals that get payouts. False if you send the money.',
      false,
    ),
    charge_id: field(
      z.string().nullable(),
      'The charge that was credited, if you named one.',
      'C-1',
    ),
    processor_transaction_id: field(
      z.string().nullable(),
      'Your payment processor’s id of the transfer, if you named one.',
      'ach_20260210_0007',
    ),
    reason: field(
      z.string().nullable(),
      'Why the tenant was credited, if you said so.',
      'Heating was out for two days',
    ),
    created_at: field(instant, 'When you reported it.', '2026-02-10T16:00:00.000Z'),
  }),
);
export type RefundOutput = z.infer<typeof refundOutput>;

export const settlementReportQuery = z.strictObject({
  date: loggedField(
    dateInput,
    'The day in UTC on which the settlements were created.',
    '2026-02-01',
  ),
});

/** One deposit of the tenants' payments to our account, compared with the amount we expected. */
export const depositOutput = named(
  'Deposit',
  'One deposit of the tenants’ payments to our account, compared with the amount that we expected.',
  z.object({
    id: field(z.string(), 'Id of the deposit.', exampleIds.deposit),
    deposited_on: field(isoDate, 'The banking day in the time zone of the home.', '2026-02-03'),
    processor_deposit_id: field(
      z.string(),
      'The payment processor’s id of the deposit.',
      'dep_20260203',
    ),
    expected_in_cents: field(z.int(), 'The amount that we expected, in cents.', 41003),
    amount_in_cents: field(z.int(), 'The amount that arrived, in cents.', 41003),
    mismatches: field(
      z.array(
        named(
          'DepositMismatch',
          'A payment of the deposit whose amount differs from the one that we expected.',
          z.object({
            processor_transaction_id: field(
              z.string(),
              'The payment processor’s id of the payment.',
              'sim_0001',
            ),
            expected_in_cents: field(z.int(), 'The amount that we expected, in cents.', 41003),
            amount_in_cents: field(z.int(), 'The amount that arrived, in cents.', 40003),
          }),
        ),
      ),
      'Payments whose amount differs from the expected one.',
      [],
    ),
  }),
);
export type DepositOutput = z.infer<typeof depositOutput>;

export const settlementMismatches = [
  'processor_transaction_id_missing',
  'processor_transaction_id_repeated',
  'deposit_differs',
] as const;

/** One day's settlements for the partner's books, as rows and as the same rows in CSV. */
export const settlementReport = named(
  'SettlementReport',
  'One day’s settlements for your books.',
  z.object({
    date: field(isoDate, 'The day in UTC on which the settlements were created.', '2026-02-01'),
    items: field(z.array(settlementOutput), 'The settlements, oldest first.'),
    totals: field(
      z.array(
        named(
          'SettlementTotal',
          'The settlements of one status.',
          z.object({
            status: settlementStatus,
            count: field(z.int(), 'How many settlements have this status.', 1),
            amount_in_cents: field(z.int(), 'Their total, in cents.', 152012),
          }),
        ),
      ),
      'One total for each status, also for those that do not occur.',
    ),
    deposits: field(z.array(depositOutput), 'Deposits of the same day.'),
    mismatches: field(
      z.array(
        named(
          'SettlementMismatch',
          'Something in the report that needs a person’s attention.',
          z.object({
            code: field(
              extensible(z.enum(settlementMismatches)),
              'The kind of mismatch.',
              'processor_transaction_id_missing',
            ),
            id: field(z.string(), 'The id of the settlement or deposit.', exampleIds.settlement),
            message: field(
              z.string(),
              'What does not match, for people.',
              'The settlement is verified without a processor_transaction_id.',
            ),
          }),
        ),
      ),
      'Settlements and deposits that do not match the processors’ ids. Investigate them.',
      [],
    ),
    csv: field(
      z.string(),
      'CSV as in RFC 4180: a header, then one line for each settlement.',
      'id,external_id,status,amount_in_cents\r\n',
    ),
  }),
);
export type SettlementReport = z.infer<typeof settlementReport>;
