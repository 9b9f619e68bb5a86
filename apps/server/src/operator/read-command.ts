import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { auditActions, auditGroups, closestNames, either } from '@svc/contract';
import { operatorActions, type TermsScope } from '../domain/index.ts';
import { mostListed } from '../domain/listed.ts';
import { achCommands, isAchName, readAchCommand } from './ach-commands.ts';
import { type Administration, isControl, isRecorded } from './administer.ts';
import { commandFile } from './command-file.ts';
import type { DistributeRequest } from './distribute-command.ts';
import {
  isMailName,
  mailCommands,
  mailHelp,
  mailOptions,
  readMailCommand,
  refuseUnusedMailOptions,
} from './mail-commands.ts';
import type { MigrateRequest } from './migrate-command.ts';
import { addsUp, type Manner, movesMoney } from './money-commands.ts';
import { readAmount } from './read-amount.ts';
import {
  booksCommands,
  booksHelp,
  booksOptions,
  isBooksName,
  readBooksCommand,
  refuseBooksOptions,
} from './read-books-command.ts';
import {
  isPayoutName,
  payoutCommands,
  payoutHelp,
  payoutOptions,
  readPayoutCommand,
  refusePayoutOptions,
} from './read-payout-command.ts';
import { UsageError } from './usage-error.ts';

export { UsageError };

/** One call of the command line. */
export interface Command {
  readonly request: Administration | MigrateRequest | DistributeRequest;
  /** For the audit log. */
  readonly reason: string | undefined;
  readonly createDatabase: boolean;
  /** Print the result as JSON instead of a table. */
  readonly json: boolean;
  /** The file to write the result to, instead of standard output. */
  readonly out: string | undefined;
  readonly manner: Manner;
  /** Do not ask on a terminal. */
  readonly yes: boolean;
}

type Name = Command['request']['command'];

/** The argument of each command, in brackets where it is optional, and what the command does. */
const commands: Record<Name, { readonly argument?: string; readonly does: string }> = {
  'partner create': { argument: '<pms>', does: 'create a partner and its first API key' },
  'key list': {
    argument: '[<pms>]',
    does: 'list API keys: name, last characters, last use, state',
  },
  'key create': { argument: '<pms>', does: 'create another API key, to rotate keys' },
  'key revoke': {
    argument: '<key id>',
    does: 'revoke a key, its widget signatures and its portal sessions',
  },
  'settlement reopen': {
    argument: '<id>',
    does: 'let the portal debit us again after a debit failed or was returned',
  },
  'money stop': { does: 'stop all charges, refunds and new plans, in every process' },
  'money start': { does: 'let money move again' },
  'money status': { does: 'say whether money is stopped' },
  'collections pause': {
    argument: '<pms>',
    does: 'stop automatic collections of a partner, a property or a tenant',
  },
  'collections resume': { argument: '<pms>', does: 'collect again, also what fell due meanwhile' },
  'collections list': { argument: '[<pms>]', does: 'list what is paused, since when and why' },
  'payment list': {
    argument: '[<pms>]',
    does: 'list open calls, refused refunds and ignored events, or the payments of a --tenant',
  },
  'payment refund': {
    argument: '<payment id>',
    does: 'give a payment back to the tenant at our loss: --amount of it, or --all',
  },
  'payment return': {
    argument: '<payment id>',
    does: 'record that the bank returned a payment, with its --code',
  },
  'payment failures': { does: 'count the failed payments of the last day by the bank’s reason' },
  'outbox list': {
    argument: '[<pms>]',
    does: 'list messages that another system does not have yet, and parked ones',
  },
  'outbox retry': {
    argument: '<pms>',
    does: 'hand parked messages over again, or only --message, without waiting',
  },
  'outbox drop': {
    argument: '<pms>',
    does: 'give up a parked --message: the other system never gets it',
  },
  'terms list': { argument: '[<pms>]', does: 'list the versions of the product’s terms' },
  'terms show': {
    argument: '<version>',
    does: 'print a version’s terms as JSON; "default" is the built-in one',
  },
  'terms preview': { does: 'print the offers for --amount under --file and without it' },
  'terms apply': { does: 'store --file as a new version, in effect from --effective on' },
  'plan agreement': {
    argument: '<plan id>',
    does: 'print what the tenant agreed to, its hash and its terms',
  },
  ...mailCommands,
  'dispute list': { does: 'list payments that a bank reversed, and their outcome' },
  'dispute book': {
    argument: '<dispute id>',
    does: 'book what a bank gave back of a dispute, when no report says how much: --amount in total',
  },
  'loss list': { does: 'list written-off plans and what is still owed' },
  ...payoutCommands,
  ...achCommands,
  ...booksCommands,
  'audit list': { argument: '[<pms>]', does: 'list who changed what, newest first' },
  'audit verify': { does: 'check every entry of the audit log against its sealed chain' },
  'backup record': { does: 'say that a backup is complete, for the alert on its age' },
  'migrate plan': { does: 'list the migrations that "migrate apply" would apply' },
  'migrate apply': { does: 'apply them while other processes serve' },
  'migrate status': { does: 'say whether this version can run on the database' },
  'migrate grant': {
    argument: '<role>',
    does: 'let a database role serve without the right to change the audit log',
  },
  'migrate partitions': {
    does: 'create partitions ahead and drop expired ones, each month, as the tables’ owner',
  },
  'db sessions': { does: 'list the database sessions with the oldest open transactions' },
  'db distribute': {
    argument: '<plan|apply|status>',
    does: 'distribute the tables by partner over the servers of a Citus cluster',
  },
  'ledger verify': { does: 'check balances and seals of the ledger, from the last checkpoint on' },
  'secret rotate': { does: 'encrypt stored secrets again with the first key of SVC_SECRET_KEY' },
  'tenant export': {
    argument: '<pms> <external id>',
    does: 'write everything that is stored about a tenant as JSON',
  },
  'tenant erase': {
    argument: '<pms> <external id>',
    does: 'destroy the key to a tenant’s personal data; money stays',
  },
  'tenant seal': { does: 'delete the clear text that services before 0.3.0 have stored' },
};

