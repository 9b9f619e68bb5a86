import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '@svc/runtime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDecisionService } from './decision-service.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const approved = { outcome: 'approved', policy_version: 'p-1', approved_amount_in_cents: 1 };

let server: Server;
let answer: (response: ServerResponse) => void;
beforeAll(async () => {
  server = createServer((_, response) => answer(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function ask(expire?: (run: () => void) => void) {
  const clock: Clock = {
    now: () => new Date('2026-02-01T18:00:00Z'),
    after(_, run) {
      expire?.(run);
      return () => {};
    },
  };
  const { port } = server.address() as AddressInfo;
  const service = createDecisionService(clock, { url: `http://127.0.0.1:${port}`, secret });
  return service.ask({ id: 'app_1', body: '{}' });
}

function json(value: unknown, status = 200) {
  return (response: ServerResponse) => response.writeHead(status).end(JSON.stringify(value));
}

test('a decision is returned without unknown fields', async () => {
  answer = json({ ...approved, unknown_field: true });
  expect(await ask()).toEqual({ answer: approved });
});

test.each([
  ['answers 500', (r: ServerResponse) => r.writeHead(500).end(), 'answered 500'],
  ['refuses our signature', json({ error: 'bad signature' }, 401), 'answered 401'],
  ['redirects', (r: ServerResponse) => r.writeHead(302, { location: '/' }).end(), 'answered 302'],
  ['answers without content', (r: ServerResponse) => r.writeHead(204).end(), 'answered 204'],
  ['answers garbage', (r: ServerResponse) => r.end('<html>'), 'not JSON'],
  ['answers something else', json({ outcome: 'maybe', policy_version: 'p' }), 'outcome'],
  ['approves a negative amount', json({ ...approved, approved_amount_in_cents: -1 }), 'amount'],
  ['approves half a cent', json({ ...approved, approved_amount_in_cents: 0.5 }), 'amount'],
  ['leaves the version empty', json({ ...approved, policy_version: '' }), 'policy_version'],
  ['declines without a reason', json({ ...approved, outcome: 'declined', reasons: [] }), 'reasons'],
  [
    'declines for an unknown reason',
    json({ ...approved, outcome: 'declined', reasons: ['race'] }),
    'reasons',
  ],
  ['answers with an endless body', (r: ServerResponse) => r.end(' '.repeat(40_000)), 'more than'],
  ['resets the connection', (r: ServerResponse) => r.destroy(), ''],
  [
    'closes the connection in the middle of its answer',
    (r: ServerResponse) => r.writeHead(200, { 'content-length': 99 }).write('{', () => r.destroy()),
    '',
  ],
])('a service that %s is a failure', async (_, answers, words) => {
  answer = answers;
  const asked = await ask();
  expect(asked).toHaveProperty('failure');
  expect('failure' in asked && asked.failure).toContain(words);
});

test.each([
  ['before its answer', () => {}],
  ['in the middle of its answer', (r: ServerResponse) => r.writeHead(200).write('{"outcome":')],
])('a service that hangs %s times out', async (_, answers) => {
  let expire = () => {};
  answer = (response) => {
    answers(response);
    expire();
  };
  const asked = await ask((run) => {
    expire = run;
  });
  expect(asked).toEqual({ failure: 'did not answer in time' });
});
