import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testBankAccounts } from '@svc/contract';
import { localDate } from '../../domain/tenants/calendar.ts';
import type { AchSettings } from './ach-settings.ts';
import { achTimeZone } from './banking-windows.ts';
import {
  isDebit,
  type NachaBatch,
  type NachaEntry,
  type NachaFile,
  transactionCodeOf,
} from './nacha.ts';
import { parseNacha } from './parse-nacha.ts';
import { writeNacha } from './write-nacha.ts';

/** The bank's report about an entry: a return, or a notification of change with the corrected data. */
export interface BankAnswer {
  readonly entry: NachaEntry;
  /** `R01` or `C01` */
  readonly reason: string;
  readonly corrected?: string;
}

/**
 * The bank's side of the ACH folder, for tests and the sandbox. It knows nothing but the files: it takes
 * ours out of the outbox, and puts its own into the inbox.
 */
export interface AchBank {
  /** Takes the files out of the outbox, checks and acknowledges them, and returns their entries. */
  collect(): Promise<NachaEntry[]>;
  /** Finds the entry that we sent with this trace number, in our own copies. */
  find(trace: string): Promise<NachaEntry | undefined>;
  /** Puts one file into the inbox. Returns its name; undefined without answers, when there is no file. */
  send(answers: readonly BankAnswer[]): Promise<string | undefined>;
}

export function openAchBank(
  { folder, bankRoutingNumber, bankName, companyName, companyId, originId }: AchSettings,
  now: () => Date,
): AchBank {
  const path = (part: 'outbox' | 'inbox' | 'archive', name: string) => join(folder, part, name);
  let sent = 0;

  async function put(name: string, content: string): Promise<void> {
    await mkdir(join(folder, 'inbox'), { recursive: true });
    await writeFile(path('inbox', `${name}.part`), content, 'latin1');
    await rename(path('inbox', `${name}.part`), path('inbox', name));
  }

  async function entriesOf(part: 'outbox' | 'archive', name: string): Promise<NachaEntry[]> {
    const file = parseNacha(await readFile(path(part, name)));
    return file.batches.flatMap((it) => it.entries);
  }

  return {
    async collect() {
      const entries: NachaEntry[] = [];
      for (const name of await namesIn(join(folder, 'outbox'))) {
        entries.push(...(await entriesOf('outbox', name)));
        await rm(path('outbox', name));
        await put(`${name}.ack`, '');
      }
      return entries;
    },

    async find(trace) {
      for (const name of await namesIn(join(folder, 'archive'))) {
        if (!name.startsWith('ACH-')) continue;
        const found = (await entriesOf('archive', name)).find((it) => it.trace === trace);
        if (found) return found;
      }
      return undefined;
    },

    async send(answers) {
      if (answers.length === 0) return undefined;
      sent += 1;
      const at = now();
      const day = localDate(at, achTimeZone);
      const name = `RETURN-${day}-${at.getTime()}-${sent}.txt`;
      const changes = answers.filter(({ reason }) => reason.startsWith('C'));
      const returns = answers.filter((it) => !changes.includes(it));
      const header: Omit<NachaBatch, 'entryClass' | 'entries'> = {
        serviceClass: '200',
        companyName,
        companyId,
        description: 'PAYMENT',
        discretionary: '',
        descriptiveDate: '',
        effectiveOn: day,
        settlementDay: '',
        originatingBank: bankRoutingNumber.slice(0, 8),
      };
      const batches: NachaBatch[] = [
        { ...header, entryClass: 'WEB', entries: returns.map(answerEntry) },
        { ...header, entryClass: 'COR', entries: changes.map(answerEntry) },
      ];
      const file: NachaFile = {
        destination: originId,
        destinationName: companyName,
        origin: bankRoutingNumber,
        originName: bankName,
        createdOn: day,
        createdAt: '0600',
        modifier: 'A',
        reference: String(sent),
        batches: batches.filter((it) => it.entries.length > 0),
      };
      await put(name, writeNacha(file));
      return name;
    },
  };
}

/** Returns the answers that the bank would give for debits of the sandbox's failing test accounts. */
export function answersOf(entries: readonly NachaEntry[]): BankAnswer[] {
  return entries.flatMap((entry) => {
    const account = testBankAccounts.find((it) => it.account_number === entry.accountNumber);
    const reason = account?.outcome === 'fails' ? account.return_code : undefined;
    return reason !== undefined && isDebit(entry.code) ? [{ entry, reason }] : [];
  });
}

function answerEntry({ entry, reason, corrected }: BankAnswer, index: number): NachaEntry {
  const type = entry.code.startsWith('2') ? 'checking' : 'savings';
  const original = { originalTrace: entry.trace, originalBank: entry.routingNumber.slice(0, 8) };
  const isChange = reason.startsWith('C');
  return {
    ...entry,
    code: transactionCodeOf(type, isDebit(entry.code) ? 'returned_debit' : 'returned_credit'),
    amountInCents: isChange ? 0 : entry.amountInCents,
    // The tenant's bank sends the answer, so the trace number begins with its routing number.
    trace: `${entry.routingNumber.slice(0, 8)}${String(index + 1).padStart(7, '0')}`,
    addenda: isChange
      ? { kind: 'change', reason, ...original, corrected: corrected ?? '' }
      : { kind: 'return', reason, ...original, dateOfDeath: '', information: '' },
  };
}

async function namesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return [];
  });
  return names.toSorted((a, b) => a.localeCompare(b));
}
