import { type Database, DatabaseUnreachable, isOutage } from '@svc/db';
import type { Log, Service, UnitOfWork } from '../context.ts';
import {
  type AuditEntry,
  type AuditReport,
  type BooksReport,
  bookDispute,
  booksDay,
  createKey,
  createPartner,
  eraseTenant,
  exportTenant,
  installation,
  type LedgerReport,
  listBankAccounts,
  listDisputes,
  listKeys,
  listLosses,
  listOpenPayments,
  listPauses,
  listPayments,
  type PauseScope,
  pauseCollections,
  Refusal,
  readAgreement,
  readMoney,
  refundPayment,
  reopenSettlement,
  resumeCollections,
  returnPayment,
  revokeKey,
  saveCheckpoints,
  signAuditChains,
  signBooks,
  startMoney,
  stopMoney,
  type VerifyProgress,
  verifyAudit,
  verifyBooks,
  verifyFromCheckpoints,
} from '../domain/index.ts';
import type { Commands } from '../http/command.ts';
import { newId } from '../ids.ts';
import {
  dropParked,
  listOutbox,
  type OutboxScope,
  retryOutbox,
} from '../relay/administer-outbox.ts';
import { runUnitOfWork } from '../unit-of-work.ts';
import { type AchRequest, isAch, isAchControl, runAch } from './ach-commands.ts';
import {
  type BooksRequest,
  isBooks,
  isBooksControl,
  isBooksReport,
  runBooks,
} from './books-commands.ts';
import { type IncidentRequest, isIncident, runIncidentReport } from './incident-reports.ts';
import { type AuditFilter, listAuditLog } from './list-audit-log.ts';
import { isMail, isMailControl, type MailRequest, runMail } from './mail-commands.ts';
import { type Done, DryRun, type Manner, movesMoney, runOnce } from './money-commands.ts';
import {
  isPayout,
  isPayoutControl,
  isPayoutReport,
  type PayoutRequest,
  runPayouts,
} from './payout-commands.ts';
import { type Operator, recordByOperator } from './record-by-operator.ts';
import { recordCheck } from './record-check.ts';
import { rotateSecret, type SecretRotation } from './rotate-secret.ts';
import { applyVersion, readTerms, type TermsRequest } from './run-terms.ts';
import { type Sealing, sealPersonalData } from './seal-personal-data.ts';

/** A request of the command line. */
export type Administration =
  | AchRequest
  | BooksRequest
  | { readonly command: 'partner create'; readonly pms: string }
  | { readonly command: 'key create'; readonly pms: string }
  | { readonly command: 'key list'; readonly pms?: string }
  | { readonly command: 'key revoke'; readonly key_id: string; readonly even_last?: true }
  | { readonly command: 'settlement reopen'; readonly settlement_id: string }
  | { readonly command: 'money stop' }
  | { readonly command: 'money start' }
  | { readonly command: 'money status' }
  | ({ readonly command: 'collections pause' } & PauseScope)
  | ({ readonly command: 'collections resume' } & PauseScope)
  | { readonly command: 'collections list'; readonly pms?: string }
  | { readonly command: 'payment list'; readonly pms?: string }
  | { readonly command: 'payment list'; readonly pms: string; readonly tenant: string }
  | {
      readonly command: 'payment refund';
      readonly payment_id: string;
      readonly amount_in_cents?: number;
    }
  | {
      readonly command: 'payment return';
      readonly payment_id: string;
      readonly code: string;
      readonly amount_in_cents?: number;
    }
  | { readonly command: 'outbox list'; readonly pms?: string }
  | ({ readonly command: 'outbox retry' } & OutboxScope)
  | ({ readonly command: 'outbox drop' } & Required<OutboxScope>)
  | TermsRequest
  | PayoutRequest
  | { readonly command: 'plan agreement'; readonly plan_id: string }
  | MailRequest
  | { readonly command: 'dispute list' }
  | {
      readonly command: 'dispute book';
      readonly dispute: string;
      readonly amount_in_cents: number;
    }
  | { readonly command: 'loss list' }
  | ({ readonly command: 'audit list' } & AuditFilter)
  | { readonly command: 'audit verify' }
  | { readonly command: 'backup record' }
  | IncidentRequest
  | { readonly command: 'ledger verify'; readonly full?: true }
  | { readonly command: 'secret rotate' }
  | { readonly command: 'tenant seal' }
  | {
      readonly command: 'tenant export' | 'tenant erase';
      readonly pms: string;
      readonly external_id: string;
    };

