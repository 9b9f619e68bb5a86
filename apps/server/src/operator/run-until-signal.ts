import {
  DatabaseTooNew,
  DatabaseTooOld,
  DatabaseUnreachable,
  DataFolderLocked,
  DataFolderUnusable,
  MigrationChanged,
  MigrationFailed,
} from '@svc/db';
import { ConfigError } from '../config.ts';

/** Starts a service and closes it on Ctrl-C or SIGTERM. A second signal ends the process at once. */
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

/** Prints the error and exits. Errors that the operator can fix are printed without a stack trace. */
export function fail(error: unknown): never {
  const expected = [
    ConfigError,
    DatabaseTooNew,
    DatabaseTooOld,
    DatabaseUnreachable,
    DataFolderLocked,
    DataFolderUnusable,
    MigrationChanged,
    MigrationFailed,
  ].some((kind) => error instanceof kind);
  process.stderr.write(`${expected ? (error as Error).message : String((error as Error).stack)}\n`);
  process.exit(1);
}
