import type { Permission } from '@svc/contract/operator';
import type { Database, Queryable } from '@svc/db';
import type { Clock, Log } from '@svc/runtime';
import type { Ctx, Service } from '../context.ts';
import type { AuditEntry } from '../domain/audit/record.ts';
import type { Commands } from '../http/command.ts';
import type { Config } from '../service-settings.ts';
import type { Operator } from './record-by-operator.ts';

/** One value of a command line: an argument, an option with a value, or a flag. */
export interface Field<T = unknown, Required extends boolean = boolean> {
  /** `<pms>` or `[pms]` for an argument, `--amount <cents>` for an option, `--all` for a flag. */
  readonly syntax: string;
  /** The summary for the help, as the end of a sentence. Empty for an argument. */
  readonly summary: string;
  readonly isRequired: Required;
  /** @throws UsageError */
  read(text: string): T;
  /**
   * Reads the content of the file that the command line names. Only for a field that names a file.
   * `name` begins the sentence of an error.
   */
  readonly readContent?: (content: string, name: string) => T;
  /** The words that it takes, if there are only a few. */
  readonly choices?: readonly Choice[];
  /** True if it takes several of the choices, separated by commas. */
  readonly takesSeveral?: boolean;
}

/** A word that an option takes, and how the console names it. */
export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** Reads the text of a value. @throws UsageError */
export interface Reader<T> {
  (text: string): T;
  readonly choices?: readonly Choice[];
  readonly takesSeveral?: boolean;
}
type Argument = `<${string}>`;
type OptionalArgument = `[${string}]`;
type Option = `--${string} <${string}>`;

export function argument(syntax: Argument): Field<string, true>;
export function argument<T>(syntax: Argument, read: Reader<T>): Field<T, true>;
export function argument<T>(syntax: Argument, read?: Reader<T>): Field<T | string, true> {
  return { syntax, summary: '', isRequired: true, ...reading(read) };
}

export function optionalArgument(syntax: OptionalArgument): Field<string, false>;
export function optionalArgument<T>(syntax: OptionalArgument, read: Reader<T>): Field<T, false>;
export function optionalArgument<T>(
  syntax: OptionalArgument,
  read?: Reader<T>,
): Field<T | string, false> {
  return { syntax, summary: '', isRequired: false, ...reading(read) };
}

export function option(syntax: Option, summary: string): Field<string, false>;
export function option<T>(syntax: Option, summary: string, read: Reader<T>): Field<T, false>;
export function option<T>(
  syntax: Option,
  summary: string,
  read?: Reader<T>,
): Field<T | string, false> {
  return { syntax, summary, isRequired: false, ...reading(read) };
}

export function requiredOption(syntax: Option, summary: string): Field<string, true>;
export function requiredOption<T>(syntax: Option, summary: string, read: Reader<T>): Field<T, true>;
export function requiredOption<T>(
  syntax: Option,
  summary: string,
  read?: Reader<T>,
): Field<T | string, true> {
  return { syntax, summary, isRequired: true, ...reading(read) };
}

/** An option that names a file. The operator's console sends the file's content instead. */
export function fileOption<T>(
  syntax: Option,
  summary: string,
  { readContent, open }: Required<Pick<Field<T>, 'readContent'>> & { open(path: string): string },
): Field<T, true> {
  const read = (path: string) => readContent(open(path), `The file ${path}`);
  return { syntax, summary, isRequired: true, read, readContent };
}

/** An option without a value. It is `true`, or left out of the input. */
export function flag(syntax: `--${string}`, summary: string): Field<true, false> {
  return { syntax, summary, isRequired: false, read: () => true };
}

function reading<T>(
  read?: Reader<T>,
): Pick<Field<T | string>, 'read' | 'choices' | 'takesSeveral'> {
  const { choices, takesSeveral } = read ?? {};
  return {
    read: read ?? ((text) => text),
    ...(choices && { choices }),
    ...(takesSeveral && { takesSeveral }),
  };
}

export type Fields = Readonly<Record<string, Field>>;

type RequiredKeys<F extends Fields> = {
  [K in keyof F]: F[K] extends Field<unknown, true> ? K : never;
}[keyof F];

