import { installation } from '../../domain/audit/record.ts';
import { addBankAccount, comparedAccounts } from '../../domain/books/bank-accounts.ts';
import { argument, defineCommand, requiredOption } from '../command.ts';
import { readDay, readOneOf } from '../read-values.ts';
import { UsageError } from '../usage-error.ts';

export const bankAdd = defineCommand({
  name: 'bank add',
  summary: 'register a bank account, or our balance at a processor, to compare with the ledger',
  input: {
    name: argument('<name>', readName),
    currency: requiredOption('--currency <code>', 'the account’s currency, such as USD'),
    account_last4: requiredOption(
      '--account-last4 <characters>',
      'the last 4 characters of the account',
      readLast4,
    ),
    ledger_account: requiredOption(
      '--ledger-account <account>',
      `what it is compared with: ${comparedAccounts.join(' or ')}`,
      readOneOf('--ledger-account', comparedAccounts),
    ),
    starts_on: requiredOption('--from <day>', 'compare from this day on', readDay('--from')),
  },
  effect: 'change',
  console: { needs: 'money' },
  async run(ctx, input) {
    const added = await addBankAccount(ctx, input);
    const entry = { action: 'bank.added', subject_id: added.id, details: { ...input } } as const;
    await ctx.record(installation, entry);
    return added;
  },
  describe: (_, { name, ledger_account, starts_on }) =>
    `${name} is compared with the ledger's ${ledger_account} from ${starts_on} on. Import its statement of that day next.\n`,
});

function readName(text: string): string {
  if (/^[a-z0-9][a-z0-9_-]{1,62}$/.test(text)) return text;
  throw new UsageError(
    `The name must be 2 to 63 characters of a-z, 0-9, _ and -, such as operating, not "${text}".`,
  );
}

function readLast4(text: string): string {
  if (/^[A-Za-z0-9]{4}$/.test(text)) return text;
  throw new UsageError(
    `--account-last4 must be the last 4 characters of the account, not "${text}".`,
  );
}
