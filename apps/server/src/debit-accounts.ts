import { type DebitAccount, debitAccount, pms } from '@svc/contract';
import { z } from 'zod';
import { setting } from './settings.ts';

/** The key of the account for portals without an entry. */
const anyPortal = '*';

/** The accounts that portals debit, by portal name. */
export type DebitAccounts = Readonly<Record<string, DebitAccount>>;

/** `{ "my-portal": { … } }`, with `*` for all other portals. */
const debitAccountsText = z.string().transform((text, context): DebitAccounts => {
  const parsed = accountsSchema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path.join('.') ?? '';
  context.addIssue(
    `must be JSON such as {"my-portal": {"account_holder": …}}${place === '' ? '' : `. At ${place}: ${issue?.message}`}`,
  );
  return z.NEVER;
});

const accountsSchema = z.record(z.union([pms, z.literal(anyPortal)]), debitAccount);

export function debitAccountOf(accounts: DebitAccounts, portal: string): DebitAccount | null {
  if (Object.hasOwn(accounts, portal)) return accounts[portal] ?? null;
  return accounts[anyPortal] ?? null;
}

/** The sandbox's account when none is set. Its routing number belongs to no bank. */
export const sandboxDebitAccounts: DebitAccounts = {
  [anyPortal]: {
    account_holder: 'Example Rent Advance LLC',
    bank_name: 'Example Bank',
    routing_number: '110000000',
    account_number: '000123456789',
    account_type: 'checking',
    sec_code: 'CCD',
    company_id: '1234567890',
    authorization: {
      reference: 'Example agreement of the sandbox',
      valid_from: '2026-01-01',
      maximum_in_cents: null,
    },
  },
};

/** The accounts of ours that portals debit. */
export const debitAccountsSetting = setting({
  name: 'SVC_DEBIT_ACCOUNTS',
  type: debitAccountsText,
  default: { sandbox: JSON.stringify(sandboxDebitAccounts), production: '{}' },
  defaultNote: 'an example in the sandbox; none in production',
  secret: 'text',
  description:
    'the account that each portal debits for settlements, and the authorization for it, as JSON: [which account to debit](../account-to-debit.md#for-the-operator)',
});

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
