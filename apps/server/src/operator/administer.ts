import type { Log } from '@svc/runtime';
import type { UnitOfWork } from '../context.ts';
import { type AuditEntry, installation } from '../domain/audit/record.ts';
import { isAllowed } from '../domain/operators/roles.ts';
import { Refusal } from '../domain/refusal.ts';
import { newId } from '../ids.ts';
import type { ProcessorDefinition } from '../processors/define-processor.ts';
import { runUnitOfWork } from '../unit-of-work.ts';
import {
  type Approval,
  decideApproval,
  factsText,
  finishApproval,
  lockApproval,
  requireFacts,
  storeApproval,
} from './approvals/approvals.ts';
import { NeedsApproval, needsApproval } from './approvals/needs-approval.ts';
import {
  type Command,
  type Executed,
  type Facts,
  longestReadMs,
  type StepsContext,
} from './command.ts';
import { type CommandName, commands, type OperatorRequest } from './commands/index.ts';
import { formatMinute } from './format.ts';
import { type Operator, recordByOperator } from './record-by-operator.ts';
import { DryRun, type Manner, type RunOnceResult, runOnce } from './run-once.ts';
import { transactionContext } from './transaction-context.ts';

export type Answer =
  | ({ readonly ok: true } & RunOnceResult)
  | {
      readonly ok: false;
      readonly message: string;
      /** The request that waits for a second person. Nothing was done. */
      readonly approvalId?: string;
    };

/** The parts of the service in which a command runs. */
export interface Administered extends Omit<StepsContext, 'by' | 'now' | 'approve'> {
  readonly log: Log;
  /** Resolves once no process has the revoked key in its cache. */
  readonly revoked: () => void | Promise<void>;
  /**
   * Processors whose commands can be run, too. The commands of the processors of this release are known without it.
   */
  readonly processors?: readonly Pick<ProcessorDefinition, 'commands'>[];
}

const byName = new Map<string, Command>(commands.map((it) => [it.name, it]));

/** @throws Error for a name that no command has, such as one of a newer version */
function commandOf(
  name: string,
  processors: readonly Pick<ProcessorDefinition, 'commands'>[] = [],
): Command {
  const others = processors.flatMap((it) => it.commands);
  const command = byName.get(name) ?? others.find((it) => it.name === name);
  if (!command) throw new Error(`There is no command "${name}".`);
  return command;
}

/** A command that was not run, because a second person must approve it. */
export interface Waiting {
  readonly approvalId: string;
  readonly message: string;
}

/**
 * Runs one operator command as `runOperatorCommand` does. A refusal is returned as an answer; any other
 * error is thrown.
 */
export async function administer(
  parts: Administered,
  request: OperatorRequest,
  by: Operator,
  manner: Manner = {},
): Promise<Answer> {
  try {
    const done = await runOperatorCommand(parts, request, by, manner);
    return 'approvalId' in done ? { ok: false, ...done } : { ok: true, ...done };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { ok: false, message: error.message };
  }
}

/**
 * Runs one operator command, together with its audit entry, unless a second person must approve it.
 * @throws Refusal
 */
export async function runOperatorCommand(
  parts: Administered,
  request: OperatorRequest,
  by: Operator,
  manner: Manner = {},
): Promise<RunOnceResult | Waiting> {
  const call = callOf(parts, { request, by, manner });
  const { command } = call;
  try {
    if (isInTransaction(command)) {
      const done = await runInTransaction(parts, { ...call, command });
      if (request.command === 'key revoke') await parts.revoked();
      return done;
    }
    if (isInSteps(command)) return await runInSteps(parts, { ...call, command });
    throw new Error(`"${command.name}" does not run in the service.`);
  } catch (error) {
    if (error instanceof DryRun) return error.done;
    if (error instanceof NeedsApproval) return requestApproval(parts, call, error.facts);
    throw error;
  }
}

/** Formats the result of a command as text for the operator's terminal. */
export function describeResult({ command, ...input }: OperatorRequest, result: object): string {
  return commandOf(command).describe(result, input);
}

