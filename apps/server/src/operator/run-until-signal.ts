import {
  DatabaseTooNew,
  DatabaseTooOld,
  DatabaseUnreachable,
  DataFolderLocked,
  DataFolderUnusable,
  isOutage,
  MigrationChanged,
  MigrationFailed,
} from '@svc/db';
import { ConfigError } from '../service-settings.ts';
import { handleClosedOutput } from './handle-closed-output.ts';

/** Starts a service and closes it on Ctrl-C or SIGTERM. A second signal ends the process at once. */
export async function runUntilSignal(
  start: () => Promise<{ close(): Promise<void> }>,
): Promise<void> {
  handleClosedOutput();
  let stopping = false;
  let started: { close(): Promise<void> } | undefined;
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) process.exit(130);
    stopping = true;
    if (started) {
      started.close().then(() => process.exit(0), exitWithError);
      return;
    }
    // Nothing is served yet, and what the start has written is complete or rolled back.
    process.stderr.write(`Stopped by ${signal} before it was ready.\n`);
    process.exit(0);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  started = await start().catch(exitWithError);
}

/** Prints the error and exits. Errors that the operator can fix are printed without a stack trace. */
export function exitWithError(error: unknown): never {
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
  process.stderr.write(`${expected ? (error as Error).message : describe(error)}\n`);
  process.exit(1);
}

function describe(error: unknown): string {
  if (isOutage(error)) {
    return `The database became unavailable: ${(error as Error).message.replace(/\.$/, '')}. Try again once it answers.`;
  }
  return error instanceof Error ? String(error.stack) : String(error);
}
