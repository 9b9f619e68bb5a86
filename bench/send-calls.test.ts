import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type Call, measureRate, sendCalls } from './send-calls.ts';

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const callAt = (index: number): Call => ({ method: 'GET', path: `/${index}`, headers: {} });

test('a refused call is counted and repeated', async () => {
  const paths: string[] = [];
  const url = await listen(({ url: path = '' }, response) => {
    paths.push(path);
    if (paths.length === 2) response.writeHead(503, { 'retry-after': '0' });
    response.end();
  });
  const { answeredMs, refusedMs } = await sendCalls(url, {
    connections: 1,
    callAt,
    isOver: (answers) => answers.answeredMs.length === 3,
  });
  expect(paths).toEqual(['/0', '/1', '/1', '/2']);
  expect([answeredMs.length, refusedMs.length]).toEqual([3, 1]);
});

test('a rate counts answered calls only, and names the refused ones', async () => {
  let requests = 0;
  const url = await listen((_request, response) => {
    requests += 1;
    if (requests % 2 === 0) response.writeHead(503, { 'retry-after': '0' });
    response.end();
  });
  const { perSecond, refused } = await measureRate(url, 100, callAt);
  expect(perSecond).toBeGreaterThan(0);
  expect(refused).toBe(Math.floor(requests / 2));
});

test('any other answer fails the bench with its text', async () => {
  const url = await listen((_request, response) => {
    response.writeHead(401).end('no key');
  });
  await expect(measureRate(url, 1, callAt)).rejects.toThrow('401 no key');
});
