import { readFileSync } from 'node:fs';
import { type AccountKind, accountKinds, comparedAccounts, Refusal } from '../domain/index.ts';
import { BadFile } from '../statements/bad-file.ts';
import {
  largestFileBytes,
  parseStatements,
  statementFormats,
} from '../statements/parse-statements.ts';
import type { BooksRequest } from './books-commands.ts';
import { commandFile } from './command-file.ts';
import { UsageError } from './usage-error.ts';

type Name = BooksRequest['command'];

export const booksCommands: Record<Name, { readonly argument?: string; readonly does: string }> = {
  'bank add': {
    argument: '<name>',
    does: 'register a bank account, or our balance at a processor, to compare with the ledger',
  },
  'bank list': { does: 'list these accounts, and until when their statements are imported' },
  'statement import': {
    argument: '<file>',
    does: 'import statements for --bank: CSV, BAI2 or camt.053, as a whole or not at all',
  },
  'statement replace': {
    argument: '<file>',
    does: 'replace statements of open days that --bank sent again, corrected',
  },
  'statement simulate': {
    argument: '<bank>',
    does: 'sandbox: write the next statement of an account, until --day',
  },
  'books reconcile': { does: 'match statements and ledger by the rules' },
  'books exceptions': { argument: '[<bank>]', does: 'list what is not matched, and who owns it' },
  'books match': {
    argument: '<items>',
    does: 'match lines and entries by hand: their ids, with commas; --account takes a difference',
  },
  'books unmatch': { argument: '<match id>', does: 'undo a match of an open day' },
  'books assign': { argument: '<item>', does: 'name the --owner of an exception' },
  'books adjust': {
    argument: '<item>',
    does: 'post a transfer that explains an exception, with --account',
  },
  'books write-off': { argument: '<item>', does: 'post an exception as a written-off difference' },
  'books close': { argument: '<day>', does: 'close a day: freeze and seal it' },
  'books reopen': { argument: '<day>', does: 'open the last closed day again' },
  'books days': { does: 'list closed and reopened days' },
  'books accounts': { does: 'list the chart of accounts' },
  'books trial-balance': { does: 'print the balance of each account, today or --as-of a day' },
  'books export': { does: 'print all ledger entries --from a day --to a day, as CSV' },
  'books verify': { does: 'compare ledger, processor and bank; check closed days' },
};

export function isBooksName(name: string): name is Name {
  return Object.hasOwn(booksCommands, name);
}

