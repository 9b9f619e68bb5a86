import {
  DatabaseTooNew,
  DatabaseUnreachable,
  DataFolderLocked,
  DataFolderUnusable,
  MigrationChanged,
} from '@svc/db';
import { ConfigError } from '../config.ts';

/** Starts, and closes on Ctrl-C or SIGTERM; a second one ends the process at once. */
export async function runUntilSignal(
  start: () => Promise<{ close(): Promise<void> }>,
): Promise<void> {
  const starting = start();
  let stopping = false;
  const stop = () => {
    if (stopping) process.exit(130);
    stopping = true;
    starting
      .then(({ close }) => close())
      .then(
        () => process.exit(0),
        (error: unknown) => fail(error),
      );
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  await starting.catch(fail);
}

/** What the operator can mend is one sentence; the rest is ours and shows where it happened. */
export function fail(error: unknown): never {
  const expected = [
    ConfigError,
    DatabaseTooNew,
    DatabaseUnreachable,
    DataFolderLocked,
    DataFolderUnusable,
    MigrationChanged,
  ].some((kind) => error instanceof kind);
  process.stderr.write(`${expected ? (error as Error).message : String((error as Error).stack)}\n`);
  process.exit(1);
}
