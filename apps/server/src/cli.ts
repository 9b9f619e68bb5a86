import { userInfo } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { publish } from '@svc/webhooks';
import { systemClock } from './clock.ts';
import { type Config, readConfig } from './config.ts';
import {
  type ApiKeyLine,
  type Dispute,
  keyKnownForMs,
  type LedgerReport,
  type Listed,
  type Loss,
} from './domain/index.ts';
import { createLog } from './main.ts';
import {
  type Administration,
  type Answer,
  administer,
  isRecorded,
  type Operator,
} from './operator/administer.ts';
import { askService } from './operator/control.ts';
import {
  describeDisputes,
  describeKeys,
  describeLosses,
  dollars,
} from './operator/describe-lists.ts';
import { openForCommand, placeOf } from './operator/open-for-command.ts';
import { fail } from './operator/run-until-signal.ts';
import { openVault } from './secret-key.ts';

const help = `Usage: npm run svc -- <command>

  partner create <pms>   a partner with its first API key
  key list [<pms>]       every key: id, partner, last characters, created, last used, state
  key create <pms>       one more API key, for a rotation
  key revoke <key id>    ends a key at once, and every widget signature made with it
  settlement reopen <id> lets the portal debit us again, after a debit failed or was returned
  dispute list           payments that a bank took back, and what became of them
  loss list              plans that were written off, and what is still owed
  ledger verify          adds the ledger up again and checks its seals

<pms> is the portal's name: 2 to 63 characters of a-z, 0-9, _ and -.

  --reason <text>        why, for the audit log: with create, revoke and reopen
  --create-database      make the database if there is none yet; otherwise only the service does

The command works on the database of the running service: the one in SVC_DATA_DIR (.svc here), or
the one that DATABASE_URL names. Give it the settings that the service has.
`;

await main(process.argv.slice(2)).catch(fail);

async function main(words: readonly string[]): Promise<void> {
  if (words.length === 0 || words.some((word) => ['help', '--help', '-h'].includes(word))) {
    process.stdout.write(help);
    return;
  }
  const given = readCommand(words);
  if ('problem' in given) {
    process.stderr.write(`${given.problem}\n\n${help}`);
    process.exitCode = 2;
    return;
  }
  const { request } = given;
  const { answer, note } = await ask(readConfig(), given);
  if (!answer.ok) {
    process.stderr.write(`${answer.message}\n`);
    process.exitCode = 1;
    return;
  }
  process.stdout.write(describe(request, answer.result as Record<string, string>));
  if (note !== undefined) process.stdout.write(`${note}\n`);
  if (request.command === 'ledger verify' && faultsOf(answer.result).length > 0) {
    process.exitCode = 1;
  }
}

interface Command {
  readonly request: Administration;
  readonly by: Operator;
  readonly createDatabase: boolean;
}

function readCommand(words: readonly string[]): Command | { readonly problem: string } {
  let parsed: ReturnType<typeof parseWords>;
  try {
    parsed = parseWords(words);
  } catch (error) {
    return { problem: (error as Error).message };
  }
  const { positionals, values } = parsed;
  const request = readRequest(positionals);
  if (!request) return { problem: `There is no command "${positionals.join(' ')}".` };
  const { reason } = values;
  if (reason !== undefined && !isRecorded(request)) {
    return { problem: `"${request.command}" changes nothing, so it takes no --reason.` };
  }
  if (reason !== undefined && !/^[^\p{Cc}]{1,200}$/u.test(reason)) {
    return { problem: '--reason takes one line of at most 200 characters.' };
  }
  const by = { user: userInfo().username, ...(reason === undefined ? {} : { reason }) };
  return { request, by, createDatabase: values['create-database'] };
}

function parseWords(words: readonly string[]) {
  return parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      reason: { type: 'string' },
      'create-database': { type: 'boolean', default: false },
    },
  });
}

function readRequest([noun, verb, subject, ...rest]: readonly string[]):
  | Administration
  | undefined {
  const command = `${noun} ${verb}`;
  if (subject === undefined) {
    const isAlone = ['key list', 'ledger verify', 'dispute list', 'loss list'].includes(command);
    return isAlone ? ({ command } as Administration) : undefined;
  }
  if (rest.length > 0) return undefined;
  switch (command) {
    case 'partner create':
    case 'key create':
    case 'key list':
      return { command, pms: subject };
    case 'key revoke':
      return { command: 'key revoke', key_id: subject };
    case 'settlement reopen':
      return { command: 'settlement reopen', settlement_id: subject };
    default:
      return undefined;
  }
}

interface Asked {
  readonly answer: Answer;
  /** Where it was done, when no running service did it. */
  readonly note?: string;
}

/** Through the running service if it holds the embedded database, else on the database directly. */
async function ask(config: Config, { request, by, createDatabase }: Command): Promise<Asked> {
  if ('dataDir' in config.database) {
    const answer = await askService(config.dataDir, { request, by });
    if (answer) return { answer };
  }
  const log = createLog('warn');
  const db = await openForCommand(config, { log, createDatabase });
  try {
    const vault = await openVault(db, config, systemClock.now());
    const service = {
      environment: config.environment,
      publicOrigin: config.publicOrigin ?? `http://localhost:${config.port}`,
      vault,
      creditor: config.creditor,
      egressIps: config.egressIps,
      decidesOutside: config.underwriting !== undefined,
      webhookPolicy: { allowPrivate: false, allowHttp: false },
      // A process that serves the database claims these messages within a second.
      publish,
      wake() {},
    };
    // Other processes may serve the same database: each caches a key for this long at most.
    const revoked = () => sleep(keyKnownForMs);
    const parts = { commands: { db, clock: systemClock, vault, service }, service, log, revoked };
    const answer = await administer(parts, request, by);
    return isRecorded(request) ? { answer, note: `Done in ${placeOf(config)}.` } : { answer };
  } finally {
    await db.close();
  }
}

function describe(request: Administration, result: Record<string, string>): string {
  switch (request.command) {
    case 'partner create':
    case 'key create':
      return `pms      ${request.pms}\nkey id   ${result.key_id}\nAPI key  ${result.api_key}\n\nThe key is shown only once: store it with your backend's secrets.\n`;
    case 'key list':
      return describeKeys(result as unknown as { items: ApiKeyLine[] });
    case 'key revoke':
      return result.revoked
        ? `Revoked ${request.key_id} of ${result.pms}: calls and widget signatures made with it are refused from now on.\n`
        : `${request.key_id} of ${result.pms} was already revoked.\n`;
    case 'settlement reopen':
      return `${request.settlement_id} is unsettled again: the portal is told to debit by ${result.debit_by}.\n`;
    case 'dispute list':
      return describeDisputes(result as unknown as Listed<Dispute>);
    case 'loss list':
      return describeLosses(result as unknown as Listed<Loss>);
    case 'ledger verify':
      return describeLedger(result as unknown as LedgerReport);
  }
}

function faultsOf(result: object): readonly string[] {
  return (result as LedgerReport).faults;
}

function describeLedger(report: LedgerReport): string {
  const accounts = Object.entries(report.trial_balance).map(
    ([kind, total]) => `  ${kind.padEnd(20)} ${dollars(total).padStart(16)}\n`,
  );
  const { transfers, seals, unsealed, faults } = report;
  const verdict =
    faults.length === 0
      ? 'The ledger balances and every seal holds.\n'
      : faults.map((fault) => `FAULT: ${fault}\n`).join('');
  return `Transfers: ${transfers}, seals: ${seals}, not sealed yet: ${unsealed}.\n${accounts.join('')}${verdict}`;
}
