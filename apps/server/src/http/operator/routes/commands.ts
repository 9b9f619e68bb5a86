import type { FieldError } from '@svc/contract';
import {
  type CommandInfo,
  commandFile,
  commandInput,
  commandOutput,
  commandsOutput,
} from '@svc/contract/operator';
import { z } from 'zod';
import type { OperatorActor } from '../../../domain/access/actor.ts';
import { partnerOf } from '../../../domain/operators/partner-of.ts';
import {
  OutsideLimits,
  requirePartner,
  requirePartnerId,
} from '../../../domain/operators/partners-of.ts';
import { isAllowed } from '../../../domain/operators/roles.ts';
import type { Command, Field } from '../../../operator/command.ts';
import { commands, type OperatorRequest } from '../../../operator/commands/index.ts';
import { UsageError } from '../../../operator/usage-error.ts';
import { processors } from '../../../processors/index.ts';
import { validationFailed } from '../../input/field-errors.ts';
import { type Route, type RouteCtx, route } from '../../route.ts';
import { operatorRoute } from '../operator-route.ts';
import { runCommand } from '../run-command.ts';

type Offered = Command & { readonly console: NonNullable<Command['console']> };
type CommandInput = z.output<typeof commandInput>;

const offered = (commands as readonly Command[]).filter(
  (command): command is Offered => command.console !== undefined,
);

/** The processors of commands, by the commands' names. Only commands of the installation's processor are listed. */
const processorOf = new Map<string, string>(
  processors.flatMap((it) => it.commands.map((command) => [command.name, it.name])),
);

/** Permissions whose changes need a fresh proof of who the person is. */
const guardedPermissions = ['money', 'terms', 'keys', 'people'];

/** The longest value, in characters: 40 items of the books, with commas. */
const longestValue = 2_000;

/** A route for each command that the console offers: `payment refund` is `POST /commands/payment-refund`. */
const runRoutes: readonly Route[] = offered.map((command) => {
  const {
    name,
    summary,
    effect,
    console: { needs, freshProof },
  } = command;
  const isGuarded =
    freshProof === true || (effect !== 'report' && guardedPermissions.includes(needs));
  const row = {
    method: 'POST',
    path: `/commands/${name.replaceAll(' ', '-')}`,
    who: 'operator',
    needs,
    ...(isGuarded && { freshProof: true }),
    // It opens its own transactions, some of them for longer than a call may.
    kind: 'steps',
    tag: 'Commands',
    summary: `${summary.charAt(0).toUpperCase()}${summary.slice(1)}`,
    body: commandInput.extend({ input: inputOf(command) }),
    output: commandOutput,
    audit: 'in_verb',
    verb: (ctx: RouteCtx<OperatorActor>, { body }: { body: CommandInput }) =>
      run(ctx, command, body),
  };
  return route(row as never);
});

/** The console makes its forms from this list. */
const commandList = operatorRoute({
  method: 'GET',
  path: '/commands',
  who: 'operator',
  needs: 'read',
  kind: 'query',
  summary: 'List the commands that you may run',
  output: commandsOutput,
  verb: async ({ actor, service: { processor } }: RouteCtx<OperatorActor>) => ({
    items: offered
      .filter(({ console: { needs } }) => isAllowed(actor, needs))
      .filter(({ name }) => (processorOf.get(name) ?? processor?.name) === processor?.name)
      .map(describeCommand),
  }),
});

export const commandRoutes: readonly Route[] = [commandList, ...runRoutes];

function describeCommand(command: Offered): CommandInfo {
  const { name, summary, effect, money, writesFile, input } = command;
  return {
    name: name.replaceAll(' ', '-'),
    summary,
    needs: command.console.needs,
    effect,
    money: money !== undefined,
    needs_reason: command.needsReason({}),
    writes_file: writesFile,
    fields: Object.entries(input).map(([key, field]) => ({
      name: key,
      syntax: field.syntax,
      summary: field.summary,
      is_required: field.isRequired,
      is_file: field.readContent !== undefined,
      choices: field.choices ? [...field.choices] : null,
      takes_several: field.takesSeveral ?? false,
    })),
  };
}

