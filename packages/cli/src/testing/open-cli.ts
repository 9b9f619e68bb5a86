import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import type { Environment } from '../environment.ts';
import { run } from '../run.ts';

export interface Ran {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

/** A command that runs until `interrupt`, as Ctrl-C does. */
export interface Running {
  /** The output so far. */
  output(): string;
  errors(): string;
  interrupt(): Promise<Ran>;
}

/**
 * Runs command lines in this process, with their own folder and no terminal. The folder is also the
 * user's home, unless `homeless`.
 */
export async function openCli(variables: Record<string, string> = {}, { homeless = false } = {}) {
  const home = await mkdtemp(join(tmpdir(), 'svc-cli-'));

  function start(args: readonly string[], input: string, extra: Record<string, string>) {
    const output = collector();
    const errors = collector();
    const controller = new AbortController();
    const environment: Environment = {
      variables: { ...variables, ...extra },
      folder: home,
      home: homeless ? null : home,
      platform: 'linux',
      input: Readable.from([input]),
      output,
      errors,
      untilInterrupted: () => controller.signal,
    };
    const ended = run(args, environment).then((code) => ({
      code,
      output: output.text(),
      errors: errors.text(),
    }));
    return { output, errors, controller, ended };
  }

  return {
    home,
    run: (args: readonly string[], input = '', extra: Record<string, string> = {}): Promise<Ran> =>
      start(args, input, extra).ended,
    start(args: readonly string[], extra: Record<string, string> = {}): Running {
      const { output, errors, controller, ended } = start(args, '', extra);
      return {
        output: output.text,
        errors: errors.text,
        interrupt() {
          controller.abort();
          return ended;
        },
      };
    },
    close: () => rm(home, { recursive: true, force: true }),
  };
}

function collector(): Writable & { text(): string } {
  let written = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      written += String(chunk);
      done();
    },
  });
  return Object.assign(stream, { text: () => written });
}

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A server on the loopback interface. `answer` gets each request with its body. */
export async function listenLocally(
  answer: (request: Received) => {
    status: number;
    body?: unknown;
    headers?: Record<string, string>;
  },
  port = 0,
) {
  const received: Received[] = [];
  const listener: RequestListener = async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { method = '', url = '', headers } = request;
    const one = { method, path: url, headers, body };
    received.push(one);
    const given = answer(one);
    const text = typeof given.body === 'string' ? given.body : JSON.stringify(given.body ?? null);
    response.writeHead(given.status, { 'content-type': 'application/json', ...given.headers });
    response.end(given.status === 204 ? undefined : text);
  };
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const { port: taken } = server.address() as AddressInfo;
  return {
    received,
    port: taken,
    origin: `http://127.0.0.1:${taken}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The envelope of the service. */
export const envelope = (data: unknown) => ({ status: 200, body: { error: null, data } });

export function refusal(status: number, code: string, message: string) {
  return { status, body: { error: { code, message, request_id: 'req_1' }, data: null } };
}
