import { fillPath } from '@svc/contract/fill-path';
import { queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';
import { runCommand } from './commands.ts';

/** A file that was exchanged with the bank, as the command `ach list` lists it. */
export interface BankFile {
  readonly id: string;
  readonly direction: 'out' | 'in';
  readonly name: string;
  readonly state: string;
  readonly entries: number;
  readonly debits_in_cents: number;
  readonly credits_in_cents: number;
  readonly returned: number;
  readonly reason: string | null;
  readonly exceptions: number;
  readonly created_at: string;
}

export interface BankFiles {
  readonly items: readonly BankFile[];
  readonly has_more: boolean;
  /** Entries that wait for the next file. */
  readonly waiting: number;
  readonly next_at: string | null;
}

/** The files of the last 30 days, and all that need attention. */
export const bankFilesQuery = queryOptions({
  queryKey: ['bank-files'],
  queryFn: async () => (await runCommand('ach-list', { input: {} })).result as unknown as BankFiles,
});

export function handInFile(file: File) {
  const bytes = file.slice(0, file.size, 'application/octet-stream');
  return call('POST', '/bank_files', { query: { name: file.name }, file: bytes });
}

/** Returns the URL of a file as it was exchanged. Each download is in the audit log. */
export function fileAddress(id: string): string {
  return fillPath('/operator/v1/bank_files/{id}', { id });
}
