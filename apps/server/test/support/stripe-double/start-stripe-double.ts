import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAccount, type StripeAccount } from './account.ts';
import { parseForm } from './form.ts';
import type { StripeEvent } from './objects.ts';
import { answerPage } from './pages.ts';
import { endpoints } from './resources.ts';
import { Refused } from './state.ts';

/**
 * How one request goes wrong. With `before`, Stripe has not done anything. With `after`, it has, but the caller
 * does not learn that. `error` is the error object in the response's body.
 */
export type Failure =
  | { readonly kind: 'reset'; readonly when: 'before' | 'after' }
  | { readonly kind: 'hang'; readonly when: 'before' | 'after' }
  | { readonly kind: 'garbage'; readonly when: 'before' | 'after' }
  /** A response with status 200 that differs from Stripe's. */
  | { readonly kind: 'other'; readonly when: 'after'; change(own: object): object }
  | {
      readonly kind: 'status';
      readonly when: 'before' | 'after';
      readonly status: number;
      readonly error?: Record<string, string>;
    };

/** A request that the double has received. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly idempotencyKey: string | undefined;
  readonly body: string;
}

/** A webhook as Stripe sends it. */
export interface SignedWebhook {
  readonly event: StripeEvent;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface StripeDouble {
  /** `http://127.0.0.1:<port>`, for `STRIPE_API_BASE`. */
  readonly origin: string;
  readonly secretKey: string;
  readonly webhookSecret: string;
  readonly account: StripeAccount;
  readonly received: readonly Received[];
  /** Makes the next request to an endpoint such as `POST /v1/payment_intents` fail. Can be queued. */
  failNext(endpoint: string, failure: Failure): void;
  /** The events since the last call of `webhooks`, signed. Tests repeat and reorder them. */
  webhooks(secret?: string): SignedWebhook[];
  close(): Promise<void>;
}

/** Stripe as an HTTP server on loopback, for the official client. It keeps its state in memory. */
export async function startStripeDouble(
  start = new Date('2026-01-20T15:00:00Z'),
): Promise<StripeDouble> {
  const secretKey = 'sk_test_double';
  const webhookSecret = 'whsec_double';
  const received: Received[] = [];
  const failures: { readonly endpoint: string; readonly failure: Failure }[] = [];
  const saved = new Map<string, { readonly fingerprint: string; readonly answer: Answer }>();
  let origin = '';
  let delivered = 0;
  const account = createAccount(start, () => origin);
  const server = createServer((request, response) => {
    void serve(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await textOf(request);
    const url = new URL(request.url ?? '', origin);
    const method = request.method ?? '';
    const key = request.headers['idempotency-key'];
    const idempotencyKey = Array.isArray(key) ? key[0] : key;
    received.push({ method, path: url.pathname, idempotencyKey, body });
    const page = answerPage(account, method, url.pathname, new URLSearchParams(body));
    if (page !== undefined) {
      if ('html' in page) response.setHeader('content-type', 'text/html').end(page.html);
      else response.writeHead(303, { location: page.location }).end();
      return;
    }
    if (request.headers.authorization !== `Bearer ${secretKey}`) {
      return send(
        response,
        refusal(401, { type: 'invalid_request_error', message: 'Invalid API Key' }),
      );
    }
    const found = match(method, url.pathname);
    if (!found) {
      const message = `Unrecognized request URL (${method}: ${url.pathname}).`;
      return send(response, refusal(404, { type: 'invalid_request_error', message }));
    }
    const text = method === 'GET' ? url.search : body;
    const run = () =>
      answerOf(() => found.answer(account, { id: found.id, form: parseForm(text) }));
    const fingerprint = `${method} ${url.pathname} ${body}`;
    const once = () => answerOnce(method === 'POST' ? idempotencyKey : undefined, fingerprint, run);
    const failure = takeFailure(found.endpoint);
    if (!failure) return send(response, once());
    const own = failure.when === 'after' ? once() : undefined;
    if (failure.kind === 'other') {
      const answer = JSON.stringify(failure.change(JSON.parse(own?.body ?? '{}')));
      return send(response, { status: 200, body: answer });
    }
    fail(response, failure, { idempotencyKey, fingerprint });
  }

  /**
   * Repeats the first response to an idempotency key, also if it is an error. A response is not saved if
   * validation refused the request.
   */
  function answerOnce(key: string | undefined, fingerprint: string, run: () => Answer): Answer {
    if (key === undefined) return run();
    const earlier = saved.get(key);
    if (earlier && earlier.fingerprint !== fingerprint) {
      const message = 'Keys for idempotent requests can only be used with the same parameters.';
      return refusal(400, { type: 'idempotency_error', message });
    }
    if (earlier) return { ...earlier.answer, replayed: true };
    const answer = run();
    if (answer.status !== 400 && answer.status !== 404) saved.set(key, { fingerprint, answer });
    return answer;
  }

  function takeFailure(endpoint: string): Failure | undefined {
    const index = failures.findIndex((it) => it.endpoint === endpoint);
    return index < 0 ? undefined : failures.splice(index, 1)[0]?.failure;
  }

  function fail(
    response: ServerResponse,
    failure: Exclude<Failure, { kind: 'other' }>,
    { idempotencyKey, fingerprint }: { idempotencyKey: string | undefined; fingerprint: string },
  ): void {
    switch (failure.kind) {
      case 'reset':
        response.destroy();
        return;
      case 'hang':
        return;
      case 'garbage':
        response.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad Gateway</html>');
        return;
      case 'status': {
        const { status, error = { type: 'api_error', message: 'An error occurred.' } } = failure;
        const answer = refusal(status, error);
        // Stripe keeps a 500 under its key when the request was carried out.
        if (failure.when === 'after' && idempotencyKey !== undefined) {
          saved.set(idempotencyKey, { fingerprint, answer });
        }
        send(response, answer);
      }
    }
  }

  return {
    origin,
    secretKey,
    webhookSecret,
    account,
    received,
    failNext: (endpoint, failure) => void failures.push({ endpoint, failure }),
    webhooks(secret = webhookSecret) {
      const fresh = account.events.slice(delivered);
      delivered = account.events.length;
      return fresh.map((event) => signWebhook(event, secret, account.now()));
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Signs an event as Stripe does. */
export function signWebhook(event: StripeEvent, secret: string, at: Date): SignedWebhook {
  const body = JSON.stringify(event);
  const timestamp = Math.floor(at.getTime() / 1_000);
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'stripe-signature': `t=${timestamp},v1=${signature}`,
  };
  return { event, body, headers };
}

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly replayed?: boolean;
}

function answerOf(run: () => object): Answer {
  try {
    return { status: 200, body: JSON.stringify(run()) };
  } catch (error) {
    if (error instanceof Refused) return refusal(error.status, error.error);
    throw error;
  }
}

function refusal(status: number, error: object): Answer {
  return { status, body: JSON.stringify({ error }) };
}

function send(response: ServerResponse, { status, body, replayed = false }: Answer): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'request-id': 'req_double',
    ...(replayed && { 'idempotent-replayed': 'true' }),
  });
  response.end(body);
}

function match(method: string, path: string) {
  for (const [endpoint, answer] of Object.entries(endpoints)) {
    const [verb, pattern = ''] = endpoint.split(' ');
    const found = new RegExp(`^${pattern.replace(':id', '([^/]+)')}$`).exec(path);
    if (verb === method && found)
      return { endpoint, answer, id: decodeURIComponent(found[1] ?? '') };
  }
  return undefined;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
