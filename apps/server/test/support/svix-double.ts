import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The double's answer to the next call of a kind, instead of Svix's. */
export type Misbehavior =
  | {
      readonly status: number;
      readonly body: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Never answers. */
  | 'hang'
  /** Closes the connection without an answer. */
  | 'reset'
  /** Stores the message, and answers like a failing gateway. */
  | 'store, then 502'
  /** Stores the message, and closes the connection within the answer. */
  | 'store, then half an answer';

interface StoredMessage {
  readonly id: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly channels: readonly string[] | null;
  readonly body: string;
  readonly retentionDays: number;
  timestamp: Date;
  /** Ids of endpoints with an attempt. */
  attempted: string[];
  readonly resent: string[];
}

interface DoubleEndpoint {
  readonly id: string;
  readonly disabled?: boolean;
  readonly filterTypes?: readonly string[];
  readonly channels?: readonly string[];
}

/**
 * A double of a Svix server, for failures that the real one cannot be made to have. It keeps applications, messages
 * and event types in memory, has one message per eventId and application, and stores no idempotency keys.
 */
export interface SvixDouble {
  readonly url: string;
  readonly token: string;
  readonly applications: Map<string, Map<string, StoredMessage>>;
  readonly endpoints: DoubleEndpoint[];
  readonly eventTypes: Map<string, Record<string, unknown>>;
  /** The double's responses to the next calls that create a message, in order. */
  readonly script: Misbehavior[];
  /** Method and path of each call, such as `POST /app/ptn_1/msg`. */
  readonly calls: string[];
  /** If true, a message gets an attempt at each endpoint at once. Default: true. */
  attempts: boolean;
  /** If true, every call is refused as one with a wrong token. */
  refusesToken: boolean;
  /** If true, creating a message does not create its application, as on older servers. */
  ignoresApplication: boolean;
  message(uid: string, eventId: string): StoredMessage | undefined;
  close(): Promise<void>;
}

export async function startSvixDouble(now: () => Date): Promise<SvixDouble> {
  let ids = 0;
  const double: Omit<SvixDouble, 'url' | 'close'> = {
    token: 'the-token-of-the-double',
    applications: new Map(),
    endpoints: [],
    eventTypes: new Map(),
    script: [],
    calls: [],
    attempts: true,
    refusesToken: false,
    ignoresApplication: false,
    message: (uid, eventId) => double.applications.get(uid)?.get(eventId),
  };

  function route(request: IncomingMessage, text: string): Answer {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const path = url.pathname.replace(/^\/api\/v1/, '');
    double.calls.push(`${request.method} ${path}`);
    const isKnown = request.headers.authorization === `Bearer ${double.token}`;
    if (double.refusesToken || !isKnown) return refusal(401, 'Invalid token');
    const [kind = '', name = '', part = '', id = '', more = '', endpointId = ''] = path
      .slice(1)
      .split('/');
    if (kind === 'event-type') return routeEventType(request.method, name, text);
    if (name === '') return createApplication(JSON.parse(text).uid);
    if (part === 'msg' && request.method === 'POST' && id === '') return create(name, text);
    const application = double.applications.get(name);
    if (!application) return refusal(404, 'Entity not found');
    if (part === 'endpoint') return list(double.endpoints.map(shownEndpoint));
    const message = [...application.values()].find((it) => it.id === id || it.eventId === id);
    if (part === 'attempt') return refusal(404, 'not used');
    if (!message) return refusal(404, 'Entity not found');
    if (more === '') return { status: 200, body: shown(message) };
    if (endpointId === '') return list(message.attempted.map((it) => shownEndpoint({ id: it })));
    message.resent.push(endpointId);
    return { status: 202, body: {} };
  }

  function createApplication(uid: string): Answer {
    if (!double.applications.has(uid)) double.applications.set(uid, new Map());
    return { status: 200, body: { id: `app_${uid}`, uid, name: uid, metadata: {} } };
  }

  function create(uid: string, text: string): Answer {
    const input = JSON.parse(text);
    if (!double.applications.has(uid)) {
      if (double.ignoresApplication) return refusal(404, 'Entity not found');
      if (input.application === undefined) return refusal(404, 'Entity not found');
      createApplication(input.application.uid);
    }
    const messages = double.applications.get(uid);
    if (messages?.has(input.eventId)) return refusal(409, 'A conflict has occurred', 'conflict');
    ids += 1;
    const message: StoredMessage = {
      id: `msg_${ids}`,
      eventId: input.eventId,
      eventType: input.eventType,
      channels: input.channels ?? null,
      body: input.transformationsParams.rawPayload,
      retentionDays: input.payloadRetentionPeriod,
      timestamp: now(),
      attempted: double.attempts ? double.endpoints.map((it) => it.id) : [],
      resent: [],
    };
    messages?.set(message.eventId, message);
    return { status: 202, body: shown(message) };
  }

  function routeEventType(method: string | undefined, name: string, text: string): Answer {
    if (method === 'GET') return list([...double.eventTypes.values()]);
    const stored = { ...times, deprecated: false, ...JSON.parse(text), name };
    double.eventTypes.set(name, stored);
    return { status: 200, body: stored };
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const isMessage = request.method === 'POST' && /\/app\/[^/]+\/msg$/.test(pathOf(request));
      const misbehavior = isMessage ? double.script.shift() : undefined;
      const answer = () => route(request, Buffer.concat(chunks).toString());
      respond(response, misbehavior, answer);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return Object.assign(double, {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  });
}

interface Answer {
  readonly status: number;
  readonly body: object;
}

function respond(
  response: ServerResponse,
  misbehavior: Misbehavior | undefined,
  answer: () => Answer,
): void {
  switch (misbehavior) {
    case 'hang':
      return;
    case 'reset':
      response.destroy();
      return;
    case 'store, then half an answer': {
      const text = JSON.stringify(answer().body);
      response.writeHead(202, { 'content-length': Buffer.byteLength(text) });
      response.write(text.slice(0, 10), () => response.destroy());
      return;
    }
    case 'store, then 502':
      answer();
      response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>');
      return;
    case undefined: {
      const { status, body } = answer();
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      return;
    }
    default: {
      const { status, headers, body } = misbehavior;
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
    }
  }
}

function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?')[0] ?? '';
}

function refusal(status: number, detail: string, code = 'refused'): Answer {
  return { status, body: { code, detail } };
}

function list(data: readonly object[]): Answer {
  return { status: 200, body: { data, iterator: null, prevIterator: null, done: true } };
}

const times = { createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-01T00:00:00Z' };

function shown({ id, eventId, eventType, channels, timestamp }: StoredMessage): object {
  return { id, eventId, eventType, channels, payload: {}, timestamp: timestamp.toISOString() };
}

function shownEndpoint(endpoint: DoubleEndpoint): object {
  return {
    ...times,
    description: '',
    url: 'http://localhost',
    version: 1,
    metadata: {},
    ...endpoint,
  };
}
