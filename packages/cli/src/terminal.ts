import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { Environment, Screen } from './environment.ts';
import { usageFailure } from './failure.ts';

const styles = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;
export type Style = keyof typeof styles;

/** Prints to a terminal or a pipe. Text from the service or a receiver must pass through `clean`. */
export interface Terminal {
  readonly json: boolean;
  /** Standard output is a terminal. */
  readonly interactive: boolean;
  /** Prints a line for people. With `--json` it is left out. */
  print(line?: string): void;
  /** Prints one JSON document on one line; only with `--json`. */
  printJson(value: unknown): void;
  /** Prints a line on standard error: notes and progress, which are not part of the result. */
  note(line: string): void;
  paint(style: Style, text: string): string;
  /** Shows that `work` takes time: a spinner with seconds on a terminal, else a line after 2 s. */
  busy<T>(label: string, work: Promise<T>): Promise<T>;
  ask(question: string, options?: { hidden?: boolean }): Promise<string>;
}

export function createTerminal(
  environment: Environment,
  options: { json: boolean; color: boolean },
): Terminal {
  const { output, errors, variables } = environment;
  const allowed = options.color && !variables.NO_COLOR && variables.TERM !== 'dumb';
  const colored = allowed && output.isTTY === true;
  return {
    json: options.json,
    interactive: output.isTTY === true,
    print(line = '') {
      if (!options.json) output.write(`${line}\n`);
    },
    printJson(value) {
      if (options.json) output.write(`${JSON.stringify(value)}\n`);
    },
    note(line) {
      errors.write(`${line}\n`);
    },
    paint: (style, text) => (colored ? `\x1b[${styles[style]}m${text}\x1b[0m` : text),
    busy: (label, work) => showBusy(errors, label, work),
    ask: (question, { hidden = false } = {}) => askQuestion(environment, question, hidden),
  };
}

const spinnerMs = 100;
const silentMs = 2_000;

async function showBusy<T>(errors: Screen, label: string, work: Promise<T>): Promise<T> {
  const began = performance.now();
  const terminal = errors.isTTY === true;
  const draw = () => {
    const seconds = ((performance.now() - began) / 1000).toFixed(0);
    const frame = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'[Math.floor((performance.now() - began) / spinnerMs) % 10];
    errors.write(`\r\x1b[2K${frame} ${label} ${seconds} s`);
  };
  const timer = terminal
    ? setInterval(draw, spinnerMs)
    : setTimeout(() => errors.write(`${label} …\n`), silentMs);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
    if (terminal) errors.write('\r\x1b[2K');
  }
}

async function askQuestion(
  environment: Environment,
  question: string,
  hidden: boolean,
): Promise<string> {
  const { input, errors } = environment;
  if (!input.isTTY) throw usageFailure(`Cannot ask "${question}" without a terminal.`);
  let muted = false;
  const echo = new Writable({
    write(chunk, _encoding, done) {
      if (!muted) errors.write(chunk);
      done();
    },
  });
  const lines = createInterface({ input, output: echo, terminal: true });
  try {
    const answer = lines.question(`${question} `);
    muted = hidden;
    return (await answer).trim();
  } finally {
    lines.close();
    if (hidden) errors.write('\n');
  }
}

// C0, DEL and C1 controls, line separators, and marks that change the direction of text. A receiver's
// answer or an external id could otherwise move the cursor or rewrite earlier lines.
const unsafeCharacters = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** Makes untrusted text safe to print on one line. */
export function clean(text: string): string {
  return text.replace(/[\r\n\t]+/g, ' ').replace(unsafeCharacters, '\ufffd');
}

/** Like `clean`, and keeps line breaks. */
export function cleanLines(text: string): string {
  return text.split(/\r?\n/).map(clean).join('\n');
}

/** Aligns the cells of each column, without trailing spaces. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.reduce<number[]>((widest, row) => {
    for (const [column, cell] of row.entries()) {
      widest[column] = Math.max(widest[column] ?? 0, cell.length);
    }
    return widest;
  }, []);
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** Formats local time, such as `17:04:11`. */
export function clockTime(at: Date): string {
  return [at.getHours(), at.getMinutes(), at.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}

/** Formats cents as `$1,520.12`. */
export function dollars(cents: number): string {
  return (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' });
}
