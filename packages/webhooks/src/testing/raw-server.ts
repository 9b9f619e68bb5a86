import type { RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { ResolveHost } from '../addresses/resolve-host.ts';
import { testCertificate } from './certificate.ts';
import { signal } from './signal.ts';

export interface RawServer {
  readonly url: string;
  /** Resolves after this many connections were handled. */
  until(connections: number): Promise<void>;
  close(): void;
}

/** A TCP server on loopback. By default it waits for the request before it calls `behave`. */
export async function openRawServer(
  behave: (socket: Socket) => void,
  afterData = true,
): Promise<RawServer> {
  const sockets = new Set<Socket>();
  let seen = 0;
  let changed = signal();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    const go = () => {
      behave(socket);
      seen += 1;
      changed.fire();
      changed = signal();
    };
    if (afterData) socket.once('data', go);
    else go();
  });
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    async until(count) {
      while (seen < count) await changed.heard;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

export interface TlsServer {
  readonly url: string;
  readonly resolve: ResolveHost;
  close(): void;
}

/** An https server for hook.example with a self-signed certificate. Answers 204 by default. */
export async function openTlsServer(
  answer: RequestListener = (_, response) => response.writeHead(204).end(),
): Promise<TlsServer> {
  const server = createTlsServer(testCertificate, answer);
  return {
    url: `https://hook.example:${await listen(server)}`,
    resolve: async () => ['127.0.0.1'],
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
