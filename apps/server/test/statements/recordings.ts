import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A statement that a test has run, with the values of some of its runs as literals. */
export interface Recorded {
  readonly text: string;
  readonly samples: (readonly string[])[];
}

/** The statements that ran on one database of a test file. The database still exists. */
export interface Recording {
  readonly file: string;
  readonly url: string;
  readonly recorded: readonly Recorded[];
}

/** Stores a recording until the end of the test run, so that `readRecordings` finds it in another process. */
export function storeRecording(recording: Recording): void {
  const name = `${process.pid}-${readdirSync(folder()).length}.json`;
  writeFileSync(join(folder(), name), JSON.stringify(recording));
}

/** Reads the recordings of this test run, sorted by test file, and within a file by size, largest first. */
export function readRecordings(): Recording[] {
  return readdirSync(folder())
    .map((name) => JSON.parse(readFileSync(join(folder(), name), 'utf8')) as Recording)
    .toSorted(
      (one, other) =>
        one.file.localeCompare(other.file) || other.recorded.length - one.recorded.length,
    );
}

function folder(): string {
  // The test run's folder for temporary files (scripts/test/setup.ts).
  const path = join(process.env.TMPDIR ?? '', 'reads');
  mkdirSync(path, { recursive: true });
  return path;
}
