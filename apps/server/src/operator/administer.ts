import { type Database, DatabaseUnreachable, isOutage } from '@svc/db';
import type { Log, Service } from '../context.ts';
import {
  type AuditEntry,
  createKey,
  createPartner,
  type LedgerReport,
  listDisputes,
  listKeys,
  listLosses,
  Refusal,
  recordAudit,
  reopenSettlement,
  revokeKey,
  saveCheckpoints,
  type VerifyProgress,
  verifyFromCheckpoints,
} from '../domain/index.ts';
import type { Commands } from '../http/command.ts';
import { newId } from '../ids.ts';
import { runUnitOfWork } from '../unit-of-work.ts';
import { type AuditFilter, listAuditLog } from './list-audit-log.ts';
import { rotateSecret } from './rotate-secret.ts';

/** A request of the command line. */
export type Administration =
  | { readonly command: 'partner create'; readonly pms: string }
  | { readonly command: 'key create'; readonly pms: string }
  | { readonly command: 'key list'; readonly pms?: string }
  | { readonly command: 'key revoke'; readonly key_id: string }
  | { readonly command: 'settlement reopen'; readonly settlement_id: string }
  | { readonly command: 'dispute list' }
  | { readonly command: 'loss list' }
  | ({ readonly command: 'audit list' } & AuditFilter)
  | { readonly command: 'ledger verify'; readonly full?: true }
  | { readonly command: 'secret rotate' };

/** The person who runs a command, for the audit log. */
export interface Operator {
  /** The operating system's user. */
  readonly user: string;
  readonly reason?: string;
}

export type Answer =
  | { readonly ok: true; readonly result: object }
  | { readonly ok: false; readonly message: string };

export interface Administered {
  readonly commands: Commands;
  readonly service: Service;
  readonly log: Log;
  /** Opens the primary. Only when `commands.db` is a replica, to which nothing can be written. */
  readonly openPrimary?: () => Promise<{ readonly db: Database; close(): Promise<void> }>;
  /** Called while a long report is read. */
  readonly progress?: (progress: VerifyProgress) => void;
  /** Resolves once no process has the revoked key in its cache. */
  readonly revoked: () => void | Promise<void>;
}

/**
 * Runs one operator command in its own transaction, together with its audit entry. A refusal is
 * returned as an answer; any other error is thrown.
 */
export async function administer(
  parts: Administered,
  request: Administration,
  by: Operator,
): Promise<Answer> {
  try {
    const result = await run(parts, request, by);
    if (request.command === 'key revoke') await parts.revoked();
    return { ok: true, result };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { ok: false, message: error.message };
  }
}

/** Whether the command changes something and therefore writes an audit entry. */
export function isRecorded({ command }: Administration): boolean {
  return ['partner create', 'key create', 'key revoke', 'settlement reopen'].includes(command);
}

/** Whether the command only reads, and its answer may be some seconds old. */
export function isReport({ command }: Administration): boolean {
  return ['audit list', 'dispute list', 'ledger verify', 'loss list'].includes(command);
}

function run(parts: Administered, request: Administration, by: Operator): Promise<object> {
  const { commands, log } = parts;
  const now = commands.clock.now();
  if (request.command === 'ledger verify') return verify(parts, request.full ?? false, now);
  if (request.command === 'secret rotate') return rotateSecret(commands.db, commands.vault);
  return runUnitOfWork(commands, now, async (uow): Promise<object> => {
    const requestId = newId('req', now);
    const actor = { kind: 'system' as const };
    const ctx = { ...uow, actor, requestId, address: null, log };
    const record = (partnerId: string, entry: AuditEntry) =>
      recordAudit(
        ctx,
        { partnerId, via: 'cli', credentialId: by.user },
        by.reason === undefined
          ? entry
          : { ...entry, details: { ...entry.details, reason: by.reason } },
      );
    switch (request.command) {
      case 'partner create': {
        const created = await createPartner(ctx, { pms: request.pms });
        const details = { pms: request.pms, key_id: created.key_id };
        await record(created.partner_id, { action: 'partner.created', details });
        return created;
      }
      case 'key create': {
        const { partner_id, ...key } = await createKey(ctx, { pms: request.pms });
        await record(partner_id, { action: 'key.created', subject_id: key.key_id });
        return key;
      }
      case 'key list':
        return listKeys(ctx, request);
      case 'key revoke': {
        const { partner_id, ...result } = await revokeKey(ctx, { key_id: request.key_id });
        if (result.revoked) {
          await record(partner_id, { action: 'key.revoked', subject_id: request.key_id });
        }
        return result;
      }
      case 'settlement reopen': {
        const { partner_id, ...reopened } = await reopenSettlement(ctx, {
          id: request.settlement_id,
        });
        const { id, amount_in_cents, debit_by } = reopened;
        const details = { amount_in_cents, debit_by };
        await record(partner_id, { action: 'settlement.reopened', subject_id: id, details });
        return reopened;
      }
      case 'dispute list':
        return listDisputes(ctx);
      case 'loss list':
        return listLosses(ctx);
      case 'audit list':
        return listAuditLog(ctx, request);
    }
  });
}

/** The result of `svc ledger verify`. */
export interface VerifiedLedger extends LedgerReport {
  /** Why the next run cannot start from a checkpoint of this one, if it was read from a replica. */
  readonly note?: string;
}

// A full verification reads every entry of the ledger.
const longestVerifyMs = 3_600_000;

/** Verifies in a transaction that only reads, then stores the checkpoints for the next run. */
async function verify(
  { commands, openPrimary, progress }: Administered,
  full: boolean,
  now: Date,
): Promise<VerifiedLedger> {
  const { db, vault } = commands;
  const options = { vault, full, now, ...(progress ? { progress } : {}) };
  const { report, checkpoints } = await runUnitOfWork(
    commands,
    now,
    ({ tx }) => verifyFromCheckpoints(tx, options),
    { timeoutMs: longestVerifyMs },
  );
  if (checkpoints.length === 0) return report;
  if (!openPrimary) {
    await saveCheckpoints(db, vault, checkpoints);
    return report;
  }
  try {
    const primary = await openPrimary();
    await saveCheckpoints(primary.db, vault, checkpoints).finally(() => primary.close());
    return report;
  } catch (error) {
    if (!(error instanceof DatabaseUnreachable || isOutage(error))) throw error;
    const note =
      'No checkpoint was written, because the primary cannot be used. The next run reads the same transfers again.';
    return { ...report, note };
  }
}