/** The input of a command: one property for each of its fields. */
export type InputOf<F extends Fields> = {
  readonly [K in RequiredKeys<F>]: ReturnType<F[K]['read']>;
} & {
  readonly [K in Exclude<keyof F, RequiredKeys<F>>]?: ReturnType<F[K]['read']>;
};

/** The context of a command that runs in one transaction, together with its audit entry. */
export interface TransactionContext extends Ctx {
  readonly by: Required<Pick<Operator, 'user' | 'reason'>>;
  readonly log: Log;
  /** Writes the audit entry. Without it, the change leaves no trace of who made it. */
  record(partnerId: string, entry: AuditEntry): Promise<void>;
}

/** A command that was approved and has run. */
export interface Executed {
  readonly approval_id: string;
  readonly command: string;
  readonly requested_by: string;
  readonly result: object;
  /** The result as text for a terminal. */
  readonly summary: string;
}

/** The context of a command that opens its own transactions, because it changes or reads too much for one. */
export interface StepsContext {
  readonly commands: Commands;
  readonly service: Service;
  readonly by: Operator;
  readonly now: Date;
  /** Opens the primary. Only when `commands.db` is a replica, to which nothing can be written. */
  readonly openPrimary?: () => Promise<{ readonly db: Database; close(): Promise<void> }>;
  /** Runs a command that this person approves. */
  readonly approve: (approvalId: string) => Promise<Executed>;
  /** Called while a long command runs, with how far it is: `40 of 200 tenants`. */
  readonly progress?: (text: string) => void;
}

/** The context of a command that works on the schema. It needs the database's address and no other setting. */
export interface SchemaContext {
  readonly config: Config;
  readonly createDatabase: boolean;
  readonly by: Operator;
  readonly log: Log;
  /** Prints a line while the command runs. */
  readonly report: (line: string) => void;
  /** Ends a long command between two of its steps. */
  readonly signal: AbortSignal;
}

/** The context of a command that needs the settings, and not the database. */
interface SettingsContext {
  /** @throws ConfigError for invalid settings */
  readonly readConfig: () => Config;
  readonly clock: Clock;
  readonly log: Log;
}

interface Contexts {
  readonly transaction: TransactionContext;
  readonly steps: StepsContext;
  readonly schema: SchemaContext;
  readonly settings: SettingsContext;
}

export type Scope = keyof Contexts;

/**
 * The effect of a command: `report` only reads, `change` changes something, and `control` controls money, terms or
 * the books. A change and a control write an audit entry, and a control always needs a reason.
 */
type Effect = 'report' | 'change' | 'control';

/** Inputs that say which partner a command is about: its name, or the id of something that it has. */
export type PartnerInput =
  | 'pms'
  | 'application_id'
  | 'key_id'
  | 'mail_id'
  | 'payment_id'
  | 'payout_id'
  | 'plan_id'
  | 'settlement_id';

/** How the operator's console offers a command. */
interface Offer {
  /** The permission that a person's role must have. */
  readonly needs: Permission;
  /**
   * The input that says which partner it is about. A person limited to certain partners can run no command
   * without it, nor one that leaves it out.
   */
  readonly partner?: PartnerInput;
  /** Set if it needs a fresh proof of who the person is, although its permission alone does not say so. */
  readonly freshProof?: true;
}

/** One operator command. Help, options, audit, `--json` and the choice of the database follow from it. */
export interface Command<
  Name extends string = string,
  F extends Fields = Fields,
  Result extends object = object,
  S extends Scope = Scope,