/** Commands that the entry points run themselves. */
const localCommands = {
  'ach-bank': {
    argument: '[--trace --code]',
    does: 'sandbox: play the bank that takes and sends ACH files',
  },
  'mail test': { argument: '<address>', does: 'send a test mail to an address' },
  serve: { argument: undefined, does: 'run the service' },
  check: {
    argument: undefined,
    does: 'try the settings: database, role, key, mail, processor, origin, clock',
  },
  config: {
    argument: undefined,
    does: 'print the settings in effect, secrets masked, and where each comes from',
  },
};

const usages = Object.entries({ ...localCommands, ...commands }).map(
  ([name, { argument, does }]) =>
    `  ${[name, argument].filter(Boolean).join(' ').padEnd(34)} ${does}\n`,
);

export const help = `Usage: svc <command>, or npm run svc -- <command> in a checkout

${usages.join('')}
<pms> is the portal's name: 2 to 63 characters of a-z, 0-9, _ and -.

  --reason <text>        why, for the audit log (commands that change something)
  --property <id>        only this property, by its id in the leases (collections)
  --tenant <external id> only this tenant (collections, payment list)
  --amount <cents>       give back only this much (payment refund), the part that a card's bank took
                         (payment return), that it gave back in total (dispute book), the amount
                         to split (terms preview), or to add, or with - to deduct (payout adjust).
                         4100 is the same as 41.00
  --all                  give back all that is left of the payment (payment refund)
  --dry-run              say what the command would do, and change nothing (commands that move money)
  --idempotency-key <key> do it once, however often it is repeated with this key (commands that move money)
  --yes                  do not ask on the terminal (commands that move money)
  --even-last            revoke a portal's last API key, too; needs --reason (key revoke)
  --file <terms.json>    the terms (terms preview, terms apply)
  --partner <pms>        only for this partner (terms preview, terms apply)
  --state <state>        only for properties in this state, such as TX (terms preview, terms apply)
  --effective <date>     the first day of the terms, at the property (terms apply; terms preview)
${mailHelp}  --code <code>          the bank's return code, such as R01 (payment return)
  --message <id>         only this message (outbox)
  --since <time>         entries since a date or instant in UTC, such as 2026-02-01 or
                         2026-02-01T18:00:00Z (audit list)
  --action <action>      entries of one action or group, such as key.revoked or key (audit list)
  --limit <count>        entries to list, 1 to ${mostListed} (audit list)
  --before <entry id>    entries older than this one: the next page (audit list)
  --full                 check the whole ledger instead of what is new (ledger verify)
${booksHelp}${payoutHelp}  --json                 print JSON instead of text (not for steps on the schema)
  --out <file>           write to this new file, readable by you only (tenant export,
                         books export, statement simulate, payout statement, payout send)
  --create-database      create the database if there is none; without it only the service does

Run it with the settings of the service. It uses the same database: the one in SVC_DATA_DIR
(.svc by default), or the one that DATABASE_URL names.
`;

