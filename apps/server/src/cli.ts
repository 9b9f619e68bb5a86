import { createInterface } from 'node:readline/promises';
import { systemClock } from '@svc/runtime';
import { readConfig, readDatabaseConfig, readUnknownSettings } from './config.ts';
import { Refusal } from './domain/refusal.ts';
import { version } from './migrations.ts';
import type { Answer } from './operator/administer.ts';
import { createCommandLog } from './operator/command-log.ts';
import { confirmMoney, type Terminal } from './operator/confirm-money.ts';
import { createResultFile } from './operator/create-result-file.ts';
import { handleClosedOutput } from './operator/handle-closed-output.ts';
import { operatingUser } from './operator/operating-user.ts';
import { type Call, parseCommandLine } from './operator/parse-command-line.ts';
import type { Operator } from './operator/record-by-operator.ts';
import { type Outcome, runInService } from './operator/run-in-service.ts';
import type { RunOnceResult } from './operator/run-once.ts';
import { exitWithError } from './operator/run-until-signal.ts';
import { UsageError } from './operator/usage-error.ts';

const log = createCommandLog((text) => process.stderr.write(text));

const terminal: Terminal = {
  isTerminal: process.stdin.isTTY === true && process.stderr.isTTY === true,
  write: (text) => process.stderr.write(text),
  async ask(question) {
    const prompt = createInterface({ input: process.stdin, output: process.stderr });
    return prompt.question(question).finally(() => prompt.close());
  },
};

// `npm run svc-admin -- <command>`: exits 1 when the command was refused, and 2 when it was called wrongly.
handleClosedOutput();
await main(process.argv.slice(2)).catch(exit);

async function main(args: readonly string[]): Promise<void> {
  if (args[0] === '--version' || args[0] === 'version') {
    process.stdout.write(`svc-admin ${version}\n`);
    return;
  }
  const call = parseCommandLine(args);
  if ('help' in call) {
    process.stdout.write(call.help);
    return;
  }
  const { command, reason } = call;
  if (command.scope !== 'settings') {
    for (const { message } of readUnknownSettings()) process.stderr.write(`${message}\n`);
  }
  const by = { user: operatingUser(), ...(reason === undefined ? {} : { reason }) };
  switch (command.scope) {
    case 'settings':
      return print(call, await command.run({ readConfig, clock: systemClock, log }, call.input));
    case 'schema':
      return print(call, await runOnSchema(call, by));
    default:
      return runWithService(call, by);
  }
}

/** Runs a command that works on the schema. The first SIGINT or SIGTERM stops it between two of its steps. */
function runOnSchema(
  { command, input, createDatabase, json }: Call,
  by: Operator,
): Promise<object> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const output = json ? process.stderr : process.stdout;
  const report = (line: string) => void output.write(`${line}\n`);
  const config = readDatabaseConfig();
  const { signal } = stop;
  return command.run({ config, createDatabase, by, log, report, signal }, input);
}

async function runWithService(call: Call, by: Operator): Promise<void> {
  const run = (dryRun: boolean): Promise<Outcome> =>
    runInService({ ...call, manner: { ...call.manner, dryRun } }, { by, log });
  const { dryRun = false } = call.manner;
  if (call.command.money !== undefined) {
    const rehearse = async (): Promise<Answer> => (await run(true)).answer;
    if (!(await confirmMoney(call, terminal, rehearse))) {
      process.exitCode = 1;
      return;
    }
  }
  // Created before the command runs, because the audit entry of the command says that the data was handed out.
  const file = call.out === undefined || dryRun ? undefined : await createResultFile(call.out);
  const { answer, note, source } = await run(dryRun);
  // Written to standard error, so that the JSON on standard output stays valid.
  if (source !== undefined) process.stderr.write(`${source}\n`);
  if (!answer.ok) {
    await file?.discard();
    process.stderr.write(`${answer.message}\n`);
    process.exitCode = 1;
    return;
  }
  const { result, doneAt } = answer;
  if (dryRun) process.stderr.write(dryRunNote(answer));
  else if (doneAt !== undefined) process.stderr.write(`${alreadyDoneNote(doneAt)}\n`);
  await print(call, result, file);
  if (note === undefined || dryRun) return;
  const isData = call.json || call.command.writesFile;
  (isData ? process.stderr : process.stdout).write(`${note}\n`);
}

/** Prints a result, or writes it to a file. A result that has failed sets the exit code. */
async function print(
  { command, input, json }: Call,
  result: object,
  file?: { write(text: string): Promise<void> },
): Promise<void> {
  const text = json ? `${JSON.stringify(result, null, 2)}\n` : command.describe(result, input);
  if (file) await file.write(text);
  else process.stdout.write(text);
  if (command.hasFailed?.(result)) process.exitCode = 1;
}

function exit(error: unknown): void {
  if (error instanceof UsageError) {
    process.stderr.write(`${error.message}\nRun "svc-admin help" for all commands.\n`);
    process.exitCode = 2;
  } else if (error instanceof Refusal) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  } else {
    exitWithError(error);
  }
}

function alreadyDoneNote(doneAt: string): string {
  return `A command with this idempotency key has done this at ${doneAt}. Nothing was done again.`;
}

function dryRunNote({ doneAt, needsApproval }: RunOnceResult): string {
  if (doneAt !== undefined) return `A dry run. ${alreadyDoneNote(doneAt)}\n`;
  const does = needsApproval
    ? 'Once a second person has approved it, the command would do this:'
    : 'The command would do this:';
  return `A dry run: nothing was changed. ${does}\n`;
}