export type Answer =
  | ({ readonly ok: true } & Done)
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
  manner: Manner = {},
): Promise<Answer> {
  try {
    if (movesMoney(request)) return { ok: true, ...(await runMoney(parts, request, by, manner)) };
    const result = await run(parts, request, by);
    if (request.command === 'key revoke') await parts.revoked();
    return { ok: true, result };
  } catch (error) {
    if (error instanceof DryRun) return { ok: true, ...error.done };
    if (!(error instanceof Refusal)) throw error;
    return { ok: false, message: error.message };
  }
}

/** Whether the command controls money or the terms. It needs a reason. */
export function isControl({ command }: Administration): boolean {
  if (
    isBooksControl(command) ||
    isPayoutControl(command) ||
    isAchControl(command) ||
    isMailControl(command)
  )
    return true;
  return [
    'money stop',
    'money start',
    'collections pause',
    'collections resume',
    'payment refund',
    'payment return',
    'dispute book',
    'settlement reopen',
    'terms apply',
  ].includes(command);
}

/** Whether the command changes something or reveals personal data, and therefore writes an audit entry. */
export function isRecorded(request: Administration): boolean {
  const { command } = request;
  if (isControl(request)) return true;
  if (isBooks(request)) return !isBooksReport(command);
  return [
    'partner create',
    'key create',
    'key revoke',
    'plan agreement',
    'secret rotate',
    'tenant seal',
    'tenant export',
    'tenant erase',
    'outbox retry',
    'outbox drop',
  ].includes(command);
}

/**
 * Whether the command needs the database and no other setting, so that it works in an emergency on any
 * machine that can reach the database. It gets no secret key and no processor.
 */
export function needsDatabaseOnly({ command }: Administration): boolean {
  return ['money stop', 'money status', 'backup record', 'db sessions'].includes(command);
}

/** Whether the command only reads, and its answer may be some seconds old. */
export function isReport({ command }: Administration): boolean {
  if (isBooksReport(command) || isPayoutReport(command)) return true;
  return [
    'ach list',
    'audit list',
    'audit verify',
    'dispute list',
    'ledger verify',
    'loss list',
    'mail list',
    'payment list',
    'terms list',
    'terms preview',
    'terms show',
  ].includes(command);
}

// Controls wait for the transactions that have read them, and may then update many rows.
const longestControlMs = 60_000;

// A busy day of statements has 100,000 lines, and the trial balance reads the ledger.
const longestBooksMs = 3_600_000;

// Verification reads every entry of the ledger or the audit log.
const longestVerifyMs = 3_600_000;

function run(parts: Administered, request: Administration, by: Operator): Promise<object> {
  const { commands, log } = parts;
  const now = commands.clock.now();
  if (request.command === 'ledger verify') return verify(parts, request.full ?? false, now);
  if (request.command === 'audit verify') return verifyLog(parts, now);
  if (request.command === 'backup record') return recordBackup(parts, now);
  if (request.command === 'secret rotate') return rotateAll(commands, by);
  if (request.command === 'terms apply') return applyVersion(commands, request, by);
  if (request.command === 'tenant seal') return sealAll(commands, by);
  return runUnitOfWork(commands, now, (uow) => runIn(uow, { log, request, by }), limitsOf(request));
}

/** Runs a command that moves money, once for its key. A dry run is rolled back, with its events. */
function runMoney(
  { commands, log }: Administered,
  request: Administration,
  by: Operator,
  { dryRun = false, idempotencyKey: key }: Manner,
): Promise<Done> {
  const now = commands.clock.now();
  const work = async (uow: UnitOfWork): Promise<Done> => {
    const act = () => runIn(uow, { log, request, by });
    const { user } = by;
    const done =
      key === undefined ? { result: await act() } : await runOnce(uow, { key, request, user }, act);
    if (dryRun) throw new DryRun(done);
    return done;
  };
  return runUnitOfWork(commands, now, work, limitsOf(request));
}

function limitsOf(request: Administration): { timeoutMs: number } | undefined {
  if (isBooks(request)) return { timeoutMs: longestBooksMs };
  return isControl(request) ? { timeoutMs: longestControlMs } : undefined;
}