/** The help on the commands that the words name, such as `money` or `money stop`, or on all of them. */
export function helpOn(args: readonly string[]): string {
  const words = args.filter((it) => !it.startsWith('-') && it !== 'help').slice(0, 2);
  const typed = words.join(' ');
  const isNamed = (line: string) => `${line.trim()} `.startsWith(`${typed} `);
  const isInGroup = (line: string) => `${line.trim()} `.startsWith(`${words[0]} `);
  const found = usages.some(isNamed) ? usages.filter(isNamed) : usages.filter(isInGroup);
  if (typed === '' || found.length === 0) return help;
  const options = help
    .split(/\n(?= {2}--)/)
    .slice(1)
    .map((entry) => entry.split('\n\n', 1)[0] ?? '')
    .filter(
      (entry) => isAbout(entry, words) || (movesMoney({ command: typed }) && isOfMoney(entry)),
    );
  const notes = options.length === 0 ? '' : `\n${options.join('\n')}\n`;
  return `Usage: svc <command>\n\n${found.join('')}${notes}\nRun "svc help" for all commands and options.\n`;
}

/** Whether every command that moves money takes the option of this entry. */
function isOfMoney(entry: string): boolean {
  return entry.includes('(commands that move money)');
}

/** Whether the parentheses of an option's entry name one of the commands. */
function isAbout(entry: string, [noun, verb]: readonly string[]): boolean {
  const inParentheses = [...entry.replace(/\s+/g, ' ').matchAll(/\(([^)]+)\)/g)];
  return inParentheses
    .flatMap(([, list = '']) => list.split(/[,;] /))
    .some(
      (it) =>
        it === noun || (verb === undefined ? it.split(' ')[0] === noun : it === `${noun} ${verb}`),
    );
}

/**
 * Parses the arguments of the command line. Undefined means that the help was asked for.
 * @throws UsageError
 */
export function readCommand(args: readonly string[]): Command | undefined {
  const { positionals, values } = parse(args);
  const [noun, verb, argument, ...rest] = positionals;
  if (noun === undefined || noun === 'help' || values.help) return undefined;
  const name = `${noun} ${verb}`;
  if (!isName(name)) throw new UsageError(describeUnknownCommand(positionals));
  const expected = commands[name].argument;
  const [second] = rest;
  const takes = expected === undefined ? 0 : expected.split('> <').length;
  const surplus = [argument, ...rest][takes];
  if (surplus !== undefined) throw new UsageError(`"${name}" does not take "${surplus}".`);
  if (argument === undefined && expected?.startsWith('<')) {
    throw new UsageError(`"${name}" needs an argument: ${name} ${expected}.`);
  }
  if (takes === 2 && second === undefined) {
    throw new UsageError(`"${name}" needs two arguments: ${name} ${expected}.`);
  }
  const request = requestOf(name, [argument, second], values);
  refuseUnusedOptions(request, values);
  const { reason, json, 'create-database': createDatabase } = values;
  if (reason !== undefined && !/^[^\p{Cc}]{1,200}$/u.test(reason)) {
    throw new UsageError('--reason must be one line of at most 200 characters.');
  }
  if (reason === undefined && needsReason.includes(name)) {
    throw new UsageError(`"${name}" needs --reason "<why>", for the audit log.`);
  }
  const manner = readManner(request, values);
  return { request, reason, createDatabase, json, out: values.out, manner, yes: values.yes };
}

