import { Command, CommanderError } from 'commander';
import type { CommandParts } from './command.ts';
import { addCertify } from './commands/certify.ts';
import { addCompletion } from './commands/completion.ts';
import { addDoctor } from './commands/doctor.ts';
import { addEvents } from './commands/events.ts';
import { addInit } from './commands/init.ts';
import { addListen } from './commands/listen.ts';
import { addLogin } from './commands/login.ts';
import { addLogs } from './commands/logs.ts';
import { addMcp } from './commands/mcp.ts';
import { addScenario } from './commands/scenario.ts';
import { addTenant } from './commands/tenant.ts';
import { addTrigger } from './commands/trigger.ts';
import type { Environment } from './environment.ts';
import { exitCodes, Failure } from './failure.ts';
import { version } from './version.ts';

const helpFooter = `
Environment:
  SVC_API_KEY, SVC_URL   the API key and the service; they win over the profile
  SVC_PROFILE            the profile, like --profile
  SVC_CONFIG_DIR         the folder of profiles instead of the user's configuration folder
  NO_COLOR               no colors

Exit codes: 0 done, 1 failed, 2 wrong command line, 3 no answer from the service,
            4 no API key or a refused one, 130 interrupted`;

/** Runs one command line. Returns the exit code; never throws. */
export async function run(args: readonly string[], environment: Environment): Promise<number> {
  const parts: CommandParts = { environment, result: { exitCode: exitCodes.ok } };
  const program = createProgram(parts);
  try {
    await program.parseAsync(args.length === 0 ? ['--help'] : [...args], { from: 'user' });
    return parts.result.exitCode;
  } catch (error) {
    return report(error, { program, args, environment });
  }
}

export function createProgram(parts: CommandParts): Command {
  const { output } = parts.environment;
  const program = new Command('svc')
    .description('Svc for developers: talks to a service with your API key.')
    .version(version, '-V, --version', 'print the version')
    .option('--json', 'print JSON: one document, or one line for each event')
    .option('--profile <name>', 'use this profile of "svc login"')
    .option('--url <url>', 'the address of the service')
    .option('--no-color', 'print without colors')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => output.write(text),
      // `report` prints errors.
      writeErr: () => {},
      getOutHelpWidth: () => Math.min(output.columns ?? 100, 100),
      getOutHasColors: () => false,
    })
    .exitOverride()
    .addHelpText('after', helpFooter);
  addLogin(program, parts);
  addListen(program, parts);
  addTrigger(program, parts);
  addScenario(program, parts);
  addEvents(program, parts);
  addTenant(program, parts);
  addLogs(program, parts);
  addDoctor(program, parts);
  addCertify(program, parts);
  addInit(program, parts);
  addMcp(program, parts);
  addCompletion(program, parts);
  return program;
}

interface Call {
  readonly program: Command;
  readonly args: readonly string[];
  readonly environment: Environment;
}

function report(error: unknown, call: Call): number {
  if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.ok;
  const failure =
    error instanceof CommanderError
      ? usageOf(error, call)
      : error instanceof Failure
        ? error
        : unexpected(error, call.environment);
  print(failure, call);
  return failure.exitCode;
}

/** Returns Commander's message, which names the closest option or command, with a pointer to the help. */
function usageOf(error: CommanderError, { program, args }: Call): Failure {
  const message = error.message
    .replace(/^error: /, '')
    .replace(/\n\(Did you mean (.*)\?\)$/, '. Did you mean $1?')
    .replace(/^\w/, (first) => first.toUpperCase())
    .replace(/[^.?]$/, '$&.');
  return new Failure(error.code === 'commander.help' ? 'A command is missing.' : message, {
    next: `Run "${commandOf(program, args)} --help" for how to use it.`,
    exitCode: exitCodes.usage,
    code: 'usage',
  });
}

/** Returns the command that the arguments name, as far as they do, such as `svc tenant show`. */
function commandOf(program: Command, args: readonly string[]): string {
  let command = program;
  const names = ['svc'];
  for (const arg of args) {
    const next = command.commands.find((it) => it.name() === arg);
    if (!next) continue;
    names.push(arg);
    command = next;
  }
  return names.join(' ');
}

/** Reports a bug of this program. The stack trace helps its authors only, so it must be asked for. */
function unexpected(error: unknown, environment: Environment): Failure {
  if (environment.variables.SVC_DEBUG && error instanceof Error) {
    environment.errors.write(`${error.stack}\n`);
  }
  return new Failure(`Something failed in this command: ${(error as Error).message}`, {
    next: 'Run it again with SVC_DEBUG=1 and report what it prints.',
    code: 'internal_error',
  });
}

function print(failure: Failure, { args, environment: { errors } }: Call): void {
  const { code, message, next } = failure;
  if (args.includes('--json')) {
    errors.write(`${JSON.stringify({ error: { code, message, next: next ?? null } })}\n`);
    return;
  }
  errors.write(`svc: ${message}\n`);
  if (next) errors.write(`     ${next}\n`);
}