/** Runs the command in one transaction, together with its audit entry. */
async function runIn(
  uow: UnitOfWork,
  {
    log,
    request,
    by,
  }: { readonly log: Log; readonly request: Administration; readonly by: Operator },
): Promise<object> {
  const { now } = uow;
  const requestId = newId('req', now);
  const actor = { kind: 'system' as const };
  const ctx = { ...uow, actor, requestId, address: null, log };
  const record = (partnerId: string, entry: AuditEntry) =>
    recordByOperator(ctx, { ...by, partnerId }, entry);
  if (isIncident(request)) return runIncidentReport(ctx.tx, request, now);
  if (isAch(request)) return runAch(ctx, request, record);
  if (isMail(request)) return runMail(ctx, request, record);
  if (isBooks(request)) return runBooks(ctx, request, { by, record });
  if (isPayout(request)) return runPayouts(ctx, request, { by, record });
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
      const { key_id, even_last = false } = request;
      const { partner_id, ...result } = await revokeKey(ctx, { key_id, even_last });
      if (result.revoked) {
        const details = { sessions_ended: result.sessions_ended };
        await record(partner_id, { action: 'key.revoked', subject_id: request.key_id, details });
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
    case 'tenant export':
    case 'tenant erase': {
      const { pms, external_id } = request;
      const about = { pms, external_id };
      const isExport = request.command === 'tenant export';
      const result = await (isExport ? exportTenant(ctx, about) : eraseTenant(ctx, about));
      await record(result.partner_id, {
        action: isExport ? 'tenant.exported' : 'tenant.erased',
        subject_id: result.tenant_id,
        details: { external_id },
      });
      return result;
    }
    case 'money stop': {
      const changed = await stopMoney(ctx, { user: by.user, reason: by.reason ?? '' });
      if (changed) await record(installation, { action: 'money.stopped' });
      return { changed, ...(await readMoney(ctx.tx)) };
    }
    case 'money start': {
      const { changed, tenants_resumed } = await startMoney(ctx);
      const details = { tenants_resumed };
      if (changed) await record(installation, { action: 'money.started', details });
      return { changed, tenants_resumed };
    }
    case 'money status':
      return { ...(await readMoney(ctx.tx)), pauses: (await listPauses(ctx.tx, {})).length };
    case 'collections pause':
    case 'collections resume': {
      const { command, ...scope } = request;
      const isPause = command === 'collections pause';
      const { partner_id, changed } = isPause
        ? await pauseCollections(ctx, scope, { user: by.user, reason: by.reason ?? '' })
        : await resumeCollections(ctx, scope);
      const action = isPause ? 'collections.paused' : 'collections.resumed';
      const { pms: _, ...details } = scope;
      if (changed) await record(partner_id, { action, details });
      return { changed };
    }
    case 'collections list':
      return { items: await listPauses(ctx.tx, request) };
    case 'payment list':
      return 'tenant' in request ? listPayments(ctx.tx, request) : listOpenPayments(ctx, request);
    case 'payment refund': {
      const { payment_id: paymentId, amount_in_cents: amountInCents } = request;
      const { partner_id, ...refund } = await refundPayment(ctx, {
        paymentId,
        ...(amountInCents !== undefined && { amountInCents }),
      });
      const { payment_id: _, ...details } = refund;
      await record(partner_id, { action: 'payment.refunded', subject_id: paymentId, details });
      return refund;
    }
    case 'payment return': {
      const { payment_id: paymentId, code: returnCode, amount_in_cents: amountInCents } = request;
      const { partner_id, ...returned } = await returnPayment(ctx, {
        paymentId,
        returnCode,
        ...(amountInCents !== undefined && { amountInCents }),
      });
      const { payment_id: _, changed, ...details } = returned;
      const entry = { action: 'payment.returned', subject_id: paymentId, details } as const;
      if (changed) await record(partner_id, entry);
      return returned;
    }
    case 'outbox list':
      return listOutbox(ctx.tx, request, now);
    case 'outbox retry': {
      const { command: _, ...scope } = request;
      const result = await retryOutbox(ctx.tx, scope, now);
      const details = { ...scope, ...result };
      await record(installation, { action: 'outbox.retried', details });
      return result;
    }
    case 'outbox drop': {
      const { pms, message_id } = request;
      const result = await dropParked(ctx.tx, { pms, message_id });
      const details = { pms, destinations: result.destinations.join(', ') };
      await record(installation, { action: 'outbox.dropped', subject_id: message_id, details });
      return result;
    }
    case 'terms list':
    case 'terms show':
    case 'terms preview':
      return readTerms(ctx, request);
    case 'plan agreement': {
      const { partner_id: _, ...agreement } = await readAgreement(ctx, {
        planId: request.plan_id,
      });
      const entry = { action: 'agreement.read', subject_id: request.plan_id } as const;
      await record(installation, entry);
      return agreement;
    }
    case 'dispute book': {
      const { dispute, amount_in_cents: amountInCents } = request;
      const { partner_id, ...booked } = await bookDispute(ctx, { dispute, amountInCents });
      const { payment_id, is_booked: _, ...details } = booked;
      await record(partner_id, {
        action: 'payment.dispute_booked',
        subject_id: payment_id,
        details,
      });
      return booked;
    }
    case 'dispute list':
      return listDisputes(ctx);
    case 'loss list':
      return listLosses(ctx);
    case 'audit list':
      return listAuditLog(ctx, request);
    default:
      throw new Error(`${request.command} runs in transactions of its own`);
  }
}

