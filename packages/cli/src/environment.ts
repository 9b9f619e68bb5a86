import { homedir } from 'node:os';
import type { Readable, Writable } from 'node:stream';

/** Everything that a command uses of its process. Tests pass their own. */
export interface Environment {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  /** Null for a user without an entry in /etc/passwd and without `HOME`, as in some containers. */
  readonly home: string | null;
  readonly platform: NodeJS.Platform;
  readonly input: Readable & { readonly isTTY?: boolean };
  readonly output: Screen;
  readonly errors: Screen;
  /**
   * For a command that runs until Ctrl-C: aborts at the first one, so that the command can end with a
   * summary. Without this call, Ctrl-C ends the process with 130.
   */
  untilInterrupted(): AbortSignal;
}

export type Screen = Writable & { readonly isTTY?: boolean; readonly columns?: number };

export function processEnvironment(): Environment {
  let interrupt: AbortController | undefined;
  process.on('SIGINT', () => {
    if (!interrupt || interrupt.signal.aborted) process.exit(130);
    interrupt.abort();
  });
  process.on('SIGTERM', () => {
    if (!interrupt || interrupt.signal.aborted) process.exit(143);
    interrupt.abort();
  });
  for (const stream of [process.stdout, process.stderr]) {
    // The reader of a pipe has seen enough, as in `svc events tail | head`.
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(0);
      throw error;
    });
  }
  return {
    variables: process.env,
    folder: process.cwd(),
    home: homeFolder(),
    platform: process.platform,
    input: process.stdin,
    output: process.stdout,
    errors: process.stderr,
    untilInterrupted() {
      interrupt ??= new AbortController();
      return interrupt.signal;
    },
  };
}

function homeFolder(): string | null {
  try {
    return homedir();
  } catch {
    return null;
  }
}
