import type { Socket } from 'node:net';
import { VirtualClock } from '@svc/runtime/testing';
import { expect, test } from 'vitest';
import { openRawServer } from '../testing/raw-server.ts';
import { withoutPool } from './connections.ts';
import { fetchPage } from './fetch-page.ts';

test('the next page opens another connection, even if the server would keep the first one open', async () => {
  const sockets: Socket[] = [];
  const server = await openRawServer((socket) => {
    sockets.push(socket);
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
  });
  const options = {
    connections: withoutPool({
      policy: { allowPrivate: true, allowHttp: true },
      resolve: async () => ['127.0.0.1'],
    }),
    clock: new VirtualClock('2026-01-15T12:00:00Z'),
    deadlineMs: 15_000,
    responseBytes: 16_384,
  };
  for (const _ of [1, 2]) {
    const page = await fetchPage('partner_a', new URL(server.url), options);
    expect(page).toMatchObject({ status: 200, responseBody: 'ok', errorClass: null });
  }
  expect(sockets).toHaveLength(2);
  server.close();
});
