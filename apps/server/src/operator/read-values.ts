import { readFileSync } from 'node:fs';
import type { Reader } from './command.ts';
import { commandFile } from './command-file.ts';
import { UsageError } from './usage-error.ts';

/**
 * Returns a reader that accepts one of the known words. Errors name the option as `name`, such as `--format`.
 * `labelOf` returns the label of a word for people.
 */
export function readOneOf<T extends string>(
  name: string,
  known: readonly T[],
  labelOf: (word: T) => string = (word) => word,
): Reader<T> {
  const read = (text: string) => {
    const found = known.find((it) => it === text);
    if (found !== undefined) return found;
    throw new UsageError(`${name} must be one of ${known.join(', ')}, not "${text}".`);
  };
  return Object.assign(read, {
    choices: known.map((value) => ({ value, label: labelOf(value) })),
  });
}

/** Returns a reader of known words separated by commas. A repeated word counts once. */
export function readSeveralOf<T extends string>(
  name: string,
  known: readonly T[],
  labelOf?: (word: T) => string,
): Reader<readonly T[]> {
  const readOne = readOneOf(name, known, labelOf);
  const read = (text: string) => [...new Set(text.split(',').map((it) => readOne(it.trim())))];
  return Object.assign(read, {
    takesSeveral: true,
    ...(readOne.choices && { choices: readOne.choices }),
  });
}

/** Returns a reader of a number from 1 to 9999. Errors name the option as `name`, such as `--payment`. */
export function readNumber(name: string): (text: string) => number {
  return (text) => {
    if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
    throw new UsageError(`${name} must be a number such as 2, not "${text}".`);
  };
}

/** Returns a reader of a calendar day. Errors name the value as `name`, such as `--from` or `The day`. */
export function readDay(name: string): (text: string) => string {
  return (text) => {
    const midnight = new Date(`${text}T00:00:00Z`);
    const exists =
      /^\d{4}-\d\d-\d\d$/.test(text) &&
      !Number.isNaN(midnight.getTime()) &&
      // JavaScript reads 2026-02-30 as 2 March.
      midnight.toISOString().startsWith(text);
    if (exists) return text;
    throw new UsageError(`${name} must be a day such as 2026-03-02, not "${text}".`);
  };
}

/** Returns a reader of one line of text, for people to read. */
export function readLine(
  name: string,
  { least = 0, most }: { readonly least?: number; readonly most: number },
): (text: string) => string {
  return (text) => {
    if (text.length >= least && text.length <= most && !/\p{Cc}/u.test(text)) return text;
    const length = least === 0 ? `at most ${most}` : `${least} to ${most}`;
    throw new UsageError(`${name} must be one line of ${length} characters.`);
  };
}

/** Reads an e-mail address. */
export function readAddress(text: string): string {
  if (/^[^\s@<>"]+@[^\s@<>"]+$/.test(text) && text.length <= 254) return text;
  throw new UsageError(`"${text}" is no address. Pass one such as ops@bank.example.`);
}

/** Returns a reader of one of our ids: the prefix, `_` and 26 characters. `from` is the command that lists them. */
export function readId(
  prefix: string,
  { name, from }: { readonly name: string; readonly from: string },
): (text: string) => string {
  const pattern = new RegExp(`^${prefix}_[0-9a-z]{26}$`);
  return (text) => {
    if (pattern.test(text)) return text;
    throw new UsageError(
      `${name} must be an id such as ${prefix}_…, which "${from}" lists, not "${text}".`,
    );
  };
}

/** Reads a file that the command line names. @throws UsageError when it cannot be read */
export function readFile(path: string): Buffer {
  try {
    return readFileSync(commandFile(path));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(`The file ${path} cannot be read (${code}).`);
  }
}
