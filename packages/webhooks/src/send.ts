import type { Dispatcher } from 'undici';
import type { Clock } from './engine.ts';
import type { Connections } from './sending/connections.ts';
import type { ErrorClass } from './sending/describe-attempt.ts';
import type { Connection, OpeningTimes } from './sending/open-connection.ts';

export interface Outgoing {
  readonly owner: string;
  readonly origin: string;
  readonly path: string;
  /** Name, value, name, value … */
  readonly headers: string[];
  readonly body: Buffer;
  /** Wall time of the start, as signed. */
  readonly at: Date;
}

/** What one attempt came to. Other people's failures are data: sending never throws. */
export interface Outcome {
  readonly startedAt: Date;
  readonly endedAt: Date;
  /** Of the status line; null when there was none. */
  readonly status: number | null;
  readonly errorClass: ErrorClass | null;
  /** The network's own words, for the log and the curious. */
  readonly error: string | null;
  readonly responseHeaders: Record<string, string>;
  readonly responseBody: string | null;
  /** The body was longer than what is kept, or did not end. */
  readonly responseTruncated: boolean;
  /** Milliseconds. */
  readonly times: OpeningTimes & { firstByte: number | null; total: number };
}

export interface SendOptions {
  readonly connections: Connections;
  readonly clock: Clock;
  readonly deadlineMs: number;
  readonly responseBytes: number;
}

/** POSTs once. A 2xx status line within the deadline is success, whatever its body does. */
export function send(outgoing: Outgoing, options: SendOptions): Promise<Outcome> {
  return new Promise((resolve) => new Exchange(outgoing, options, resolve).start());
}

class Exchange implements Dispatcher.DispatchHandler {
  private readonly outgoing: Outgoing;
  private readonly options: SendOptions;
  private readonly done: (outcome: Outcome) => void;
  private readonly startedMs = performance.now();
  private readonly cancelDeadline: () => void;
  private connection!: Connection;
  private reused = false;
  private finished = false;
  private status: number | null = null;
  private firstByte: number | null = null;
  private headers: Record<string, string> = {};
  private readonly chunks: Buffer[] = [];
  private kept = 0;

  constructor(outgoing: Outgoing, options: SendOptions, done: (outcome: Outcome) => void) {
    this.outgoing = outgoing;
    this.options = options;
    this.done = done;
    this.cancelDeadline = options.clock.after(options.deadlineMs, () => this.expire());
  }

  start(): void {
    const { owner, origin, path, headers, body } = this.outgoing;
    const taken = this.options.connections.take(owner, origin);
    this.connection = taken.connection;
    this.reused = taken.reused;
    this.connection.client.dispatch({ path, method: 'POST', headers, body }, this);
  }

  // undici asks for it; the connection is what we abort, since it also works while dialling.
  onRequestStart(): void {}

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return;
    this.status = status;
    this.firstByte = performance.now() - this.startedMs;
    for (const name in headers) {
      const value = headers[name];
      this.headers[name] = Array.isArray(value) ? value.join(', ') : (value ?? '');
    }
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.finished) return;
    const room = this.options.responseBytes - this.kept;
    this.chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
    this.kept += Math.min(room, chunk.length);
    if (chunk.length > room) this.cut();
  }

  onResponseEnd(): void {
    if (this.finished) return;
    this.options.connections.keep(this.outgoing.owner, this.outgoing.origin, this.connection);
    this.finish(this.answerClass(), null, false);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.finished) return;
    if (this.status !== null) {
      this.cut();
    } else if (this.reused && !this.opened() && isClosedSocket(error)) {
      // The receiver closed an idle socket at this very moment: not its failure, so dial anew.
      this.start();
    } else {
      this.connection.abort(error);
      this.finish(classify(error, this.connection.stage), describeError(error), false);
    }
  }

  /** A kept connection that had to dial again: its socket was no idle one. */
  private opened(): boolean {
    return this.connection.times.connect !== null;
  }

  private expire(): void {
    if (this.status !== null) this.cut();
    else {
      const waited = `no status line after ${this.options.deadlineMs} ms (${this.connection.stage})`;
      this.finish('timeout', waited, false);
      this.connection.abort(new Error(waited));
    }
  }

  /** The status line counts; the rest of the body is not waited for. */
  private cut(): void {
    this.finish(this.answerClass(), null, true);
    this.connection.abort(new Error('enough of the response was read'));
  }

  private answerClass(): ErrorClass | null {
    const status = this.status ?? 0;
    return status >= 200 && status < 300 ? null : 'status';
  }

  private finish(errorClass: ErrorClass | null, error: string | null, truncated: boolean): void {
    if (this.finished) return;
    this.finished = true;
    this.cancelDeadline();
    const total = performance.now() - this.startedMs;
    this.done({
      startedAt: this.outgoing.at,
      endedAt: this.options.clock.now(),
      status: this.status,
      errorClass,
      error,
      responseHeaders: this.headers,
      responseBody: this.status === null ? null : readable(this.chunks),
      responseTruncated: truncated,
      times: { ...this.connection.times, firstByte: this.firstByte, total },
    });
  }
}

const closedSocketCodes = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

function isClosedSocket(error: NodeJS.ErrnoException): boolean {
  return closedSocketCodes.has(error.code ?? '');
}

function classify(error: NodeJS.ErrnoException, stage: Connection['stage']): ErrorClass {
  if (error.code === 'blocked_address') return 'blocked_address';
  if (stage !== 'request') return stage;
  return isClosedSocket(error) ? 'reset' : 'protocol';
}

function describeError(error: NodeJS.ErrnoException): string {
  const text = [error.code, error.message].filter(Boolean).join(': ');
  return text.slice(0, 500);
}

/** Text that PostgreSQL can store; compressed bytes stay unreadable, since nothing is unpacked. */
function readable(chunks: Buffer[]): string {
  if (chunks.length === 0) return '';
  const bytes = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
  return bytes.toString('utf8').replaceAll('\0', '\ufffd');
}
