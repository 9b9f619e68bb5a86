import type { Readable, Writable } from 'node:stream';

/** Chrome's protocol has hundreds of shapes. The code that names a command or an event knows the shape of its data. */
// biome-ignore lint/suspicious/noExplicitAny: see above
export type ProtocolData = any; // oxlint-disable-line typescript/no-explicit-any

/** An event that the browser reports from a session. */
export interface BrowserEvent {
  readonly method: string;
  readonly params: ProtocolData;
  /** Undefined for events of the browser as a whole. */
  readonly sessionId: string | undefined;
}

/** Chrome's DevTools protocol over its pipe: JSON documents that end with a null byte. */
export interface BrowserConnection {
  send(method: string, params?: object, sessionId?: string): Promise<ProtocolData>;
  listen(listener: (event: BrowserEvent) => void): () => void;
  /** Rejects all commands that wait for a response, and all later ones. */
  end(reason: Error): void;
}

/** The browser refused a command, such as one for a frame that is gone. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}

/** The browser has ended, or a page keeps it so busy that it does not answer. */
export class BrowserGoneError extends Error {
  override readonly name = 'BrowserGoneError';
}

const answerTimeoutMs = 30_000;

interface Waiting {
  readonly method: string;
  readonly timer: NodeJS.Timeout;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** Connects to a browser that was started with --remote-debugging-pipe. */
export function connectPipe(toBrowser: Writable, fromBrowser: Readable): BrowserConnection {
  const waiting = new Map<number, Waiting>();
  const listeners = new Set<(event: BrowserEvent) => void>();
  let lastId = 0;
  let ended: Error | undefined;

  function end(reason: Error): void {
    ended ??= reason;
    for (const { reject, timer } of waiting.values()) {
      clearTimeout(timer);
      reject(ended);
    }
    waiting.clear();
  }

  function receive(text: string): void {
    const message = JSON.parse(text);
    if (message.id === undefined) {
      for (const listener of listeners) listener(message);
      return;
    }
    const call = waiting.get(message.id);
    waiting.delete(message.id);
    clearTimeout(call?.timer);
    if (message.error) call?.reject(new ProtocolError(`${call.method}: ${message.error.message}`));
    else call?.resolve(message.result);
  }

  let parts: Buffer[] = [];
  fromBrowser.on('data', (chunk: Buffer) => {
    let start = 0;
    for (let at = chunk.indexOf(0); at >= 0; at = chunk.indexOf(0, start)) {
      parts.push(chunk.subarray(start, at));
      receive(Buffer.concat(parts).toString());
      parts = [];
      start = at + 1;
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
  });
  // A browser that crashes closes its pipe in the middle of a write.
  for (const stream of [toBrowser, fromBrowser]) {
    stream.on('error', () => end(new BrowserGoneError('The browser has closed its connection.')));
  }
  fromBrowser.on('close', () => end(new BrowserGoneError('The browser has ended.')));

  return {
    send(method, params = {}, sessionId) {
      if (ended) return Promise.reject(ended);
      lastId += 1;
      const id = lastId;
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(id);
          reject(new BrowserGoneError(`The page keeps the browser busy: no answer to ${method}.`));
        }, answerTimeoutMs);
        waiting.set(id, { method, timer, resolve, reject });
        toBrowser.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
      });
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    end,
  };
}

/** For commands whose result nothing awaits. The commands that are awaited report a browser that has ended. */
export function ignoreGone(error: unknown): void {
  if (!(error instanceof BrowserGoneError)) ignoreProtocolError(error);
}

/** Ignores that the frame or the request of a command is gone. Throws every other error. */
export function ignoreProtocolError(error: unknown): void {
  if (!(error instanceof ProtocolError)) throw error;
}
