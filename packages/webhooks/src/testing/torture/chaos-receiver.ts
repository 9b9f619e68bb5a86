import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { ErrorClass } from '../../sending/describe-attempt.ts';
import { signal } from '../signal.ts';
import { bodyOf } from './random.ts';

interface Misbehavior {
  /** The error class that the attempt must have. */
  readonly errorClass: ErrorClass;
  readonly answer: (response: ServerResponse, socket: Socket) => void;
}

const gzipBomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
const block = Buffer.alloc(64 * 1024, 'x');
const endlessBytes = 10 * 1024 ** 3;

export const goodPaths = ['good', 'also-good'];

/** The ways in which a receiver can fail, by path. */
export const misbehaviors: Readonly<Record<string, Misbehavior>> = {
  hangs: { errorClass: 'timeout', answer: () => {} },
  drips: {
    errorClass: 'timeout',
    answer(_, socket) {
      const text = 'HTTP/1.1 200 OK\r\nx-slow: 1'.padEnd(1_000, '1');
      let sent = 0;
      const timer = setInterval(() => {
        socket.write(text.charAt(sent));
        sent += 1;
      }, 100);
      socket.on('close', () => clearInterval(timer));
    },
  },
  resets: { errorClass: 'reset', answer: (_, socket) => socket.resetAndDestroy() },
  closes: { errorClass: 'reset', answer: (_, socket) => socket.end() },
  babbles: { errorClass: 'protocol', answer: (_, socket) => socket.end('220 mail ready\r\n\r\n') },
  'long-headers': {
    errorClass: 'protocol',
    answer: (_, socket) =>
      socket.write(`HTTP/1.1 200 OK\r\nx-big: ${'x'.repeat(1024 ** 2)}\r\n\r\n`),
  },
  'endless-body': {
    errorClass: 'status',
    answer(response) {
      response.writeHead(500, { 'content-length': endlessBytes });
      const more = () => {
        while (!response.destroyed && response.write(block));
      };
      response.on('drain', more);
      more();
    },
  },
  'gzip-bomb': {
    errorClass: 'status',
    answer: (response) => response.writeHead(500, { 'content-encoding': 'gzip' }).end(gzipBomb),
  },
  redirects: {
    errorClass: 'status',
    answer: (response) => response.writeHead(307, { location: '/good' }).end(),
  },
};

export interface ChaosReceiver {
  urlOf(path: string): string;
  /** Requests by path and message, with keys `path messageId`. */
  readonly came: ReadonlyMap<string, number>;
  /** Requests of each process, by its user agent. */
  readonly from: ReadonlyMap<string, number>;
  /** Requests whose body differs from the message. */
  readonly wrong: readonly string[];
  requests(): number;
  /** Resolves after this many requests. */
  until(requests: number): Promise<void>;
  close(): Promise<void>;
}

/** Answers 204 at once; at a misbehaving path, only the second request of a message. */
export async function openChaosReceiver(paths: readonly string[]): Promise<ChaosReceiver> {
  const came = new Map<string, number>();
  const from = new Map<string, number>();
  const wrong: string[] = [];
  let requests = 0;
  let changed = signal();

  function receive(path: string, request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const id = String(request.headers['webhook-id']);
      const agent = request.headers['user-agent'] ?? '';
      if (Buffer.concat(chunks).toString('utf8') !== bodyOf(id)) wrong.push(`${path} ${id}`);
      const before = came.get(`${path} ${id}`) ?? 0;
      came.set(`${path} ${id}`, before + 1);
      from.set(agent, (from.get(agent) ?? 0) + 1);
      requests += 1;
      const misbehavior = before === 0 ? misbehaviors[path] : undefined;
      if (misbehavior) misbehavior.answer(response, request.socket);
      else response.writeHead(204).end();
      changed.fire();
      changed = signal();
    });
  }

  // A server for each path, because connections are pooled by origin.
  const servers = new Map<string, Server>();
  for (const path of paths) {
    const server = createServer((request, response) => receive(path, request, response));
    // An idle connection that is closed could have a request in flight, which would not be counted here.
    server.keepAliveTimeout = 0;
    server.on('connection', (socket) => socket.on('error', () => {}));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    servers.set(path, server);
  }
  return {
    urlOf(path) {
      const address = servers.get(path)?.address() as AddressInfo | undefined;
      if (!address) throw new Error(`nothing listens for ${path}`);
      return `http://127.0.0.1:${address.port}/${path}`;
    },
    came,
    from,
    wrong,
    requests: () => requests,
    async until(count) {
      while (requests < count) await changed.heard;
    },
    async close() {
      for (const server of servers.values()) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}
