import { closestNames, either } from '@svc/contract';
import { CommanderError, Command as Parser } from 'commander';
import type { Command, Field } from './command.ts';
import { type CommandName, commands, type OperatorRequest } from './commands/index.ts';
import { readLine } from './read-values.ts';
import type { Manner } from './run-once.ts';
import { UsageError } from './usage-error.ts';

/** One call of the command line. */
export interface Call {
  readonly command: Command;
  readonly input: object;
  /** The command's name and its input, for a service that runs it. */
  readonly request: OperatorRequest;
  /** The reason for the audit log; undefined for a report, or if none was given. */
  readonly reason: string | undefined;
  readonly createDatabase: boolean;
  /** Print the result as JSON instead of text. */
  readonly json: boolean;
  /** The file to write the result to, instead of standard output. */
  readonly out: string | undefined;
  readonly manner: Manner;
  /** Do not ask on a terminal. */
  readonly yes: boolean;
}

/** The options that commands share. `commonOptions` says to which commands each one applies. */
interface CommonOptions {
  readonly reason?: string;
  readonly json?: true;
  readonly out?: string;
  readonly dryRun?: true;
  readonly idempotencyKey?: string;
  readonly yes?: true;
  readonly breakGlass?: true;
  readonly createDatabase?: true;
}

const everyCommand: readonly Command[] = commands;

function movesMoney({ money }: Command): boolean {
  return money !== undefined;
}

const commonOptions: readonly {
  readonly syntax: string;
  readonly summary: string;
  readonly applies: (command: Command) => boolean;
  /**
   * Names the commands that take the option, for the error of a command that does not. Left out where a list of
   * their names is clearer.
   */
  readonly takenBy?: string;
}[] = [
  {
    syntax: '--reason <text>',
    summary: 'why, for the audit log',
    applies: ({ effect }) => effect !== 'report',
  },
  { syntax: '--json', summary: 'print the result as JSON', applies: () => true },
  {
    syntax: '--out <file>',
    summary: 'write the result to a new file that only you can read',
    applies: ({ writesFile }) => writesFile,
  },
  {
    syntax: '--dry-run',
    summary: 'say what the command would do, and change nothing',
    applies: movesMoney,
    takenBy: 'commands that move money do',
  },
  {
    syntax: '--idempotency-key <key>',
    summary: 'do it once, however often it is repeated with this key',
    applies: movesMoney,
    takenBy: 'commands that move money do',
  },
  {
    syntax: '--yes',
    summary: 'do not ask on the terminal',
    applies: movesMoney,
    takenBy: 'commands that move money do',
  },
  {
    syntax: '--break-glass',
    summary: 'do it without a second person: needs --reason, and raises an alert',
    applies: ({ approval }) => approval !== undefined,
    takenBy: 'commands that a second person approves do',
  },
  {
    syntax: '--create-database',
    summary: 'create the database if there is none; without it only the service does',
    applies: ({ scope }) => scope !== 'settings',
  },
];

/**
 * Parses the arguments of the command line.
 * @throws UsageError when they are wrong
 */
export function parseCommandLine(args: readonly string[]): Call | { readonly help: string } {
  const asksForHelp = args.length === 0 || args[0] === 'help';
  const words = asksForHelp ? [...args.slice(1), '--help'] : args;
  let parsed: Call | undefined;
  let help = '';
  const program = createProgram({
    parsed: (call) => {
      parsed = call;
    },
    write: (text) => {
      help += text;
    },
  });
  try {
    program.parse([...words], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === 'commander.helpDisplayed') return { help };
    throw new UsageError(explainError(error, args));
  }
  if (!parsed) throw new UsageError(explainUnknownCommand(args));
  return parsed;
}

interface ProgramOptions {
  readonly parsed: (call: Call) => void;
  readonly write: (text: string) => void;
}

function createProgram({ parsed, write }: ProgramOptions): Parser {
  const program = commanderOptions(new Parser('svc-admin'), write);
  for (const { syntax, summary } of commonOptions) program.option(syntax, summary);
  program.helpInformation = () => overview;
  const groups = new Map([['', program]]);
  for (const command of everyCommand) {
    const parser = groupOf(command.name.split(' '), groups, write);
    parser.usage(`${usageOf(command).slice(command.name.length + 1)} [options]`.trim());
    parser.description(`${sentence(command.summary)}.`);
    parser.configureHelp({
      showGlobalOptions: true,
      visibleGlobalOptions: () =>
        program.options.filter(({ flags }) =>
          commonOptions.find(({ syntax }) => syntax === flags)?.applies(command),
        ),
    });
    for (const field of Object.values(command.input)) declareArgument(parser, field);
    parser.action(() => parsed(readCall(command, parser)));
  }
  return program;
}

/**
 * Returns the parser of a command or a group, below the parsers of the words before it. For `db distribute plan`,
 * these are `db` and `db distribute`. Creates those that do not exist yet.
 */
