import { setTimeout as sleep } from 'node:timers/promises';
import { migrate, openDatabase } from '@svc/db';
import { publish } from '@svc/webhooks';
import { systemClock } from './clock.ts';
import { type Config, readConfig } from './config.ts';
import {
  type Dispute,
  keyKnownForMs,
  type LedgerReport,
  type Listed,
  type Loss,
} from './domain/index.ts';
import { createLog } from './main.ts';
import { migrations } from './migrations.ts';
import { type Administration, type Answer, administer } from './operator/administer.ts';
import { askService } from './operator/control.ts';
import { describeDisputes, describeLosses, dollars } from './operator/describe-lists.ts';
import { fail } from './operator/run-until-signal.ts';
import { openVault } from './secret-key.ts';

const help = `Usage: npm run svc -- <command>

  partner create <pms>   a partner with its first API key
  key create <pms>       one more API key, for a rotation
  key revoke <key id>    ends a key at once, and every widget signature made with it
  settlement reopen <id> lets the portal debit us again, after a debit failed or was returned
  dispute list           payments that a bank took back, and what became of them
  loss list              plans that were written off, and what is still owed
  ledger verify          adds the ledger up again and checks its seals

<pms> is the portal's name: 2 to 63 characters of a-z, 0-9, _ and -.
`;

await main(process.argv.slice(2)).catch(fail);

async function main(words: readonly string[]): Promise<void> {
  if (words.length === 0 || words.some((word) => ['help', '--help', '-h'].includes(word))) {
    process.stdout.write(help);
    return;
  }
  const request = readRequest(words);
  if (!request) {
    process.stderr.write(`There is no command "${words.join(' ')}".\n\n${help}`);
    process.exitCode = 2;
    return;
  }
  const answer = await ask(readConfig(), request);
  if (answer.ok) {
    process.stdout.write(describe(request, answer.result as Record<string, string>));
    if (request.command === 'ledger verify' && faultsOf(answer.result).length > 0) {
      process.exitCode = 1;
    }
    return;
  }
  process.stderr.write(`${answer.message}\n`);
  process.exitCode = 1;
}

function readRequest([noun, verb, subject, ...rest]: readonly string[]):
  | Administration
  | undefined {
  const command = `${noun} ${verb}`;
  if (subject === undefined) {
    const isAlone = ['ledger verify', 'dispute list', 'loss list'].includes(command);
    return isAlone ? ({ command } as Administration) : undefined;
  }
  if (rest.length > 0) return undefined;
  switch (command) {
    case 'partner create':
      return { command: 'partner create', pms: subject };
    case 'key create':
      return { command: 'key create', pms: subject };
    case 'key revoke':
      return { command: 'key revoke', key_id: subject };
    case 'settlement reopen':
      return { command: 'settlement reopen', settlement_id: subject };
    default:
      return undefined;
  }
}

/** Through the running service where it holds the embedded database, else on the database itself. */
async function ask(config: Config, request: Administration): Promise<Answer> {
  if ('dataDir' in config.database) {
    const answer = await askService(config.dataDir, request);
    if (answer) return answer;
  }
  const log = createLog('warn');
  const db = await openDatabase(config.database, { log });
  try {
    await migrate(db, migrations);
    const vault = await openVault(db, config, systemClock.now());
    const service = {
      environment: config.environment,
      publicOrigin: config.publicOrigin ?? `http://localhost:${config.port}`,
      vault,
      creditor: config.creditor,
      egressIps: config.egressIps,
      decidesOutside: config.underwriting !== undefined,
      webhookPolicy: { allowPrivate: false, allowHttp: false },
      // Whoever serves the database finds it within a second.
      publish,
    };
    const follow = { opened() {}, committed() {} };
    // Other processes may serve the same database: they know a key for this long at most.
    const revoked = () => sleep(keyKnownForMs);
    return await administer(
      { commands: { db, clock: systemClock, vault, ...follow }, service, log, revoked },
      request,
    );
  } finally {
    await db.close();
  }
}

function describe(request: Administration, result: Record<string, string>): string {
  switch (request.command) {
    case 'partner create':
    case 'key create':
      return `pms      ${request.pms}\nkey id   ${result.key_id}\nAPI key  ${result.api_key}\n\nThe key is shown this once: keep it with your backend's secrets.\n`;
    case 'key revoke':
      return result.revoked
        ? `Revoked ${request.key_id} of ${result.pms}: calls and widget signatures made with it are refused from now on.\n`
        : `${request.key_id} of ${result.pms} was revoked before.\n`;
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
