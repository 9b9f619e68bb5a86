import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from 'vitest';
import { createApp } from '../app.ts';
import { endConnections } from './end-connections.ts';

const post = 'POST /slow HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n';

/** A server whose one route answers when it is told to. */
async function listening() {
  const app = await createApp({ newRequestId: () => 'req_1', trustedProxies: [], refuse() {} });
  endConnections(app);
  let answer = (): void => undefined;
  const called = new Promise<void>((isCalled) => {
    app.post('/slow', async () => {
      isCalled();
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return 'answered';
    });
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  /** Sends it on a connection of its own and waits until the server has seen as much. */
  async function say(text: string, seen: 'connection' | 'request' = 'connection') {
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    let heard = '';
    socket.on('data', (data) => {
      heard += String(data);
    });
    socket.on('error', () => {});
    const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(heard)));
    socket.write(text);
    await once(app.server, seen);
    return { ended };
  }
  return { app, called, answer: () => answer(), say };
}

test.each([
  ['has asked nothing', '', 'connection'],
  ['stops in the middle of a head', 'GET /slow', 'connection'],
  ['stops in the middle of a body', `${post}Content-Length: 9\r\n\r\n{`, 'request'],
] as const)('a connection that %s holds up no end', async (_, text, seen) => {
  const { app, say } = await listening();
  const { ended } = await say(text, seen);
  await app.close();
  expect(await ended).toBe('');
});

test('who has asked gets an answer before the end', async () => {
  const { app, called, answer, say } = await listening();
  await say('');
  const { ended } = await say(`${post}Content-Length: 2\r\n\r\n{}`);
  await called;
  const closed = app.close();
  answer();
  await closed;
  expect(await ended).toContain('answered');
});