function readManner(request: Command['request'], values: Values): Manner {
  const { 'dry-run': dryRun, 'idempotency-key': key } = values;
  if (key !== undefined && !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new UsageError('--idempotency-key must be 1 to 255 visible ASCII characters.');
  }
  for (const [option, isGiven] of Object.entries({
    'dry-run': dryRun,
    'idempotency-key': key !== undefined,
    yes: values.yes,
  })) {
    if (isGiven && !movesMoney(request)) {
      throw new UsageError(
        `"${request.command}" takes no --${option}; only commands that move money do.`,
      );
    }
  }
  return { dryRun, ...(key !== undefined && { idempotencyKey: key }) };
}

/**
 * Refuses a command that would move money again if it were repeated, where nobody looks at a terminal.
 * @throws UsageError
 */
export function requireKey({ request, manner: { dryRun, idempotencyKey } }: Command): void {
  if (!addsUp(request) || dryRun || idempotencyKey !== undefined) return;
  throw new UsageError(
    `"${request.command}" moves money each time it runs. Outside a terminal it needs --idempotency-key <key>, such as the number of your ticket: with the same key it moves money once. --dry-run shows what it would do.`,
  );
}

/** Names the group's commands, or those that are spelled almost the same. */
function describeUnknownCommand(words: readonly string[]): string {
  const typed = words.slice(0, 2).join(' ');
  const names = [...Object.keys(localCommands), ...Object.keys(commands)];
  const wrong = `There is no command "${words.join(' ')}".`;
  const closest = closestNames(typed, names);
  if (closest.length > 0) return `${wrong} Did you mean ${either(closest.map((it) => `"${it}"`))}?`;
  const group = names.filter((it) => it.split(' ')[0] === words[0]);
  return group.length === 0
    ? wrong
    : `${wrong} The commands on ${words[0]} are ${either(group.map((it) => `"${it}"`)).replace(/ or (?="[^"]*"$)/, ' and ')}.`;
}

