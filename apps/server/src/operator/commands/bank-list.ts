import { listBankAccounts } from '../../domain/books/bank-accounts.ts';
import { defineCommand } from '../command.ts';
import { dollars } from '../format.ts';
import { table } from '../table.ts';

export const bankList = defineCommand({
  name: 'bank list',
  summary: 'list these accounts, and until when their statements are imported',
  effect: 'report',
  console: { needs: 'read' },
  run: async ({ tx }) => ({ items: await listBankAccounts(tx) }),
  describe: ({ items }) =>
    table(
      'accounts. Add one with "svc-admin bank add"',
      [
        'name',
        'ends with',
        'currency',
        'compared with',
        'from',
        'imported through',
        'balance',
        'not matched',
      ],
      items.map((it) => [
        it.name,
        it.account_last4,
        it.currency,
        it.ledger_account,
        it.starts_on,
        it.imported_through ?? '',
        it.closing_in_cents === null ? '' : dollars(it.closing_in_cents),
        String(it.open_lines),
      ]),
    ),
});
