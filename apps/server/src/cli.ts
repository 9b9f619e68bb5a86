import { open, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { publish } from '@svc/webhooks';
import { readClearNames } from './clear-names.ts';
import { systemClock } from './clock.ts';
import { isCluster } from './cluster.ts';
import {
  ConfigError,
  readConfig,
  readDatabaseConfig,
  readUnknownSettings,
  showConfig,
} from './config.ts';
import { type AuditReport, keyKnownForMs, type LedgerReport, Refusal } from './domain/index.ts';
import { version } from './migrations.ts';
import { openProcessor } from './open-processor.ts';
import {
  type Administration,
  type Answer,
  administer,
  isRecorded,
  isReport,
  needsDatabaseOnly,
} from './operator/administer.ts';
import { checkSettings, describeChecks } from './operator/check-settings.ts';
import { commandFile } from './operator/command-file.ts';
import { createCommandLog } from './operator/command-log.ts';
import { confirmMoney, type Terminal } from './operator/confirm-money.ts';
import { askService } from './operator/control.ts';
import { describeResult } from './operator/describe-result.ts';
import { runDistributeCommand } from './operator/distribute-command.ts';
import { handleClosedOutput } from './operator/handle-closed-output.ts';
import { runMigrateCommand } from './operator/migrate-command.ts';
import { movesMoney } from './operator/money-commands.ts';
import { openForCommand, placeOf } from './operator/open-for-command.ts';
import { openForReport } from './operator/open-for-report.ts';
import { operatingUser } from './operator/operating-user.ts';
import { withContent } from './operator/read-books-command.ts';
import {
  type Command,
  helpOn,
  isDistribution,
  isMigration,
  readCommand,
  UsageError,
} from './operator/read-command.ts';
import type { Operator } from './operator/record-by-operator.ts';
import { runAchBank } from './operator/run-ach-bank.ts';
import { runMailTest } from './operator/run-mail-test.ts';
import { fail } from './operator/run-until-signal.ts';
import { showProgress } from './operator/show-progress.ts';
import { readJsonOption, showSettings } from './operator/show-settings.ts';
import { routingOf } from './relay/open-destinations.ts';
import { routeMessages } from './relay/route-messages.ts';
import { openVault } from './secret-key.ts';
import { lockedVault } from './vault.ts';

const log = createCommandLog((text) => process.stderr.write(text));

// `npm run svc -- <command>`: exits 1 when the command was refused, and 2 when it was called wrongly.
handleClosedOutput();
await main(process.argv.slice(2)).catch(fail);

async function main(args: readonly string[]): Promise<void> {
  let command: Command | undefined;
  try {
    if (args[0] === '--version' || args[0] === 'version') {
      process.stdout.write(`svc ${version}\n`);
      return;
    }
    if (args[0] === 'config') return printSettings(args.slice(1));
    if (args[0] === 'ach-bank') {
      process.stdout.write(await runAchBank(args.slice(1), readConfig(), systemClock.now));
      return;
    }
    if (args[0] === 'mail' && args[1] === 'test') {
      process.stdout.write(await runMailTest(args.slice(2), readConfig(), systemClock));
      return;
    }
    if (args[0] === 'check') {
      await printChecks(args.slice(1));
      return;
    }
    command = readCommand(args);
    if (command) command = { ...command, request: withContent(command.request) };
  } catch (error) {
    if (error instanceof Refusal) {
      process.stderr.write(`${error.message}
`);
      process.exitCode = 1;
      return;
    }
    return exitWrongly(error);
  }
  if (!command) {
    process.stdout.write(helpOn(args));
    return;
  }
  for (const { message } of readUnknownSettings()) process.stderr.write(`${message}\n`);
  const { request, reason, json, createDatabase, out } = command;
  const by = { user: operatingUser(), ...(reason === undefined ? {} : { reason }) };
  if (isMigration(request)) {
    const stop = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
    process.exitCode = await runMigrateCommand(request, {
      config: readDatabaseConfig(),
      createDatabase,
      json,
      by,
      log,
      write: (text) => process.stdout.write(text),
      signal: stop.signal,
    });
    return;
  }
  if (isDistribution(request)) {
    process.exitCode = await runDistributeCommand(request, {
      config: readDatabaseConfig(),
      by,
      log,
      write: (text) => process.stdout.write(text),
    });
    return;
  }
  const order = { ...command, request };
  if (movesMoney(request)) {
    const rehearsal = { ...order, manner: { ...order.manner, dryRun: true } };
    const rehearse = async () => (await run(rehearsal, by)).answer;
    const isConfirmed = await confirmMoney(order, terminal, rehearse).catch(exitWrongly);
    if (isConfirmed === undefined) return;
    if (!isConfirmed) {
      process.exitCode = 1;
      return;
    }
  }
  const { dryRun = false } = command.manner;
  const file = out === undefined || dryRun ? undefined : await createFile(out);
  const { answer, note, source } = await run(order, by);
  // On standard error, so that the JSON on standard output stays valid.
  if (source !== undefined) process.stderr.write(`${source}\n`);
  if (!answer.ok) {
    await file?.discard();
    process.stderr.write(`${answer.message}\n`);
    process.exitCode = 1;
    return;
  }
  const { result, doneAt } = answer;
  if (dryRun) process.stderr.write(dryRunNote(doneAt));
  else if (doneAt !== undefined) process.stderr.write(`${doneBefore(doneAt)}\n`);
  const text = json ? `${JSON.stringify(result, null, 2)}\n` : describeResult(request, result);
  if (file) await file.write(text);
  else process.stdout.write(text);
  // The JSON on standard output stays valid.
  const notes = json || request.command === 'tenant export' ? process.stderr : process.stdout;
  if (note !== undefined && !dryRun) notes.write(`${note}\n`);
  const isVerified = request.command.endsWith(' verify');
  if (isVerified && (result as LedgerReport | AuditReport).faults.length > 0) {
    process.exitCode = 1;
  }
}

function exitWrongly(error: unknown): undefined {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\nRun "svc help" for all commands and options.\n`);
  process.exitCode = 2;
}

function doneBefore(doneAt: string): string {
  return `A command with this idempotency key has done this at ${doneAt}. Nothing was done again.`;
}

function dryRunNote(doneAt: string | undefined): string {
  return doneAt === undefined
    ? 'A dry run: nothing was changed. The command would do this:\n'
    : `A dry run. ${doneBefore(doneAt)}\n`;
}

const terminal: Terminal = {
  isTerminal: process.stdin.isTTY === true && process.stderr.isTTY === true,
  write: (text) => process.stderr.write(text),
  async ask(question) {
    const asked = createInterface({ input: process.stdin, output: process.stderr });
    return asked.question(question).finally(() => asked.close());
  },
};

/** Creates the file before the command runs, whose audit entry says that the data was handed out. */
async function createFile(path: string) {
  const file = await open(commandFile(path), 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError(
      `The file ${path} cannot be created (${error.code}). Name a new file in a folder that exists.`,
    );
  });
  return {
    async write(text: string) {
      await file.writeFile(text);
      await file.close();
    },
    async discard() {
      await file.close();
      await rm(commandFile(path));
    },
  };
}

/** Prints the settings even if some are invalid, because then they are most useful. */
function printSettings(args: readonly string[]): void {
  const shown = showConfig();
  process.stdout.write(showSettings(shown, args));
  if (shown.problems.length === 0) return;
  process.stderr.write(`${shown.problems.join('\n')}\n`);
  process.exitCode = 1;
}

/** Prints what was tried, and exits with 1 if something does not work. */
async function printChecks(args: readonly string[]): Promise<void> {
  const { json } = readJsonOption('check', args);
  const checks = await checkSettings(readConfig(), {
    clock: systemClock,
    log,
    unknown: readUnknownSettings().map(({ message }) => message),
  });
  process.stdout.write(json ? `${JSON.stringify({ checks }, null, 2)}\n` : describeChecks(checks));
  if (checks.some(({ result }) => result === 'failed')) process.exitCode = 1;
}

interface Outcome {
  readonly answer: Answer;
  /** Which database was changed, unless the running service did it. */
  readonly note?: string;
  /** Which server a report was read from, if there is a replica. */
  readonly source?: string | undefined;
}

/** Asks the running service if it holds the embedded database; otherwise opens the database. */
async function run(
  { request, createDatabase, manner }: Command & { readonly request: Administration },
  by: Operator,
): Promise<Outcome> {
  const config = needsDatabaseOnly(request) ? readDatabaseConfig() : readConfig();
  if ('dataDir' in config.database) {
    const answer = await askService(config.dataDir, { request, by, manner });
    if (answer) return { answer };
  }
  const opened =
    isReport(request) && !createDatabase
      ? await openForReport(config, { log })
      : {
          ...(await openForCommand(config, { log, createDatabase })),
          source: undefined,
          isReplica: false,
        };
  const { db, clock, close, source, isReplica } = opened;
  const progress = showProgress(process.stderr, systemClock);
  try {
    const vault = needsDatabaseOnly(request)
      ? lockedVault
      : await openVault(db, config, clock.now());
    const service = {
      environment: config.environment,
      publicOrigin: config.publicOrigin ?? `http://localhost:${config.port}`,
      vault,
      // No service has started yet where there is no key, and these commands store no tenant.
      keepsClearNames: needsDatabaseOnly(request) ? false : await readClearNames(db),
      // The service warns when it starts without a processor. A command does not repeat it.
      ...(await openProcessor(config, {
        db,
        clock,
        log: config.processor === undefined ? { ...log, warn() {} } : log,
      })),
      creditor: config.creditor,
      egressIps: config.egressIps,
      debitAccounts: config.debitAccounts,
      decidesOutside: config.underwriting !== undefined,
      decisionNeedsAccount: config.decisionNeedsAccount,
      deliversWebhooks: config.webhooks === 'embedded',
      cluster: await isCluster(db),
      webhookRetentionMs: 90 * 86_400_000,
      webhookPolicy: { allowPrivate: false, allowHttp: false },
      // A process that serves the database finds these messages within a second.
      publish: routeMessages(routingOf(config), publish),
      wake() {},
    };
    // Other processes may serve this database, and each caches a key for this long at most.
    const revoked = () => sleep(keyKnownForMs);
    const parts = {
      commands: { db, clock, vault, service },
      service,
      log,
      revoked,
      progress: progress.update,
      ...(isReplica
        ? { openPrimary: () => openForCommand(config, { log, createDatabase: false }) }
        : {}),
    };
    const answer = await administer(parts, request, by, manner).finally(progress.end);
    return isRecorded(request)
      ? { answer, note: `Done in ${placeOf(config)}.` }
      : { answer, source };
  } finally {
    await close();
  }
}
