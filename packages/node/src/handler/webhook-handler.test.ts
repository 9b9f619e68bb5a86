import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WebhookEvent } from '@svc/contract';
import express from 'express';
import { Hono } from 'hono';
import { afterEach, expect, test } from 'vitest';
import { SvcClient } from '../client.ts';
import {
  type AnyWebhookEvent,
  type WebhookHandlers,
  type WebhookStore,
  webhookHandler,
} from './webhook-handler.ts';

const svc = new SvcClient({ apiKey: 'svc_sandbox_test', baseUrl: 'http://127.0.0.1:1' });
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

function bodyOf(type: string, fields: object = {}): string {
  const data = { settlement_id: 'stl_1', amount_in_cents: 152012 };
  return JSON.stringify({ id: 'evt_1', type, external_id: 't-1', data, ...fields });
}

function sign(body: string): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const digest = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(`evt_1.${timestamp}.${body}`)
    .digest('base64');
  return {
    'content-type': 'application/json',
    'webhook-id': 'evt_1',
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${digest}`,
  };
}

function requestOf(body: string, headers = sign(body)): Request {
  return new Request('http://portal.example/webhooks', { method: 'POST', headers, body });
}

/** Serves on loopback, and returns a function that posts a signed body. */
async function serve(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`;
  const post = async (body: string, headers = sign(body)) => {
    const answer = await fetch(url, { method: 'POST', headers, body });
    return { status: answer.status, text: await answer.text() };
  };
  return { url, post };
}

const settled = bodyOf('settlement.created');

test('calls the function of the event type with its data', async () => {
  const amounts: number[] = [];
  const handler = svc.webhooks.handler(
    { 'settlement.created': ({ data }) => void amounts.push(data.amount_in_cents) },
    { secret },
  );
  const answer = await handler.fetch(requestOf(settled));
  expect(answer.status).toBe(204);
  expect(amounts).toEqual([152012]);
});

test.each([
  ['a type without a handler', bodyOf('plan.created')],
  ['a type of a later release', bodyOf('plan.teleported')],
  ['a name that every object has', bodyOf('constructor')],
  ['a test send', bodyOf('settlement.created', { test: true })],
  ['an event that the partner published', bodyOf('settlement.created', { custom: true })],
])('accepts %s and passes it to fallback only', async (_, body) => {
  const seen: AnyWebhookEvent[] = [];
  const handlers: WebhookHandlers = {
    'settlement.created': () => expect.unreachable(),
  };
  const silent = svc.webhooks.handler(handlers, { secret });
  expect((await silent.fetch(requestOf(body))).status).toBe(204);
  const fallback = (event: AnyWebhookEvent) => void seen.push(event);
  const handler = svc.webhooks.handler(handlers, { secret, fallback });
  expect((await handler.fetch(requestOf(body))).status).toBe(204);
  expect(seen).toEqual([JSON.parse(body)]);
});

test('refuses a changed body with 400 and says why', async () => {
  const handler = svc.webhooks.handler({}, { secret, fallback: () => expect.unreachable() });
  const answer = await handler.fetch(requestOf(settled.replace('1520', '9520'), sign(settled)));
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain('No signature matches');
});

test('reports a wrong configuration with 500', async () => {
  const handler = svc.webhooks.handler({}, { secret: 'svc_sandbox_abc' });
  const answer = await handler.fetch(requestOf(settled));
  expect(answer.status).toBe(500);
  expect(await answer.text()).toContain('This is your API key');
});

test('answers 500 when a function throws, reports the error and does not send it', async () => {
  const failure = new Error('a password is wrong');
  const errors: unknown[] = [];
  const handler = svc.webhooks.handler(
    {
      'settlement.created': () => {
        throw failure;
      },
    },
    { secret, onError: (error, event) => void errors.push(error, event?.id) },
  );
  const answer = await handler.fetch(requestOf(settled));
  expect(answer.status).toBe(500);
  expect(await answer.text()).not.toContain('password');
  expect(errors).toEqual([failure, 'evt_1']);
});

test('reads the secret for each webhook if it is a function', async () => {
  const errors: unknown[] = [];
  const secrets = [secret];
  const handler = webhookHandler(
    { 'settlement.created': () => {} },
    {
      secret: async () => {
        if (secrets.length === 0) throw new Error('SVC_WEBHOOK_SECRET is not set');
        return secrets;
      },
      onError: (error, event) => void errors.push(String(error), event),
    },
  );
  expect((await handler.fetch(requestOf(settled))).status).toBe(204);
  secrets.pop();
  const answer = await handler.fetch(requestOf(settled));
  expect(answer.status).toBe(500);
  expect(await answer.text()).toBe(
    'The function that reads the secret failed. The receiver logged why.',
  );
  expect(errors).toEqual(['Error: SVC_WEBHOOK_SECRET is not set', undefined]);
});

test('answers requests other than POST with 405', async () => {
  const answer = await svc.webhooks
    .handler({}, { secret })
    .fetch(new Request('http://portal.example/webhooks'));
  expect(answer.status).toBe(405);
  expect(answer.headers.get('allow')).toBe('POST');
});

test('refuses a body that was read before it', async () => {
  const read = requestOf(settled);
  await read.text();
  const answer = await svc.webhooks.handler({}, { secret }).fetch(read);
  expect(answer.status).toBe(500);
  expect(await answer.text()).toContain('request.clone()');
});