/** They reveal or destroy personal data, or decide about a partner's messages. */
const needsReason: readonly Name[] = [
  'plan agreement',
  'tenant export',
  'tenant erase',
  'outbox retry',
  'outbox drop',
];

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: joinNegative(args),
      allowPositionals: true,
      options: {
        reason: { type: 'string' },
        since: { type: 'string' },
        action: { type: 'string' },
        limit: { type: 'string' },
        before: { type: 'string' },
        out: { type: 'string' },
        full: { type: 'boolean', default: false },
        all: { type: 'boolean', default: false },
        'even-last': { type: 'boolean', default: false },
        'dry-run': { type: 'boolean', default: false },
        'idempotency-key': { type: 'string' },
        yes: { type: 'boolean', default: false },
        property: { type: 'string' },
        tenant: { type: 'string' },
        amount: { type: 'string' },
        code: { type: 'string' },
        message: { type: 'string' },
        file: { type: 'string' },
        state: { type: 'string' },
        effective: { type: 'string' },
        ...mailOptions,
        ...booksOptions,
        ...payoutOptions,
        json: { type: 'boolean', default: false },
        'create-database': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** `--amount -4100` becomes `--amount=-4100`: `parseArgs` takes the number for another option. */
function joinNegative(args: readonly string[]): string[] {
  const joined: string[] = [];
  for (const arg of args) {
    const before = joined.at(-1);
    if (/^-\d/.test(arg) && before !== undefined && /^--[a-z-]+$/.test(before)) {
      joined[joined.length - 1] = `${before}=${arg}`;
    } else joined.push(arg);
  }
  return joined;
}

type Values = ReturnType<typeof parse>['values'];

function isName(name: string): name is Name {
  return Object.hasOwn(commands, name);
}

function requestOf(
  name: Name,
  [argument, second = '']: readonly (string | undefined)[],
  values: Values,
): Command['request'] {
  const required = argument ?? '';
  const pms = argument === undefined ? {} : { pms: argument };
  if (isAchName(name)) return readAchCommand(name, required);
  if (isMailName(name)) return readMailCommand(name, argument, values);
  if (isBooksName(name)) return readBooksCommand(name, required, values);
  if (isPayoutName(name)) return readPayoutCommand(name, argument, values);
  switch (name) {
    case 'partner create':
    case 'key create':
      return { command: name, pms: required };
    case 'key revoke':
      return {
        command: name,
        key_id: required,
        ...(values['even-last'] ? { even_last: true } : {}),
      };
    case 'settlement reopen':
      return { command: name, settlement_id: required };
    case 'key list':
    case 'collections list':
    case 'outbox list':
      return { command: name, ...pms };
    case 'payment list':
      if (values.tenant === undefined) return { command: name, ...pms };
      if (argument === undefined) {
        throw new UsageError(
          `--tenant needs the partner: payment list <pms> --tenant <external id>.`,
        );
      }
      return { command: name, pms: argument, tenant: values.tenant };
    case 'outbox retry':
      return {
        command: name,
        pms: required,
        ...(values.message === undefined ? {} : { message_id: messageIdOf(values.message) }),
      };
    case 'outbox drop':
      if (values.message === undefined) {
        throw new UsageError('"outbox drop" needs --message <id>, such as one of "outbox list".');
      }
      return { command: name, pms: required, message_id: messageIdOf(values.message) };
    case 'collections pause':
    case 'collections resume':
      return { command: name, pms: required, ...pauseOf(values) };
    case 'payment refund':
      if ((values.amount === undefined) !== values.all) {
        throw new UsageError(
          '"payment refund" needs --amount <cents>, or --all to give back everything that is left.',
        );
      }
      return {
        command: name,
        payment_id: required,
        ...(values.amount === undefined ? {} : { amount_in_cents: readAmount(values.amount) }),
      };
    case 'payment return':
      if (values.code === undefined) {
        throw new UsageError('"payment return" needs --code <code>, such as --code R01.');
      }
      return {
        command: name,
        payment_id: required,
        code: values.code,
        ...(values.amount === undefined ? {} : { amount_in_cents: readAmount(values.amount) }),
      };
    case 'dispute book':
      if (values.amount === undefined) {
        throw new UsageError(
          '"dispute book" needs --amount <cents>: what the bank gave back of the dispute in total.',
        );
      }
      return { command: name, dispute: required, amount_in_cents: readAmount(values.amount) };
    case 'terms list':
      return { command: name, ...pms };
    case 'terms show':
      return { command: name, version: required };
    case 'terms preview':
      if (values.amount === undefined) {
        throw new UsageError('"terms preview" needs --amount <cents>, such as --amount 150000.');
      }
      return {
        command: name,
        terms: readTermsFile(name, values.file),
        amount_in_cents: readAmount(values.amount),
        ...scopeOf(values),
        ...(values.effective === undefined ? {} : { effective: dayOf(values.effective) }),
      };
    case 'terms apply':
      if (values.effective === undefined) {
        throw new UsageError('"terms apply" needs --effective <date>, such as 2027-01-01.');
      }
      return {
        command: name,
        terms: readTermsFile(name, values.file),
        effective: dayOf(values.effective),
        ...scopeOf(values),
      };
    case 'plan agreement':
      return { command: name, plan_id: required };
    case 'audit list':
      return {
        command: name,
        ...pms,
        ...(values.since === undefined ? {} : { since: instantOf(values.since) }),
        ...(values.action === undefined ? {} : { action: actionOf(values.action) }),
        ...(values.limit === undefined ? {} : { limit: limitOf(values.limit) }),
        ...(values.before === undefined ? {} : { before: entryIdOf(values.before) }),
      };
    case 'tenant export':
    case 'tenant erase':
      return { command: name, pms: required, external_id: second };
    case 'db distribute':
      return { command: name, action: distributeActionOf(required) };
    case 'migrate grant':
      return { command: name, role: roleOf(required) };
    case 'ledger verify':
      return { command: name, ...(values.full ? { full: true } : {}) };
    case 'audit verify':
    case 'backup record':
    case 'payment failures':
    case 'db sessions':
    case 'money stop':
    case 'money start':
    case 'money status':
    case 'dispute list':
    case 'loss list':
    case 'secret rotate':
    case 'tenant seal':
    case 'migrate plan':
    case 'migrate apply':
    case 'migrate status':
    case 'migrate partitions':
      return { command: name };
  }
}

/** Whether the command works on the schema, without the service's parts. */
export function isMigration(request: Command['request']): request is MigrateRequest {
  return request.command.startsWith('migrate ');
}

export function isDistribution(request: Command['request']): request is DistributeRequest {
  return request.command === 'db distribute';
}

/** The commands whose result may be a file. */
const written: readonly string[] = [
  'tenant export',
  'books export',
  'statement simulate',
  'payout statement',
  'payout send',
];

const amounts: readonly string[] = [
  'payment refund',
  'payment return',
  'dispute book',
  'terms preview',
  'payout adjust',
];

/** An option that a command would ignore is refused: the operator expects it to have an effect. */
function refuseUnusedOptions(request: Command['request'], values: Values): void {
  const name = request.command;
  const isAudit = name === 'audit list';
  const changes = doesChange(request);
  if (values.reason !== undefined && !changes) {
    throw new UsageError(`"${name}" changes nothing, so it takes no --reason.`);
  }
  if (values.out !== undefined && !written.includes(name)) {
    throw new UsageError(`"${name}" takes no --out; only ${written.join(', ')} do.`);
  }
  refuseBooksOptions(name, values);
  refusePayoutOptions(name, values);
  if (
    values.reason === undefined &&
    !isMigration(request) &&
    !isDistribution(request) &&
    isControl(request)
  ) {
    throw new UsageError(`"${name}" needs --reason "<text>", for the audit log.`);
  }
  for (const option of ['property', 'tenant'] as const) {
    if (
      values[option] !== undefined &&
      name !== 'collections pause' &&
      name !== 'collections resume' &&
      !(option === 'tenant' && name === 'payment list')
    ) {
      throw new UsageError(
        `"${name}" takes no --${option}; only "collections pause" and "collections resume" do.`,
      );
    }
  }
  if (values.amount !== undefined && !amounts.includes(name)) {
    throw new UsageError(
      `"${name}" takes no --amount; only ${amounts.map((it) => `"${it}"`).join(', ')} do.`,
    );
  }
  for (const option of ['file', 'state', 'effective'] as const) {
    if (values[option] !== undefined && name !== 'terms preview' && name !== 'terms apply') {
      throw new UsageError(
        `"${name}" takes no --${option}; only "terms preview" and "terms apply" do.`,
      );
    }
  }
  refuseUnusedMailOptions(name, values);
  if (values.code !== undefined && name !== 'payment return') {
    throw new UsageError(`"${name}" takes no --code; only "payment return" does.`);
  }
  if (values.message !== undefined && name !== 'outbox retry' && name !== 'outbox drop') {
    throw new UsageError(`"${name}" takes no --message; only "outbox retry" and "outbox drop" do.`);
  }
  const isText = isMigration(request) || isDistribution(request) || written.includes(name);
  if (values.json && changes && isText && name !== 'tenant export') {
    throw new UsageError(`"${name}" takes no --json, because its output is text.`);
  }
  if (values.all && name !== 'payment refund') {
    throw new UsageError(`"${name}" takes no --all; only "payment refund" does.`);
  }
  if (values['even-last'] && name !== 'key revoke') {
    throw new UsageError(`"${name}" takes no --even-last; only "key revoke" does.`);
  }
  if (values['even-last'] && values.reason === undefined) {
    throw new UsageError('--even-last needs --reason "<why>", for the audit log.');
  }
  if (values.full && name !== 'ledger verify') {
    throw new UsageError(`"${name}" takes no --full; only "ledger verify" does.`);
  }
  for (const option of ['since', 'action', 'limit', 'before'] as const) {
    if (values[option] !== undefined && !isAudit) {
      throw new UsageError(`"${name}" takes no --${option}; only "audit list" does.`);
    }
  }
}

function doesChange(request: Command['request']): boolean {
  if (isDistribution(request)) return request.action === 'apply';
  if (isMigration(request)) {
    return request.command !== 'migrate plan' && request.command !== 'migrate status';
  }
  return isRecorded(request);
}

function pauseOf({ property, tenant }: Values): { property?: string; tenant?: string } {
  if (property !== undefined && tenant !== undefined) {
    throw new UsageError('Pass --property or --tenant, not both.');
  }
  for (const [name, id] of Object.entries({ property, tenant })) {
    if (id !== undefined && !/^[^\p{Cc}]{1,200}$/u.test(id)) {
      throw new UsageError(`--${name} must be the id that the portal reports.`);
    }
  }
  return { ...(property !== undefined && { property }), ...(tenant !== undefined && { tenant }) };
}

/** The file's JSON. Its fields are checked where the command runs. */
function readTermsFile(name: Name, path: string | undefined): unknown {
  if (path === undefined) throw new UsageError(`"${name}" needs --file <terms.json>.`);
  try {
    return JSON.parse(readFileSync(commandFile(path), 'utf8'));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(
      code === undefined
        ? `The file ${path} is not JSON: ${message}.`
        : `The file ${path} cannot be read (${code}).`,
    );
  }
}

function scopeOf({ partner, state }: Values): TermsScope {
  return { ...(partner !== undefined && { pms: partner }), ...(state !== undefined && { state }) };
}

function dayOf(text: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(text) && isDay(text)) return text;
  throw new UsageError(`--effective must be a date such as 2027-01-01, not "${text}".`);
}