/** The options of these commands, which all others refuse. */
export const booksOptions = {
  currency: { type: 'string' },
  'account-last4': { type: 'string' },
  'ledger-account': { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  bank: { type: 'string' },
  day: { type: 'string' },
  format: { type: 'string' },
  owner: { type: 'string' },
  account: { type: 'string' },
  partner: { type: 'string' },
  'as-of': { type: 'string' },
} as const;

type Option = keyof typeof booksOptions;
type Values = { readonly [O in Option]?: string | undefined };

/** Also of the commands that share an option with these. */
const takes: Readonly<Record<string, readonly Option[]>> = {
  'bank add': ['currency', 'account-last4', 'ledger-account', 'from'],
  'statement import': ['bank'],
  'statement replace': ['bank'],
  'statement simulate': ['day', 'format'],
  'books assign': ['owner'],
  'books match': ['account', 'partner'],
  'books adjust': ['account', 'partner'],
  'books write-off': ['partner'],
  'books trial-balance': ['as-of'],
  'books export': ['from', 'to'],
  'payout adjust': ['account'],
  'payout statement': ['format'],
  'terms preview': ['partner'],
  'terms apply': ['partner'],
};

export const booksHelp = `  --bank <name>          the registered account (statement import, statement replace)
  --currency, --account-last4, --ledger-account (${comparedAccounts.join(' or ')}), --from <day>
                         what is compared, from that day on (bank add)
  --day, --format        until when, and ${statementFormats.join(', ')} (statement simulate)
  --owner <name>         who looks into it (books assign)
  --account, --partner   the other account of the chart, and the partner (books adjust,
                         books write-off), or of the difference between lines and entries (books match)
  --as-of <day>          the end of that day (books trial-balance)
`;

/** @throws UsageError if an option is passed that the command would ignore */
export function refuseBooksOptions(name: string, values: Values): void {
  const taken = takes[name] ?? [];
  for (const option of Object.keys(booksOptions) as Option[]) {
    if (values[option] === undefined || taken.includes(option)) continue;
    const others = Object.keys(takes).filter((it) => takes[it]?.includes(option));
    const does = others.length === 1 ? 'does' : 'do';
    throw new UsageError(
      `"${name}" takes no --${option}; only ${others.map((it) => `"${it}"`).join(' and ')} ${does}.`,
    );
  }
}

/** @throws UsageError */
export function readBooksCommand(name: Name, argument: string, values: Values): BooksRequest {
  switch (name) {
    case 'bank add':
      return {
        command: name,
        name: nameOf(argument),
        currency: needed(name, values, 'currency'),
        account_last4: last4Of(needed(name, values, 'account-last4')),
        ledger_account: oneOf(
          needed(name, values, 'ledger-account'),
          comparedAccounts,
          'ledger-account',
        ),
        starts_on: dayOf(needed(name, values, 'from'), '--from'),
      };
    case 'statement import':
    case 'statement replace':
      return { command: name, file: argument, bank: needed(name, values, 'bank'), content: null };
    case 'statement simulate':
      return {
        command: name,
        bank: argument,
        day: dayOf(needed(name, values, 'day'), '--day'),
        format: oneOf(values.format ?? 'csv', statementFormats, 'format'),
      };
    case 'books exceptions':
      return { command: name, ...(argument !== '' && { bank: argument }) };
    case 'books match':
      return {
        command: name,
        items: argument.split(',').map(itemOf),
        ...partnerOf(values),
        ...(values.account !== undefined && { account: accountOf(values.account) }),
      };
    case 'books unmatch':
      if (!/^mat_[0-9a-z]{26}$/.test(argument)) {
        throw new UsageError(
          `"${name}" needs the id of a match, such as mat_…, not "${argument}".`,
        );
      }
      return { command: name, match_id: argument };
    case 'books assign':
      return {
        command: name,
        item: itemOf(argument),
        owner: ownerOf(needed(name, values, 'owner')),
      };
    case 'books adjust':
      return {
        command: name,
        item: itemOf(argument),
        ...partnerOf(values),
        account: accountOf(needed(name, values, 'account')),
      };
    case 'books write-off':
      return { command: name, item: itemOf(argument), ...partnerOf(values) };
    case 'books close':
    case 'books reopen':
      return { command: name, day: dayOf(argument, 'The day') };
    case 'books trial-balance': {
      const asOf = values['as-of'];
      return { command: name, ...(asOf !== undefined && { as_of: dayOf(asOf, '--as-of') }) };
    }
    case 'books export':
      return {
        command: name,
        from: dayOf(needed(name, values, 'from'), '--from'),
        to: dayOf(needed(name, values, 'to'), '--to'),
      };
    case 'bank list':
    case 'books reconcile':
    case 'books days':
    case 'books accounts':
    case 'books verify':
      return { command: name };
  }
}

/**
 * Reads the file of `statement import` or `statement replace`. A hostile or very large file takes the memory and time of this process,
 * and not of the one that serves.
 * @throws UsageError, and Refusal for a file that is no statement
 */
export function withContent<R extends { readonly command: string }>(request: R): R {
  if (!/^statement (import|replace)$/.test(request.command)) return request;
  const { file } = request as R & { readonly file: string };
  let content: Buffer;
  try {
    content = readFileSync(commandFile(file));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(`The file ${file} cannot be read (${code}).`);
  }
  if (content.length > largestFileBytes) {
    throw new UsageError(
      `The file ${file} has more than ${largestFileBytes} bytes. Split it by day.`,
    );
  }
  try {
    return { ...request, content: parseStatements(content) };
  } catch (error) {
    if (!(error instanceof BadFile)) throw error;
    const message = `${file} was not imported. ${error.message}`;
    throw new Refusal('validation_failed', { message });
  }
}

function needed(name: Name, values: Values, option: Option): string {
  const value = values[option];
  if (value === undefined) throw new UsageError(`"${name}" needs --${option}.`);
  return value;
}

function nameOf(text: string): string {
  if (/^[a-z0-9][a-z0-9_-]{1,62}$/.test(text)) return text;
  throw new UsageError(
    `The name must be 2 to 63 characters of a-z, 0-9, _ and -, such as operating, not "${text}".`,
  );
}

function last4Of(text: string): string {
  if (/^[A-Za-z0-9]{4}$/.test(text)) return text;
  throw new UsageError(
    `--account-last4 must be the last 4 characters of the account, not "${text}".`,
  );
}

function oneOf<T extends string>(text: string, known: readonly T[], option: Option): T {
  const found = known.find((it) => it === text);
  if (found !== undefined) return found;
  throw new UsageError(`--${option} must be one of ${known.join(', ')}, not "${text}".`);
}

function dayOf(text: string, what: string): string {
  const at = new Date(`${text}T00:00:00Z`);
  const exists =
    /^\d{4}-\d\d-\d\d$/.test(text) &&
    !Number.isNaN(at.getTime()) &&
    at.toISOString().startsWith(text);
  if (exists) return text;
  throw new UsageError(`${what} must be a day such as 2026-03-02, not "${text}".`);
}

function itemOf(text: string): string {
  if (/^(bln_[0-9a-z]{26}|trf_[0-9a-z]{26}\/(cash|processor_clearing))$/.test(text)) return text;
  throw new UsageError(
    `"${text}" is no item. Copy it from "svc books exceptions": bln_… or trf_…/cash.`,
  );
}

function accountOf(text: string): AccountKind {
  return oneOf(text, accountKinds, 'account');
}

function ownerOf(text: string): string {
  if (/^[^\p{Cc}]{1,100}$/u.test(text)) return text;
  throw new UsageError('--owner must be one line of at most 100 characters.');
}

function partnerOf({ partner }: Values): { partner?: string } {
  return partner === undefined ? {} : { partner };
}
