import type { Clock } from '@svc/runtime';

interface Stream {
  readonly isTTY?: boolean | undefined;
  write(text: string): unknown;
}

const terminalEveryMs = 200;
const linesEveryMs = 5_000;

/**
 * Shows how far a command is: in a terminal as one line that is replaced, otherwise as a line every five seconds. A
 * command that takes less time than that shows nothing.
 */
export function showProgress(stream: Stream, clock: Pick<Clock, 'now'>) {
  const everyMs = stream.isTTY ? terminalEveryMs : linesEveryMs;
  let shownMs = clock.now().getTime();
  let isLineOpen = false;
  return {
    update(text: string): void {
      const nowMs = clock.now().getTime();
      if (nowMs - shownMs < everyMs) return;
      shownMs = nowMs;
      // Carriage return and "erase in line", so that a shorter text leaves nothing behind.
      stream.write(stream.isTTY ? `\r\x1b[K${text}` : `${text}\n`);
      isLineOpen = stream.isTTY ?? false;
    },
    /** Removes the line of a terminal, before the result is printed. */
    end(): void {
      if (isLineOpen) stream.write('\r\x1b[K');
    },
  };
}
