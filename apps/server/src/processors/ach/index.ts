import { sql } from '@svc/db';
import type { ProcessorDefinition } from '../define-processor.ts';
import { createAchProcessor } from './ach-processor.ts';
import { type AchSettings, achSettings } from './ach-settings.ts';
import { createBankFiles } from './bank-files.ts';
import { achBank } from './commands/ach-bank.ts';
import { achDismiss } from './commands/ach-dismiss.ts';
import { achList } from './commands/ach-list.ts';
import { achResend } from './commands/ach-resend.ts';
import { achShow } from './commands/ach-show.ts';
import { achLane, achLaneName } from './exchange-files.ts';
import { checkAchFolder } from './folder.ts';

declare module '../../processor-kinds.ts' {
  interface ProcessorKinds {
    ach: {
      account: 'ach_clearing';
      transfer: 'ach_debits' | 'ach_credits' | 'ach_returned' | 'ach_refused';
      auditAction: 'ach.dismissed' | 'ach.resent';
      id: 'ach';
    };
  }
}

// The source of a transfer is the id of a file, a slash, and a day or a trace number (`book-cash.ts`).
const fileName = sql`(select /* all partners: a file has entries of all of them */ name from ach_file where id = split_part(c.source_id, '/', 1))`;
const traceNumber = sql`split_part(c.source_id, '/', 2)`;

export const ach = {
  name: 'ach',
  description: 'for [ACH files](ach.md) with your bank',
  movesMoney: true,
  settings: achSettings,
  async open(settings: AchSettings, { db, clock, environment }) {
    const processor = createAchProcessor(settings, { db, clock, environment });
    const bankFiles = createBankFiles(settings);
    return { processor, simulator: null, payoutRail: null, bankFiles };
  },
  check: async ({ bankName }: AchSettings) => `ACH files for ${bankName}`,
  requirements: ({ folder }: AchSettings) => [
    {
      name: 'folder',
      async check() {
        await checkAchFolder(folder);
        return `${folder} can be written`;
      },
    },
  ],
  lanes: (settings: AchSettings, deps) => [achLane(deps, settings)],
  dueSince: {
    [achLaneName]: sql`
      /* all partners */
      select least((select min(settles_at) from ach_entry where state = 'sent'),
        -- A debit waits for the prenote of its account.
        (select min(e.write_at) from ach_entry e where e.state = 'waiting'
          and (e.kind <> 'debit' or not exists (select from ach_entry p
            where p.partner_id = e.partner_id and p.payment_method_id = e.payment_method_id
              and p.kind = 'prenote' and p.state in ('waiting', 'sent')))))`,
  },
  gauges: {
    svc_ach_exceptions: {
      help: 'What waits for an operator in ACH files of the bank: entries that were not applied, and rejected files.',
      label: 'kind',
      counts: {
        entry: sql`select count(*) from ach_exception where resolved_at is null`,
        file: sql`select count(*) from ach_file where state = 'rejected'`,
      },
    },
  },
  tables: {
    ach_file: {},
    ach_exception: {},
    ach_entry: {
      isOfTenant: true,
      // A prenote that is in no file yet: its account's numbers are about to be erased.
      erased: sql`state = 'waiting'`,
      // Numbered across partners, for the files that a bank takes. Not tried on a cluster yet.
      staysOnCoordinator: true,
    },
  },
  // The last 7 digits are ours, and the bank's number before them is the same for all.
  tracedCalls: (trace: string) => sql`
    /* all partners */
    select e.partner_id, e.key as id from ach_entry e
    where (e.number % 10000000) = ${Number(trace.slice(-7))} and e.file_id is not null`,
  accounts: {
    ach_clearing: { number: 2050, name: 'ACH entries without an outcome', type: 'liability' },
  },
  transfers: {
    ach_debits: { reference: fileName, isBookedByDay: true },
    ach_credits: { reference: fileName, isBookedByDay: true },
    ach_returned: { reference: traceNumber, isBookedByDay: true },
    ach_refused: { reference: fileName, takesBack: true },
  },
  commands: [achList, achShow, achResend, achDismiss, achBank],
  auditActions: ['ach.dismissed', 'ach.resent'],
} as const satisfies ProcessorDefinition<AchSettings>;
