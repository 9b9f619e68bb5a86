import { verifyWebhook } from '@svc/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { envelope, listenLocally, openCli, type Received } from '../testing/open-cli.ts';

// A busy machine may take seconds for what a free one does at once.
const soon = { timeout: 20_000 };

const cli = await openCli({ SVC_API_KEY: 'svc_sandbox_abc' });
const feed: string[] = [];
const testSends: string[] = [];
let service: Awaited<ReturnType<typeof listenLocally>>;
let receiver: Awaited<ReturnType<typeof listenLocally>>;

function add(list: string[], type: string, tenant = 't-1'): string {
  const id = `evt_${String(feed.length + testSends.length).padStart(3, '0')}`;
  list.push(
    `{"id":"${id}","type":"${type}","timestamp":"2026-02-01T18:00:00.000Z","external_id":"${tenant}",${list === testSends ? '"test":true,' : ''}"data":{"n":1.0,"big":12345678901234567890}}`,
  );
  return id;
}

const idOf = (text: string): string => JSON.parse(text).id;

/** The routes that `listen` uses, over the lists above. */
function answer({ path }: Received) {
  const { pathname, searchParams } = new URL(path, 'http://service');
  const after = searchParams.get('after');
  switch (pathname) {
    case '/v1/partner':
      return envelope({ pms: 'maple', environment: 'sandbox' });
    case '/v1/webhooks/event_types':
      return envelope({
        items: ['plan.created', 'settlement.created'].map((name) => ({ name })),
        next_cursor: null,
      });
    case '/v1/events': {
      const from = after === null ? 0 : feed.findIndex((text) => idOf(text) === after) + 1;
      const items = feed.slice(from).join(',');
      return { status: 200, body: `{"error":null,"data":{"items":[${items}],"next_cursor":null}}` };
    }
    case '/v1/webhooks/messages': {
      const list = searchParams.get('test') === 'true' ? testSends : feed;
      const items = list.map((text) => ({ id: idOf(text) })).reverse();
      return envelope({ items, next_cursor: null });
    }
    default: {
      const body = [...feed, ...testSends].find((text) => pathname.endsWith(idOf(text)));
      return envelope({ body });
    }
  }
}

beforeAll(async () => {
  service = await listenLocally(answer);
  receiver = await listenLocally(() => ({ status: 204 }));
});
afterAll(async () => {
  await service.close();
  await receiver.close();
  await cli.close();
});

const received = () => receiver.received.map(({ body }) => body);

test('forwards new events and test sends with their exact bytes, over an outage, each once', async () => {
  add(feed, 'plan.created'); // before listen, so not forwarded
  const listening = cli.start(['listen', '--forward-to', `${receiver.origin}/hooks`], {
    SVC_URL: service.origin,
  });
  await expect.poll(listening.output, soon).toContain('Ready.');
  const [, secret = ''] = /SVC_WEBHOOK_SECRET=(whsec_\S+)/.exec(listening.output()) ?? [];

  const first = add(feed, 'plan.created');
  await expect.poll(received, soon).toEqual([feed[1]]);
  await expect
    .poll(listening.output)
    .toMatch(
      new RegExp(
        `\\d\\d:\\d\\d:\\d\\d {2}plan.created {2}t-1 {2}${first} → 204 {2}POST /hooks {2}\\d+ ms`,
      ),
    );
  const [one] = receiver.received;
  expect(verifyWebhook(one?.body ?? '', one?.headers ?? {}, secret).id).toBe(first);

  add(testSends, 'settlement.created');
  await expect.poll(received, soon).toHaveLength(2);
  expect(received()[1]).toBe(testSends[0]);
  await expect.poll(listening.output, soon).toContain('(test)');

  const { port } = service;
  await service.close();
  await expect.poll(listening.errors, soon).toContain('Reconnecting');
  add(feed, 'plan.created');
  add(feed, 'settlement.created');
  service = await listenLocally(answer, port);
  await expect.poll(received, soon).toHaveLength(4);
  expect(received().slice(2).sort()).toEqual(feed.slice(2).sort());
  expect(listening.errors()).toContain('Connected again');

  await expect.poll(() => listening.output().match(/→ 204/g), soon).toHaveLength(4);
  const ended = await listening.interrupt();
  expect(ended.code).toBe(0);
  expect(ended.output).toMatch(/\n4 delivered \(median \d+ ms\), 0 not delivered\.\n$/);
  expect(received()).toHaveLength(4);
});

test('the secret stays the same, is printed once, and --print-secret prints it', async () => {
  const url = { SVC_URL: service.origin };
  const kept = (await cli.run(['listen', '--print-secret'], '', url)).output.trim();
  expect(kept).toMatch(/^whsec_/);
  const listening = cli.start(['listen', '--forward-to', `${receiver.origin}/hooks`], url);
  await expect.poll(listening.output, soon).toContain('Ready.');
  const { output } = await listening.interrupt();
  expect(output).not.toContain(kept);
  expect(output).toContain('svc listen --print-secret');
});

test('--events, --tenant and --since choose what is forwarded; --json prints one object a line', async () => {
  receiver.received.length = 0;
  add(feed, 'settlement.created', 't-2');
  const options = ['--events', 'settlement.*', '--tenant', 't-2', '--since', 'all', '--json'];
  const listening = cli.start(['listen', '--forward-to', `${receiver.origin}/hooks`, ...options], {
    SVC_URL: service.origin,
  });
  await expect.poll(received, soon).toEqual([feed.at(-1)]);
  await expect.poll(listening.output, soon).toContain('"kind":"delivery"');
  const { output } = await listening.interrupt();
  const kinds = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).kind);
  expect(kinds).toEqual(['ready', 'delivery', 'summary']);
});

test('events tail prints, and with --json exactly what an endpoint receives', async () => {
  const url = { SVC_URL: service.origin };
  const all = ['events', 'tail', '--since', 'all', '--no-follow'];
  const { output } = await cli.run([...all, '--json'], '', url);
  expect(output).toBe(feed.map((text) => `${text}\n`).join(''));
  const people = await cli.run([...all, '--tenant', 't-2'], '', url);
  expect(people.output).toMatch(/^2026-02-01 18:00:00 {2}settlement\.created {2}t-2 {2}evt_\d+\n$/);
});

test('events replay posts to where listen forwarded, and shows a refusal', async () => {
  receiver.received.length = 0;
  const url = { SVC_URL: service.origin };
  const id = idOf(feed[0] ?? '');
  const sent = await cli.run(['events', 'replay', id], '', url);
  expect(sent.code).toBe(0);
  expect(received()).toEqual([feed[0]]);
  const refusing = await listenLocally(() => ({ status: 400, body: 'No \u001b[31mmatch' }));
  const refused = await cli.run(
    ['events', 'resend', id, '--forward-to', `${refusing.origin}/x`],
    '',
    url,
  );
  expect(refused.code).toBe(1);
  expect(refused.output).toContain('→ 400');
  // Text of a receiver cannot control the terminal.
  expect(refused.output).toContain('No \ufffd[31mmatch');
  await refusing.close();
});