/** Keeps ids as a table with a unique key does: the second caller waits for the first one's outcome. */
function memoryStore(): WebhookStore<{ transaction: number }> {
  const done = new Map<string, Promise<void>>();
  let transaction = 0;
  return {
    async once(id, handle) {
      const earlier = done.get(id);
      if (earlier) {
        const handled = await earlier.then(
          () => true,
          () => false,
        );
        if (handled) return;
      }
      transaction += 1;
      const running = handle({ transaction });
      done.set(id, running);
      await running;
    },
  };
}

test('handles a message once, and passes the store’s context', async () => {
  const transactions: number[] = [];
  const handler = svc.webhooks.handler(
    {
      'settlement.created': async (_, { transaction }) => {
        await Promise.resolve();
        transactions.push(transaction);
      },
    },
    { secret, store: memoryStore() },
  );
  const answers = await Promise.all([1, 2, 3].map(() => handler.fetch(requestOf(settled))));
  expect(answers.map(({ status }) => status)).toEqual([204, 204, 204]);
  expect(transactions).toEqual([1]);
});

test('handles a message again after its function threw', async () => {
  let calls = 0;
  const handler = svc.webhooks.handler(
    {
      'settlement.created': () => {
        calls += 1;
        if (calls === 1) throw new Error('the database is away');
      },
    },
    { secret, store: memoryStore(), onError: () => undefined },
  );
  const statuses = [];
  for (let attempt = 0; attempt < 3; attempt++) {
    statuses.push((await handler.fetch(requestOf(settled))).status);
  }
  expect(statuses).toEqual([500, 204, 204]);
  expect(calls).toBe(2);
});

test('refuses a handler that is not a function', () => {
  const handlers = { 'plan.created': 'planCreated' } as unknown as WebhookHandlers;
  expect(() => svc.webhooks.handler(handlers, { secret })).toThrow(
    'The handler of plan.created must be a function, but is string.',
  );
});

const handler = svc.webhooks.handler(
  {
    'settlement.created': ({ data }) => {
      if (data.amount_in_cents !== 152_012) throw new Error('another amount');
    },
  },
  { secret },
);

test('serves Node’s http', async () => {
  const { post } = await serve(handler.node);
  expect(await post(settled)).toEqual({ status: 204, text: '' });
  expect((await post(settled, { ...sign(settled), 'webhook-id': 'evt_2' })).status).toBe(400);
});

test('serves Hono', async () => {
  const app = new Hono().post('/webhooks', (context) => handler.fetch(context.req.raw));
  const headers = sign(settled);
  const answer = await app.request('/webhooks', { method: 'POST', headers, body: settled });
  expect(answer.status).toBe(204);
  const changed = { method: 'POST', headers, body: settled.replace('1520', '9520') };
  expect((await app.request('/webhooks', changed)).status).toBe(400);
});

test('serves Express, with and without a raw body parser', async () => {
  for (const parsers of [[], [express.raw({ type: '*/*' })], [express.text({ type: '*/*' })]]) {
    const app = express();
    app.post('/webhooks', ...parsers, handler.node);
    const { post } = await serve(app);
    expect(await post(settled)).toEqual({ status: 204, text: '' });
  }
});

test('takes the raw body that a framework kept next to the parsed one', async () => {
  const app = express();
  const keep = (request: IncomingMessage, _: unknown, buffer: Buffer) =>
    void Object.assign(request, { rawBody: buffer });
  app.use(express.json({ verify: keep }));
  app.post('/webhooks', handler.node);
  const { post } = await serve(app);
  expect((await post(settled)).status).toBe(204);
});

test('says what to do about a body that Express parsed', async () => {
  const app = express();
  app.use(express.json());
  app.post('/webhooks', handler.node);
  const { post } = await serve(app);
  const { status, text } = await post(settled);
  expect(status).toBe(500);
  expect(text).toContain('before express.json()');
});

test('answers 413 to a body over 1 MiB, and reads no more of it', async () => {
  const { url } = await serve(handler.node);
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const sent = request(url, { method: 'POST' }, (answer) => resolve(answer.statusCode));
    sent.on('error', reject);
    // The request is never ended: the response comes while the sender is still writing.
    sent.write('x'.repeat(1024 * 1024 + 1));
  });
  expect(status).toBe(413);

  const large = await handler.fetch(requestOf('x'.repeat(1024 * 1024 + 1)));
  expect(large.status).toBe(413);
});

test('survives a sender that closes the connection in the middle of the body', async () => {
  const handled = new Promise<void>((resolve, reject) => {
    void serve((incoming, response) => {
      handler.node(incoming, response).then(resolve, reject);
    }).then(({ url }) => {
      const headers = { 'content-length': '100' };
      const sent = request(url, { method: 'POST', headers });
      sent.on('error', () => undefined);
      sent.write('{"id":', () => sent.destroy());
    });
  });
  await expect(handled).resolves.toBeUndefined();
});

test('types: exhaustive asks for every event type, and each event has its data', () => {
  const options = { secret, exhaustive: true } as const;
  const one = { 'plan.created': () => undefined };
  // @ts-expect-error the other event types are missing
  svc.webhooks.handler(one, options);
  svc.webhooks.handler(one, { secret });
  const all = {} as Required<WebhookHandlers>;
  svc.webhooks.handler(all, options);
  svc.webhooks.handler(
    // @ts-expect-error no event type has this name
    { 'plan.activate': () => undefined },
    { secret },
  );
  svc.webhooks.handler(
    {
      'plan.activated': (event) => {
        const type: 'plan.activated' = event.type;
        const cents: number = event.data.fee_in_cents;
        // @ts-expect-error a plan has no settlement
        return void [type, cents, event.data.settlement_id];
      },
    },
    { secret },
  );
  type Types = keyof WebhookHandlers;
  const covers: Types extends WebhookEvent['type'] ? true : false = true;
  expect(covers).toBe(true);
});
