import {
  type AchFiles,
  dismissFile,
  type ListedFile,
  listFiles,
  type Resent,
  resendFile,
  type ShownFile,
  showFile,
} from '../ach/manage-files.ts';
import type { Ctx } from '../context.ts';
import { type AuditEntry, installation } from '../domain/index.ts';
import { table } from './table.ts';

/** The commands about ACH files. */
export type AchRequest =
  | { readonly command: 'ach list' }
  | { readonly command: 'ach show' | 'ach resend' | 'ach dismiss'; readonly file_id: string };

type Name = AchRequest['command'];

export const achCommands: Record<Name, { readonly argument?: string; readonly does: string }> = {
  'ach list': { does: 'list ACH files of 30 days, and how many entries wait for the next one' },
  'ach show': {
    argument: '<file id>',
    does: 'list the entries of a file that we sent, or what was not applied of one from the bank',
  },
  'ach resend': {
    argument: '<file id>',
    does: 'put the entries of a file that the bank refused as a whole into a new one',
  },
  'ach dismiss': {
    argument: '<file id>',
    does: 'say that a rejected file of the bank, or its exceptions, are dealt with, so that debits succeed again',
  },
};

export function isAch(request: { readonly command: string }): request is AchRequest {
  return Object.hasOwn(achCommands, request.command);
}

export function isAchName(name: string): name is Name {
  return Object.hasOwn(achCommands, name);
}

/** Whether the command changes something: it needs a reason, for the audit log. */
export function isAchControl(command: string): boolean {
  return command === 'ach resend' || command === 'ach dismiss';
}

export function readAchCommand(name: Name, argument: string): AchRequest {
  if (name === 'ach list') return { command: name };
  return { command: name, file_id: argument };
}

/** Runs a command in the transaction of its audit entry. */
export async function runAch(
  { tx, now, service }: Ctx,
  request: AchRequest,
  record: (id: string, entry: AuditEntry) => Promise<void>,
): Promise<object> {
  switch (request.command) {
    case 'ach list':
      return listFiles(tx, now);
    case 'ach show':
      return showFile(tx, request.file_id);
    case 'ach resend': {
      const resent = await resendFile({ tx, now, service }, request.file_id);
      const entry = { action: 'ach.resent', subject_id: request.file_id } as const;
      await record(installation, { ...entry, details: { ...resent } });
      return resent;
    }
    case 'ach dismiss': {
      const dismissed = await dismissFile(tx, request.file_id, now);
      const entry = { action: 'ach.dismissed', subject_id: request.file_id } as const;
      await record(installation, { ...entry, details: dismissed });
      return dismissed;
    }
  }
}

/** Formats the result of a command as text for the operator's terminal. */
export function describeAch(request: AchRequest, result: object): string {
  switch (request.command) {
    case 'ach list':
      return describeFiles(result as AchFiles);
    case 'ach show':
      return describeFile(result as ShownFile);
    case 'ach resend': {
      const { name, entries } = result as Resent;
      return `${counted(entries)} of ${name} will be in a new file within a minute.\n`;
    }
    case 'ach dismiss':
      return `${(result as { name: string }).name} is dealt with. Debits whose days have passed succeed within a minute, unless another file is rejected.\n`;
  }
}

function describeFiles({ items, has_more, waiting, next_at }: AchFiles): string {
  const head = ['created', 'file id', 'name', 'state', 'entries', 'debits', 'credits', 'returned'];
  const rows = items.map((it) => [
    it.created_at.slice(0, 16),
    it.id,
    it.name,
    it.state,
    String(it.entries),
    ...(it.direction === 'out'
      ? [dollars(it.debits_in_cents), dollars(it.credits_in_cents), String(it.returned)]
      : ['', '', it.reason ?? exceptionsOf(it)]),
  ]);
  const waits =
    waiting === 0
      ? 'No entry waits for a file.'
      : `Waiting for the next file, at ${next_at}: ${counted(waiting)}.`;
  const note = has_more ? `Older files are left out. ${waits}` : waits;
  return rows.length === 0
    ? `There are no ACH files. ${waits}\n`
    : table('ACH files', head, rows, note);
}

function exceptionsOf({ exceptions }: ListedFile): string {
  return exceptions === 0 ? '' : `${counted(exceptions)} not applied: see "svc ach show"`;
}

function describeFile({ items, has_more, exceptions }: ShownFile): string {
  if (exceptions.length > 0) {
    const rows = exceptions.map((it) => [
      String(it.line),
      it.resolved ? 'resolved' : 'open',
      it.reason,
    ]);
    return table('entries that were not applied', ['line', 'state', 'reason'], rows, '');
  }
  const head = ['trace', 'kind', 'amount', 'effective', 'state', 'code', 'key', 'partner'];
  const rows = items.map((it) => [
    it.trace,
    it.kind,
    dollars(it.amount_in_cents),
    it.effective_on ?? '',
    it.state,
    it.return_code ?? '',
    it.key,
    it.pms,
  ]);
  return table('entries', head, rows, has_more ? 'More entries are left out.' : '');
}

function counted(entries: number): string {
  return entries === 1 ? '1 entry' : `${entries} entries`;
}

function dollars(cents: number): string {
  return (cents / 100).toFixed(2);
}