function inputOf({ input }: Command) {
  const fields = Object.entries(input).map(([key, field]) => {
    const schema = schemaOf(field).describe(field.summary);
    return [key, field.isRequired ? schema : schema.optional()];
  });
  return z.strictObject(Object.fromEntries(fields) as Record<string, z.ZodType<string>>);
}

function schemaOf({ syntax, readContent }: Field): z.ZodType {
  if (readContent) return commandFile;
  const isFlag = syntax.startsWith('--') && !syntax.includes(' ');
  return isFlag ? z.literal(true) : z.union([z.string().min(1).max(longestValue), z.number()]);
}

async function run(
  ctx: RouteCtx<OperatorActor>,
  command: Offered,
  { input: given, reason, dry_run: dryRun = false, idempotency_key: key }: CommandInput,
): Promise<z.input<typeof commandOutput>> {
  await refuseOtherPartners(ctx, command, given);
  const input = readInput(command, given);
  refuseManner(command, { input, reason, dryRun, key });
  const request = { command: command.name, ...input } as OperatorRequest;
  return runCommand(ctx, request, {
    reason,
    dryRun,
    ...(key !== undefined && { idempotencyKey: key }),
  });
}

/**
 * Refuses a command about partners that the person has no access to. Runs before anything else is read, so that no
 * other answer reveals whether there is such a payment or portal.
 */
async function refuseOtherPartners(
  { tx, actor }: RouteCtx<OperatorActor>,
  { console: { partner: subject } }: Offered,
  given: CommandInput['input'],
): Promise<void> {
  if (actor.partners === null) return;
  const id = subject && given[subject];
  if (id === undefined) {
    throw new OutsideLimits('permission_required', {
      message:
        'This is about all portals, and you are limited to some. Name one of them if you can.',
    });
  }
  if (subject === undefined || subject === 'pms') await requirePartner(tx, actor, String(id));
  else requirePartnerId(actor, await partnerOf(tx, { subject, id: String(id) }));
}

function readInput(command: Offered, given: CommandInput['input']): object {
  const errors: FieldError[] = [];
  const values = Object.entries(command.input).flatMap(([key, field]) => {
    const value = given[key];
    if (value === undefined) return [];
    try {
      const text = String(value);
      const read = field.readContent ? field.readContent(text, 'The content') : field.read(text);
      return [[key, read] as const];
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      errors.push(invalid(`input.${key}`, `is invalid. ${error.message.replace(/\.$/, '')}`));
      return [];
    }
  });
  if (errors.length > 0) throw validationFailed(errors);
  const input = Object.fromEntries(values);
  const wrong = command.refuse?.(input);
  if (wrong !== undefined) throw validationFailed([invalid('input', wrong)]);
  return input;
}

function refuseManner(
  command: Offered,
  {
    input,
    reason,
    dryRun,
    key,
  }: { input: object; reason: string | undefined; dryRun: boolean; key: string | undefined },
): void {
  const { effect, money } = command;
  if (effect === 'report' && reason !== undefined) {
    throw validationFailed([invalid('reason', 'must be left out, because this changes nothing')]);
  }
  if (reason === undefined || reason.trim() === '' ? command.needsReason(input as never) : false) {
    throw validationFailed([invalid('reason', 'must say why, for the audit log')]);
  }
  if (money === undefined && (dryRun || key !== undefined)) {
    const param = dryRun ? 'dry_run' : 'idempotency_key';
    throw validationFailed([invalid(param, 'must be left out, because this moves no money')]);
  }
  if (money === 'each time' && !dryRun && key === undefined) {
    const message = 'must be set, because a repeat would move the money again';
    throw validationFailed([invalid('idempotency_key', message)]);
  }
}

function invalid(param: string, message: string): FieldError {
  return { param, code: 'invalid_value', message };
}