> {
  readonly name: Name;
  /** The summary for the help, as the end of a sentence. */
  readonly summary: string;
  /** Arguments in the order in which they are typed, and options. Their keys are those of the input. */
  readonly input: F;
  readonly effect: Effect;
  readonly scope: S;
  /** Undefined for a command that only the command line has. */
  readonly console: Offer | undefined;
  /**
   * Returns whether the command needs a reason. Each control needs one, and so does a change that reveals or
   * destroys personal data.
   */
  needsReason(input: InputOf<F>): boolean;
  /**
   * Set for a command that moves money, records that money has moved, or changes what the books say about it. The
   * command takes `--dry-run` and `--idempotency-key`, and asks for confirmation on a terminal. `each time`: a
   * repeat moves the money again. `once`: a repeat finds the new state and is refused.
   */
  readonly money: 'once' | 'each time' | undefined;
  /** When a second person must approve it; undefined for what one person may do (SVC_APPROVALS). */
  readonly approval: Approved<Result, InputOf<F>> | undefined;
  /** True for a report whose answer must not be some seconds old, so that no replica may answer it. */
  readonly readsPrimary: boolean;
  /**
   * True if the command needs only the database. In an emergency it runs on any machine that reaches the database,
   * without the secret key and the other settings.
   */
  readonly needsDatabaseOnly: boolean;
  /** True if `--out` may write the printed result to a file. */
  readonly writesFile: boolean;
  /** How long the transaction may take, in milliseconds; undefined for the limit of a call. */
  readonly timeoutMs: number | undefined;
  /** Says what is wrong with values that are valid one by one, as the end of a sentence that begins with the name. */
  refuse?(input: InputOf<F>): string | undefined;
  run(ctx: Contexts[S], input: InputOf<F>): Promise<Result>;
  /** The result as text for a terminal, with a line break at its end. */
  describe(result: Result, input: InputOf<F>): string;
  /** Returns whether the result must end the program with exit code 1, such as a faulty ledger. */
  hasFailed?(result: Result): boolean;
}

/** Facts about a command's effect that a second person approves. */
export type Facts = Readonly<Record<string, string | number | boolean | null>>;

/** Says when a second person must approve a command, and which facts must not change before it runs. */
export interface Approved<Result, Input> {
  /** `above limit`: if it takes the person's amounts of the last 24 hours above the limit. */
  readonly when: 'always' | 'above limit';
  /** Returns true if one person may do it after all. */
  isExempt?(result: Result): boolean;
  /**
   * Returns the part of the result that counts, without ids that differ in each run. `amount_in_cents` is compared
   * with the limit.
   */
  facts?(result: Result): Facts;
  /** Returns the facts that must not have changed before a command runs that opens its own transactions. */
  target?(tx: Queryable, input: Input): Promise<Facts>;
}

type Defaults =
  | 'approval'
  | 'console'
  | 'money'
  | 'readsPrimary'
  | 'needsDatabaseOnly'
  | 'writesFile'
  | 'timeoutMs';
type Declared<Name extends string, F extends Fields, Result extends object, S extends Scope> = Omit<
  Command<Name, F, Result, S>,
  Defaults | 'input' | 'scope' | 'needsReason'
> &
  Partial<Pick<Command, Exclude<Defaults, 'approval' | 'console'>>> & {
    readonly approval?: Approved<Result, InputOf<F>>;
    readonly console?: Offer & { readonly partner?: keyof F };
    readonly input?: F;
    readonly scope?: S;
    readonly needsReason?: true | ((input: InputOf<F>) => boolean);
  };

/** Controls wait for the transactions that have read them, and may then update many rows. */
const longestControlMs = 60_000;

/** Verification, and a busy day of the books with its 100,000 lines, read every entry of a table. */
export const longestReadMs = 3_600_000;

/** Declares an operator command. `input` is left out for a command without arguments and options. */
export function defineCommand<
  const Name extends string,
  // biome-ignore lint/complexity/noBannedTypes: a command without fields has an empty input
  F extends Fields = {},
  Result extends object = object,
  S extends Scope = 'transaction',
>(declared: Declared<Name, F, Result, S>): Command<Name, F, Result, S> {
  const { needsReason = declared.effect === 'control' } = declared;
  return {
    input: {} as F,
    scope: 'transaction' as S,
    console: undefined,
    money: undefined,
    approval: undefined,
    readsPrimary: false,
    needsDatabaseOnly: false,
    writesFile: false,
    timeoutMs: declared.effect === 'control' ? longestControlMs : undefined,
    ...declared,
    needsReason: typeof needsReason === 'function' ? needsReason : () => needsReason,
  };
}