function groupOf(
  words: readonly string[],
  groups: Map<string, Parser>,
  write: ProgramOptions['write'],
): Parser {
  const name = words.join(' ');
  const known = groups.get(name);
  if (known) return known;
  const parent = groupOf(words.slice(0, -1), groups, write);
  const parser = commanderOptions(parent.command(words.at(-1) ?? ''), write);
  const ofGroup = everyCommand.filter((it) => it.name.startsWith(`${name} `));
  if (ofGroup.length > 0) parser.helpInformation = () => helpOnGroup(name, ofGroup);
  groups.set(name, parser);
  return parser;
}

function commanderOptions(parser: Parser, write: ProgramOptions['write']): Parser {
  return (
    parser
      .helpOption('-h, --help', 'print this help')
      .helpCommand(false)
      .configureOutput({ writeOut: write, writeErr: () => {}, getOutHelpWidth: () => 100 })
      .exitOverride()
      // `readInput` refuses excess arguments instead, with an error that names the command.
      .allowExcessArguments()
  );
}

function declareArgument(parser: Parser, { syntax, summary, isRequired }: Field): void {
  if (syntax.startsWith('--')) {
    parser.option(syntax, isRequired ? `${summary} (required)` : summary);
  } else {
    parser.argument(`[${syntax.slice(1, -1)}]`);
  }
}

/** @throws UsageError */
function readCall(command: Command, parser: Parser): Call {
  const { name, effect } = command;
  const common = parser.optsWithGlobals<CommonOptions>();
  refuseCommonOptions(command, common);
  const input = readInput(command, parser);
  const problem = command.refuse?.(input);
  if (problem !== undefined) throw new UsageError(`"${name}" ${problem}.`);
  const { reason, idempotencyKey, breakGlass } = common;
  if (reason !== undefined) readReason(reason);
  if (reason === undefined && command.needsReason(input)) {
    throw new UsageError(`"${name}" needs --reason "<why>", for the audit log.`);
  }
  if (reason === undefined && breakGlass) {
    throw new UsageError('--break-glass needs --reason "<why>", for the audit log.');
  }
  if (idempotencyKey !== undefined && !/^[\x21-\x7e]{1,255}$/.test(idempotencyKey)) {
    throw new UsageError('--idempotency-key must be 1 to 255 visible ASCII characters.');
  }
  const manner = {
    ...(movesMoney(command) && { dryRun: common.dryRun ?? false }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(breakGlass && { breakGlass }),
  };
  return {
    command,
    input,
    request: { command: name as CommandName, ...input } as OperatorRequest,
    reason: effect === 'report' ? undefined : reason,
    createDatabase: common.createDatabase ?? false,
    json: common.json ?? false,
    out: common.out,
    manner,
    yes: common.yes ?? false,
  };
}

const readReason = readLine('--reason', { least: 1, most: 200 });

/** Refuses an option that the command would ignore, because the operator expects it to have an effect. */
function refuseCommonOptions(command: Command, given: CommonOptions): void {
  for (const { syntax, applies, takenBy } of commonOptions) {
    const flag = flagOf(syntax);
    const isGiven = given[camelCase(flag) as keyof CommonOptions] !== undefined;
    if (!isGiven || applies(command)) continue;
    if (flag === '--reason') {
      throw new UsageError(`"${command.name}" changes nothing, so it takes no --reason.`);
    }
    const users = takenBy ?? listOf(everyCommand.filter(applies));
    throw new UsageError(`"${command.name}" takes no ${flag}; only ${users}.`);
  }
}

function readInput(command: Command, parser: Parser): Record<string, unknown> {
  const { name, input } = command;
  const options: Readonly<Record<string, unknown>> = parser.opts();
  const args = [...parser.args];
  const values = Object.entries(input).map(([key, field]) => {
    const isOption = field.syntax.startsWith('--');
    const given = isOption ? options[camelCase(flagOf(field.syntax))] : args.shift();
    if (given === undefined && field.isRequired) {
      throw new UsageError(
        isOption
          ? `"${name}" needs ${field.syntax}: ${field.summary}.`
          : `"${name}" needs ${field.syntax}: ${usageOf(command)}.`,
      );
    }
    return given === undefined ? [] : [[key, field.read(String(given))] as const];
  });
  if (args[0] !== undefined) throw new UsageError(`"${name}" does not take "${args[0]}".`);
  return Object.fromEntries(values.flat());
}

/** Says in a sentence for the operator why commander refused the arguments. */
function explainError({ code, message }: CommanderError, args: readonly string[]): string {
  const [, quoted = ''] = /'([^']*)'/.exec(message) ?? [];
  if (code === 'commander.optionMissingArgument')
    return `${flagOf(quoted)} needs a value: ${quoted}.`;
  if (code !== 'commander.unknownOption') return explainUnknownCommand(args);
  const named = everyCommand.find((it) => isNamedBy(it, args));
  const users = everyCommand.filter((it) => flagsOf(it).includes(quoted));
  if (named && users.length > 0)
    return `"${named.name}" takes no ${quoted}; only ${listOf(users)}.`;
  const closest = closestNames(quoted, named ? flagsOf(named) : everyCommand.flatMap(flagsOf));
  const hint = closest.length === 0 ? '' : ` Did you mean ${either([...new Set(closest)])}?`;
  return `There is no option ${quoted}.${hint}`;
}

