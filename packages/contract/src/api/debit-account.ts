import { z } from 'zod';
import { field, named } from '../describe-schema.ts';
import { environment, isoDate, visibleText } from '../primitives.ts';
import { isRoutingNumber } from '../routing-number.ts';

/** One of the operator's accounts that a portal debits, as the operator writes it down. */
export const debitAccount = z.strictObject({
  account_holder: field(
    visibleText(100),
    'The company whose account it is.',
    'Example Rent Advance LLC',
  ),
  bank_name: field(visibleText(100), 'The bank.', 'Example Bank'),
  routing_number: field(
    z.string().refine(isRoutingNumber, {
      error: 'must be nine digits with a valid check digit',
    }),
    'The ABA routing number.',
    '110000000',
  ),
  account_number: field(
    z.string().regex(/^\d{4,17}$/, { error: 'must be 4 to 17 digits' }),
    'The account number.',
    '000123456789',
  ),
  account_type: field(z.enum(['checking', 'savings']), 'The kind of account.', 'checking'),
  sec_code: field(
    z.enum(['CCD', 'CTX']),
    'The ACH entry class of your debits. A company is debited, so never `PPD` or `WEB`.',
    'CCD',
  ),
  company_id: field(
    visibleText(10).nullable(),
    'The ACH company id that the bank lets through. A debit with another one can come back as `R29`. Null if the bank filters nothing.',
    '1234567890',
  ),
  authorization: field(
    named(
      'DebitAuthorization',
      'The agreement that allows the debits.',
      z.strictObject({
        reference: field(
          visibleText(200),
          'What the signed agreement is called.',
          'Debit agreement of January 5, 2026',
        ),
        valid_from: field(isoDate, 'The first day on which you may debit.', '2026-01-05'),
        maximum_in_cents: field(
          z.int().min(1).nullable(),
          'The most that one debit may take, in cents. Null without a limit.',
          500000,
        ),
      }),
    ),
    'The agreement that allows the debits.',
    {
      reference: 'Debit agreement of January 5, 2026',
      valid_from: '2026-01-05',
      maximum_in_cents: 500000,
    },
  ),
});
export type DebitAccount = z.output<typeof debitAccount>;

export const debitAccountOutput = named(
  'DebitAccount',
  'The account that you debit for settlements, and the authorization for it.',
  z.object({
    environment: field(
      environment,
      'In the sandbox, no bank knows the account, so nothing can be debited.',
      'sandbox',
    ),
    ...debitAccount.shape,
  }),
);
export type DebitAccountOutput = z.infer<typeof debitAccountOutput>;