/** Encrypts in many short transactions, and then records it in one. */
async function sealAll(commands: Commands, by: Operator): Promise<Sealing> {
  const sealing = await sealPersonalData(commands.db, commands.vault);
  const now = commands.clock.now();
  await runUnitOfWork(commands, now, async (uow) => {
    const ctx = { ...uow, requestId: newId('req', now), address: null };
    const entry = { action: 'tenants.sealed', details: { ...sealing } } as const;
    await recordByOperator(ctx, { ...by, partnerId: installation }, entry);
  });
  return sealing;
}

/** Rotates in many short transactions, and then signs the audit log and records the rotation in one. */
async function rotateAll(commands: Commands, by: Operator): Promise<SecretRotation> {
  const { resealed, remaining } = await rotateSecret(commands.db, commands.vault);
  const now = commands.clock.now();
  const signAndRecord = async (uow: UnitOfWork): Promise<SecretRotation> => {
    await signBooks(uow);
    const { signed, faulty } = await signAuditChains(uow);
    const ctx = { ...uow, requestId: newId('req', now), address: null };
    const rotation = { resealed, remaining, chains_signed: signed, chains_with_faults: faulty };
    const entry = { action: 'vault.rotated', details: rotation } as const;
    await recordByOperator(ctx, { ...by, partnerId: installation }, entry);
    return rotation;
  };
  return runUnitOfWork(commands, now, signAndRecord, { timeoutMs: longestVerifyMs });
}

/** The result of `svc ledger verify`. */
export interface VerifiedLedger extends LedgerReport {
  /** Ledger, processor and bank side by side, if accounts are registered. Its faults are in `faults`. */
  readonly books?: BooksReport;
  /** Why the next run cannot start from a checkpoint of this one, if it was read from a replica. */
  readonly note?: string;
}

async function verifyLog(parts: Administered, now: Date): Promise<AuditReport> {
  const { vault } = parts.commands;
  const report = await runUnitOfWork(
    parts.commands,
    now,
    ({ tx }) => verifyAudit(tx, { vault, now }),
    { timeoutMs: longestVerifyMs },
  );
  await recordCheck(parts, 'audit', { now, faults: report.faults.length });
  return report;
}

async function recordBackup(parts: Administered, now: Date): Promise<{ recorded_at: string }> {
  await recordCheck(parts, 'backup', { now, faults: 0 });
  return { recorded_at: now.toISOString() };
}

/** Verifies in a transaction that only reads, then stores the checkpoints for the next run. */
async function verify(parts: Administered, full: boolean, now: Date): Promise<VerifiedLedger> {
  const { commands, openPrimary, progress } = parts;
  const { db, vault } = commands;
  const options = { vault, full, now, ...(progress ? { progress } : {}) };
  const { report, checkpoints } = await runUnitOfWork(
    commands,
    now,
    ({ tx }) => verifyFromCheckpoints(tx, options),
    { timeoutMs: longestVerifyMs },
  );
  const verified = await withBooks(commands, report, now);
  await recordCheck(parts, 'ledger', { now, faults: verified.faults.length });
  if (checkpoints.length === 0) return verified;
  if (!openPrimary) {
    await saveCheckpoints(db, vault, checkpoints);
    return verified;
  }
  try {
    const primary = await openPrimary();
    await saveCheckpoints(primary.db, vault, checkpoints).finally(() => primary.close());
    return verified;
  } catch (error) {
    if (!(error instanceof DatabaseUnreachable || isOutage(error))) throw error;
    const note =
      'No checkpoint was written, because the primary cannot be used. The next run reads the same transfers again.';
    return { ...verified, note };
  }
}

/** Compares the ledger with the statements of processor and bank, too, where they are imported. */
async function withBooks(
  commands: Commands,
  report: LedgerReport,
  now: Date,
): Promise<VerifiedLedger> {
  const { db, vault } = commands;
  if ((await listBankAccounts(db)).length === 0) return report;
  const books = await runUnitOfWork(
    commands,
    now,
    ({ tx, service }) =>
      verifyBooks(tx, {
        vault,
        today: booksDay(now),
        isSandbox: service.simulator !== null,
      }),
    { timeoutMs: longestVerifyMs },
  );
  return { ...report, books, faults: [...report.faults, ...books.faults] };
}
