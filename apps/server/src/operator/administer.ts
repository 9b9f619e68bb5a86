import type { Log } from '@svc/runtime';
import { Refusal } from '../domain/refusal.ts';
import { newId } from '../ids.ts';
import type { ProcessorDefinition } from '../processors/define-processor.ts';
import { runUnitOfWork } from '../unit-of-work.ts';
import type { Command, StepsContext, TransactionContext } from './command.ts';
import { type CommandName, commands, type OperatorRequest } from './commands/index.ts';
import { type Operator, recordByOperator } from './record-by-operator.ts';
import { type Done, DryRun, type Manner, runOnce } from './run-once.ts';

export type Answer =
  | ({ readonly ok: true } & Done)
  | { readonly ok: false; readonly message: string };

/** The parts of the service in which a command runs. */
export interface Administered extends Omit<StepsContext, 'by' | 'now'> {
  readonly log: Log;
  /** Resolves once no process has the revoked key in its cache. */
  readonly revoked: () => void | Promise<void>;
  /** Their commands run, too. Those of this release are known without it. */
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

/**
 * Runs one operator command, together with its audit entry. A refusal is returned as an answer; any other
 * error is thrown.
 */
export async function administer(
  parts: Administered,
  request: OperatorRequest,
  by: Operator,
  manner: Manner = {},
): Promise<Answer> {
  const { command: name, ...input } = request;
  const command = commandOf(name, parts.processors);
  const now = parts.commands.clock.now();
  try {
    if (isInTransaction(command)) {
      const done = await runInTransaction(parts, { command, input, request, by, manner });
      if (request.command === 'key revoke') await parts.revoked();
      return { ok: true, ...done };
    }
    if (isInSteps(command)) {
      return { ok: true, result: await command.run({ ...parts, by, now }, input) };
    }
    throw new Error(`"${name}" does not run in the service.`);
  } catch (error) {
    if (error instanceof DryRun) return { ok: true, ...error.done };
    if (!(error instanceof Refusal)) throw error;
    return { ok: false, message: error.message };
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

interface Call {
  readonly command: InTransaction;
  readonly input: object;
  readonly request: OperatorRequest;
  readonly by: Operator;
  readonly manner: Manner;
}

/** A command that moves money runs once for its key, and a dry run is rolled back with its events. */
function runInTransaction(
  { commands: parts, log }: Administered,
  { command, input, request, by, manner: { dryRun = false, idempotencyKey: key } }: Call,
): Promise<Done> {
  const now = parts.clock.now();
  const { timeoutMs } = command;
  return runUnitOfWork(
    parts,
    now,
    async (uow) => {
      const ctx = {
        ...uow,
        actor: { kind: 'system' },
        requestId: newId('req', now),
        address: null,
      } as const;
      const context: TransactionContext = {
        ...ctx,
        log,
        by: { user: by.user, reason: by.reason ?? '' },
        record: (partnerId, entry) => recordByOperator(ctx, { ...by, partnerId }, entry),
      };
      const run = () => command.run(context, input);
      const { user } = by;
      const done =
        key === undefined
          ? { result: await run() }
          : await runOnce(uow, { key, request, user }, run);
      if (dryRun) throw new DryRun(done);
      return done;
    },
    timeoutMs === undefined ? undefined : { timeoutMs },
  );
}

export type { CommandName, OperatorRequest };