function isDay(text: string): boolean {
  const at = new Date(text);
  // JavaScript reads 2026-02-30 as 2 March.
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

function instantOf(text: string): string {
  const at = new Date(text);
  const isValid =
    /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z)?$/.test(text) &&
    !Number.isNaN(at.getTime()) &&
    // JavaScript reads 2026-02-30 as 2 March.
    at.toISOString().startsWith(text.slice(0, 10));
  if (isValid) return at.toISOString();
  throw new UsageError(
    `--since must be a date or an instant in UTC, such as 2026-02-01 or 2026-02-01T18:00:00Z, not "${text}".`,
  );
}

function limitOf(text: string): number {
  const limit = Number(text);
  if (/^\d+$/.test(text) && limit >= 1 && limit <= mostListed) return limit;
  throw new UsageError(`--limit must be a number from 1 to ${mostListed}, not "${text}".`);
}

function messageIdOf(text: string): string {
  if (/^evt_[0-9a-z]{26}$/.test(text)) return text;
  throw new UsageError(
    `--message must be the id of a message, evt_ and 26 characters, not "${text}".`,
  );
}

function entryIdOf(text: string): string {
  if (/^aud_[0-9a-z]{26}$/.test(text)) return text;
  throw new UsageError(
    `--before must be the id of an entry, such as the one printed below a list that is cut, not "${text}".`,
  );
}

function distributeActionOf(text: string): DistributeRequest['action'] {
  if (text === 'plan' || text === 'apply' || text === 'status') return text;
  throw new UsageError(`"db distribute" takes plan, apply or status, not "${text}".`);
}

function roleOf(text: string): string {
  // Longer names are cut by PostgreSQL, and others would need quotes.
  if (/^[a-z_][a-z0-9_]{0,62}$/.test(text)) return text;
  throw new UsageError(
    `The role must be 1 to 63 characters of a-z, 0-9 and _, and not begin with a digit, not "${text}".`,
  );
}

function actionOf(text: string): string {
  const groups = new Set([...auditGroups, ...operatorActions.map((it) => it.split('.', 1)[0])]);
  const known: readonly (string | undefined)[] = [...auditActions, ...operatorActions, ...groups];
  if (known.includes(text)) return text;
  throw new UsageError(
    `--action "${text}" does not exist. Pass a group (${[...groups].join(', ')}) or one of its actions, such as key.revoked.`,
  );
}
