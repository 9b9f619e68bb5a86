import { isOutage } from '@svc/db';
import type { Log } from '@svc/runtime';

/**
 * The log of one command: a line of text for each warning, on standard error, so that JSON on standard
 * output stays valid. An outage of the database ends the command with a sentence, so its errors are
 * left out here.
 */
export function createCommandLog(write: (text: string) => void): Log {
  const line: Log['warn'] = (fields, message) => {
    const { err, ...rest } = fields as { err?: unknown } & Record<string, unknown>;
    if (isOutage(err)) return;
    const details = Object.entries(rest).map(([name, value]) => ` ${name}=${String(value)}`);
    const cause = err instanceof Error ? `: ${err.message}` : '';
    write(`${message}${details.join('')}${cause}\n`);
  };
  return { info() {}, warn: line, error: line };
}