/** The options of a command, without their values. */
function flagsOf(command: Command): string[] {
  const common = commonOptions.filter(({ applies }) => applies(command));
  return [...Object.values(command.input), ...common]
    .filter(({ syntax }) => syntax.startsWith('--'))
    .map(({ syntax }) => flagOf(syntax));
}

function isNamedBy({ name }: Command, args: readonly string[]): boolean {
  return `${args.filter((arg) => !arg.startsWith('-')).join(' ')} `.startsWith(`${name} `);
}

/** Names the group's commands, or those that are spelled almost the same. */
function explainUnknownCommand(args: readonly string[]): string {
  const words = args.filter((arg) => !arg.startsWith('-'));
  const names = everyCommand.map(({ name }) => name);
  const wrong = `There is no command "${words.join(' ')}".`;
  const closest = closestNames(words.slice(0, 2).join(' '), names);
  if (closest.length > 0) return `${wrong} Did you mean ${either(closest.map((it) => `"${it}"`))}?`;
  const group = names.filter((it) => it.split(' ')[0] === words[0]);
  if (group.length === 0) return wrong;
  const quoted = group.map((it) => `"${it}"`);
  return `${wrong} The commands on ${words[0]} are ${either(quoted).replace(/ or (?="[^"]*"$)/, ' and ')}.`;
}

/** `"payment refund" does`, or `"outbox retry" and "outbox drop" do`; the first few of many. */
function listOf(users: readonly Pick<Command, 'name'>[]): string {
  const names = users.map(({ name }) => `"${name}"`);
  if (names.length === 1) return `${names[0]} does`;
  const shown = names.length > 6 ? names.slice(0, 5) : names;
  const rest = names.length - shown.length;
  if (rest > 0) return `${shown.join(', ')} and ${rest} others do`;
  return `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)} do`;
}

/** `payment refund <payment id>` */
export function usageOf({ name, input }: Command): string {
  const args = Object.values(input)
    .map(({ syntax }) => syntax)
    .filter((syntax) => !syntax.startsWith('--'));
  return [name, ...args].join(' ');
}

/** Returns the flag without its value: `--amount` for `--amount <cents>`. */
function flagOf(syntax: string): string {
  return syntax.split(' ', 1)[0] ?? syntax;
}

/** Returns the name that commander gives to the value of a flag: `asOf` for `--as-of`. */
function camelCase(flag: string): string {
  return flag.slice(2).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function sentence(summary: string): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}`;
}

function listing(entries: readonly (readonly [usage: string, summary: string])[]): string {
  return entries.map(([usage, summary]) => `  ${usage.padEnd(34)} ${summary}\n`).join('');
}

function entryOf(command: Command): readonly [string, string] {
  return [usageOf(command), command.summary];
}

function helpOnGroup(name: string, ofGroup: readonly Command[]): string {
  return `Usage: svc-admin ${name} <command>\n\n${listing(ofGroup.map(entryOf))}\n"svc-admin help <command>" shows the options of a command.\n`;
}

/** The help on everything. `serve` is run by the entry point itself. */
const overview = `Usage: svc-admin <command>, or npm run svc-admin -- <command> in a checkout

${listing([['serve', 'run the service'], ...everyCommand.map(entryOf)])}
<pms> is the portal's name: 2 to 63 characters of a-z, 0-9, _ and -.

"svc-admin help <command>" shows the options of a command. Those of many commands:
${commonOptions.map(({ syntax, summary }) => `  ${syntax.padEnd(26)} ${summary}\n`).join('')}
Run it with the settings of the service. It uses the same database: the one in SVC_DATA_DIR
(.svc by default), or the one that DATABASE_URL names.
`;

/**
 * Refuses a command without an idempotency key if a repeat would move the money again. Called where no one looks at
 * a terminal.
 * @throws UsageError
 */
export function requireKey({ command, manner: { dryRun, idempotencyKey } }: Call): void {
  if (command.money !== 'each time' || dryRun || idempotencyKey !== undefined) return;
  throw new UsageError(
    `"${command.name}" moves money each time it runs. Outside a terminal it needs --idempotency-key <key>, such as the number of your ticket: with the same key it moves money once. --dry-run shows what it would do.`,
  );
}