type InTransaction = Command<string, Command['input'], object, 'transaction'>;
type InSteps = Command<string, Command['input'], object, 'steps'>;

function isInTransaction(command: Command): command is InTransaction {
  return command.scope === 'transaction';
}

function isInSteps(command: Command): command is InSteps {
  return command.scope === 'steps';
}

interface Call<C extends Command = Command> {
  readonly command: C;
  readonly input: object;
  readonly request: OperatorRequest;
  readonly by: Operator;
  readonly manner: Manner;
  readonly now: Date;
  /** The request that another person approves with this call. */
  readonly approval?: Approval;
}

function callOf(
  { commands: { clock }, processors }: Administered,
  given: Omit<Call, 'command' | 'input' | 'now'>,
): Call {
  const { command: name, ...input } = given.request;
  return { ...given, command: commandOf(name, processors), input, now: clock.now() };
}

function runInTransaction(parts: Administered, call: Call<InTransaction>): Promise<RunOnceResult> {
  const { command, now } = call;
  const limits = command.timeoutMs === undefined ? {} : { timeoutMs: command.timeoutMs };
  const options = { ...limits, onlyReads: command.effect === 'report' };
  return runUnitOfWork(parts.commands, now, (uow) => runIn(uow, parts, call), options);
}

/**
 * Runs a command in the given transaction. With an idempotency key, it runs once for that key. A dry run is rolled
 * back together with its events.
 */
async function runIn(
  uow: UnitOfWork,
  { log }: Administered,
  call: Call<InTransaction>,
): Promise<RunOnceResult> {
  const { command, input, request, by, manner } = call;
  const context = transactionContext(uow, by, log);
  let waits = false;
  const run = async () => {
    const result = await command.run(context, input);
    const { approval } = command;
    if (approval && !approval.isExempt?.(result)) {
      const facts = approval.facts?.(result) ?? {};
      if (manner.dryRun) waits = await needsApproval(uow, { command, facts, by });
      else await requireSecondPerson(uow, call, facts);
    }
    return result;
  };
  const { idempotencyKey: key, dryRun } = manner;
  const done =
    key === undefined
      ? { result: await run() }
      : await runOnce(uow, { key, request, user: by.user }, run);
  if (dryRun) throw new DryRun({ ...done, needsApproval: waits });
  return done;
}

/**
 * Runs a command that opens its own transactions. Whether it needs a second person is decided before the first of
 * them.
 */
async function runInSteps(parts: Administered, call: Call<InSteps>): Promise<RunOnceResult> {
  const { command, input, by, now, approval } = call;
  if (command.approval && !approval) {
    await runUnitOfWork(parts.commands, now, async (uow) =>
      requireSecondPerson(uow, call, await targetOf(uow, call)),
    );
  }
  const approve = (id: string) => approveRequest(parts, { id, by, now });
  return { result: await command.run({ ...parts, by, now, approve }, input) };
}

async function targetOf({ tx }: UnitOfWork, { command, input }: Call): Promise<Facts> {
  return (await command.approval?.target?.(tx, input)) ?? {};
}

/**
 * Returns if one person may do this, if a second person has approved exactly these facts, or if `--break-glass` was
 * given, which is recorded.
 * @throws NeedsApproval, which rolls the command back
 */
async function requireSecondPerson(
  uow: UnitOfWork,
  { command, request, by, manner, approval }: Call,
  facts: Facts,
): Promise<void> {
  if (approval) return requireFacts(approval, facts);
  if (!(await needsApproval(uow, { command, facts, by }))) return;
  if (!manner.breakGlass) throw new NeedsApproval(facts);
  const { id } = await storeApproval(uow, { request, key: manner.idempotencyKey, facts, by });
  await decideApproval(uow, { id, by, state: 'bypassed' });
  const details = { command: command.name, facts: factsText(facts) };
  await record(
    uow,
    { ...by, partnerId: installation },
    { action: 'approval.bypassed', subject_id: id, details },
  );
}

