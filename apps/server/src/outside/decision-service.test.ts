import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Clock } from '../clock.ts';
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

test('a decision is handed on', async () => {
  answer = json({ ...approved, of_no_interest: true });
  expect(await ask()).toEqual({ answer: approved });
});

test.each([
  ['answers 500', (r: ServerResponse) => r.writeHead(500).end(), 'answered 500'],
  ['refuses our signature', json({ error: 'bad signature' }, 401), 'answered 401'],
  ['redirects', (r: ServerResponse) => r.writeHead(302, { location: '/' }).end(), 'answered 302'],
  ['answers nothing', (r: ServerResponse) => r.writeHead(204).end(), 'answered 204'],
  ['answers garbage', (r: ServerResponse) => r.end('<html>'), 'not JSON'],
  ['answers no decision', json({ outcome: 'maybe', policy_version: 'p' }), 'outcome'],
  ['approves less than nothing', json({ ...approved, approved_amount_in_cents: -1 }), 'amount'],
  ['approves half a cent', json({ ...approved, approved_amount_in_cents: 0.5 }), 'amount'],
  ['names no version', json({ ...approved, policy_version: '' }), 'policy_version'],
  ['declines without a reason', json({ ...approved, outcome: 'declined', reasons: [] }), 'reasons'],
  [
    'declines for its own reasons',
    json({ ...approved, outcome: 'declined', reasons: ['race'] }),
    'reasons',
  ],
  ['answers without end', (r: ServerResponse) => r.end(' '.repeat(40_000)), 'more than'],
  ['hangs up', (r: ServerResponse) => r.destroy(), ''],
  [
    'breaks off',
    (r: ServerResponse) => r.writeHead(200, { 'content-length': 99 }).write('{', () => r.destroy()),
    '',
  ],
])('a service that %s has decided nothing', async (_, answers, words) => {
  answer = answers;
  const asked = await ask();
  expect(asked).toHaveProperty('failure');
  expect('failure' in asked && asked.failure).toContain(words);
});

test.each([
  ['before it answers', () => {}],
  ['in the middle of its answer', (r: ServerResponse) => r.writeHead(200).write('{"outcome":')],
])('a service that hangs %s is not waited for', async (_, answers) => {
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
