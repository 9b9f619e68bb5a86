import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

export type Answer = (
  received: Received,
  response: ServerResponse,
  request: IncomingMessage,
) => void;

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** Resolves after `count` complete requests. */
  until(count: number): Promise<void>;
  answer: Answer;
  readonly server: Server;
  close(): Promise<void>;
}

/** A real HTTP server on loopback. Answers 204 by default. */
export async function openReceiver(
  answer: Answer = (_, response) => response.writeHead(204).end(),
): Promise<Receiver> {
  let heard: (() => void)[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const headers = request.headers as Record<string, string>;
      const body = Buffer.concat(chunks).toString('utf8');
      const received = { path: request.url ?? '', headers, body };
      receiver.received.push(received);
      for (const wake of heard.splice(0)) wake();
      receiver.answer(received, response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: [],
    async until(count) {
      while (receiver.received.length < count) {
        await new Promise<void>((resolve) => {
          heard = [...heard, resolve];
        });
      }
    },
    answer,
    server,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return receiver;
}

/** Answers each request with the next status, and with the last one after that. */
export function statuses(...list: number[]): Answer {
  let index = 0;
  return (_, response) => {
    response.writeHead(list[Math.min(index, list.length - 1)] ?? 500).end();
    index += 1;
  };
}