/** Stores a request for approval, after the command was rolled back. */
async function requestApproval(
  { commands: parts }: Administered,
  { request, by, manner, now }: Call,
  facts: Facts,
): Promise<Waiting> {
  const { id, expires_at } = await runUnitOfWork(parts, now, async (uow) => {
    const stored = await storeApproval(uow, { request, key: manner.idempotencyKey, facts, by });
    const details = { command: request.command, facts: factsText(facts) };
    const entry = { action: 'approval.requested', subject_id: stored.id, details } as const;
    await record(uow, { ...by, partnerId: installation }, entry);
    return stored;
  });
  const message = `Nothing is done yet: a second person must approve ${id} until ${formatMinute(expires_at.toISOString())}, with "svc-admin approval approve ${id}" or in the console.`;
  return { message, approvalId: id };
}

/** Runs the command of a request in the name of the person who made it. */
async function approveRequest(
  parts: Administered,
  { id, by, now }: { readonly id: string; readonly by: Operator; readonly now: Date },
): Promise<Executed> {
  const begun = await runUnitOfWork(
    parts.commands,
    now,
    async (uow) => {
      const approval = await lockApproval(uow, { id, by });
      const call = requestedCall(parts, approval, by);
      const { command } = call;
      requireRole(command, by);
      const details = { command: command.name, requested_by: approval.requested_by };
      const entry = { action: 'approval.approved', subject_id: id, details } as const;
      await record(uow, { ...by, partnerId: installation }, entry);
      if (isInTransaction(command)) {
        const done = await runIn(uow, parts, { ...call, command });
        await decideApproval(uow, { id, by, state: 'done' });
        return { call, done };
      }
      // A repeat after an interruption (state `running`) does not compare the facts: the command itself may have
      // changed them.
      if (approval.state === 'open') requireFacts(approval, await targetOf(uow, call));
      await decideApproval(uow, { id, by, state: 'running' });
      return { call, done: undefined };
    },
    { timeoutMs: longestReadMs },
  );
  const { call } = begun;
  const done = begun.done ?? (await finishSteps(parts, call));
  if (call.request.command === 'key revoke') await parts.revoked();
  return {
    approval_id: id,
    command: call.command.name,
    requested_by: call.by.user,
    result: done.result,
    summary: call.command.describe(done.result, call.input),
  };
}

/** In the console, a person approves only what the person could request. */
function requireRole({ name, console: offer }: Command, { role }: Operator): void {
  if (role === undefined || (offer && isAllowed({ role }, offer.needs))) return;
  throw new Refusal('permission_required', {
    message: `Your role does not allow "${name}", so you cannot approve it.`,
  });
}

/** The call that the request asks for, in the name of the person who made it. */
function requestedCall(parts: Administered, approval: Approval, approver: Operator): Call {
  const { request, requested_by, requested_role, operator_id, reason, key } = approval;
  return callOf(parts, {
    request: request as OperatorRequest,
    by: {
      user: requested_by,
      ...(operator_id !== null && { operatorId: operator_id }),
      role: requested_role,
      reason,
      approvedBy: approver.user,
    },
    manner: key === null ? {} : { idempotencyKey: key },
    approval,
  });
}

async function finishSteps(parts: Administered, call: Call): Promise<RunOnceResult> {
  const { command, approval, now } = call;
  if (!isInSteps(command) || !approval) throw new Error(`"${command.name}" cannot be approved.`);
  const done = await runInSteps(parts, { ...call, command });
  await runUnitOfWork(parts.commands, now, (uow) => finishApproval(uow, approval.id));
  return done;
}

function record(
  uow: UnitOfWork,
  by: Operator & { readonly partnerId: string },
  entry: AuditEntry,
): Promise<void> {
  return recordByOperator({ ...uow, requestId: newId('req', uow.now), address: null }, by, entry);
}

export type { CommandName, OperatorRequest };
