import type {
  AttemptOutput,
  EndpointOutput,
  MessageDetailOutput,
  MessageOutput,
  ReplayOutput,
} from '@svc/contract';
import { shortListQuery } from '@svc/contract';
import type { z } from 'zod';
import { fieldErrors, validationFailed } from '../input/field-errors.ts';
import { memberText } from '../input/member-text.ts';
import { paginate } from '../input/paginate.ts';
import {
  applicationIn,
  endpointIn,
  endpointPatch,
  endpointUpdate,
  eventTypeIn,
  exampleIn,
  headersIn,
  messageIn,
  portalAccessIn,
  queryIn,
  recoverIn,
  rotateIn,
  type SvixQuery,
} from './input.ts';
import {
  applicationOf,
  attemptOf,
  endpointOf,
  eventTypeOf,
  listOf,
  messageOf,
  statusOf,
  taskOf,
} from './shapes.ts';
import { SvixRefusal } from './svix-error.ts';

interface Input {
  readonly params?: object;
  readonly query?: object;
  readonly body?: object;
  /** The raw text of the body, for routes that deliver it unchanged. */
  readonly bodyText?: string;
}

/** @throws Refusal `validation_failed` */
export function readSvixQuery(query: unknown): SvixQuery {
  return parse(queryIn, query);
}

export interface SvixRequest<Body = unknown> {
  readonly pms: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: SvixQuery;
  readonly body: Body;
  readonly bodyText: string;
  /** Runs a route of `/v1`, such as `GET /webhooks/endpoints`, and returns its `data`. */
  call<Data>(route: string, input?: Input): Promise<Data>;
}

export interface Answered {
  readonly status: number;
  readonly data?: unknown;
}

interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/svix/api/v1`. */
  readonly path: string;
  /** The fields of the body that it reads. */
  readonly body?: z.ZodType;
  run(request: SvixRequest): Promise<Answered>;
}

const app = '/app/{app_id}';
const endpoint = `${app}/endpoint/{endpoint_id}`;
const message = `${app}/msg/{msg_id}`;

/** The calls that a consumer of Svix makes. A partner has one application: its `pms`, or `app_<pms>`. */
export const operations: readonly Operation[] = [
  toOperation('GET', '/app', async ({ pms }) => ok(listOf([applicationOf(pms)], null))),
  withBody('POST', '/app', applicationIn, async (request) => {
    const { uid } = request.body;
    if (uid) requireOwnApplication({ ...request, params: { app_id: uid } });
    return ok(applicationOf(request.pms));
  }),
  toOperation('GET', app, async ({ pms }) => ok(applicationOf(pms))),

  toOperation('GET', `${app}/endpoint`, async ({ call, query }) => {
    const endpoints = await readAll<EndpointOutput>(call, 'GET /webhooks/endpoints');
    const { items: shown, next_cursor } = inOrder(endpoints, query);
    return ok(listOf(shown.map(endpointOf), next_cursor));
  }),
  withBody('POST', `${app}/endpoint`, endpointIn, async ({ call, body }) => {
    const { headers, secret, ...given } = body;
    const created = await call<EndpointOutput>('POST /webhooks/endpoints', {
      body: definedFields({ ...settingsOf(given), headers, secret: secret ?? undefined }),
    });
    return { status: 201, data: endpointOf(created) };
  }),
  toOperation('GET', endpoint, async ({ call, params }) =>
    ok(endpointOf(await call('GET /webhooks/endpoints/{id}', { params: endpointId(params) }))),
  ),
  withBody('PUT', endpoint, endpointUpdate, async ({ call, params, body }) => {
    const { disabled, ...given } = body;
    const all = { description: null, uid: null, channels: null, metadata: {}, ...given };
    const filters = {
      filterTypes: given.filterTypes ?? null,
      throttleRate: given.throttleRate ?? null,
    };
    return ok(await patch(call, params, { ...all, ...filters, disabled: disabled ?? false }));
  }),
  withBody('PATCH', endpoint, endpointPatch, async ({ call, params, body }) =>
    ok(await patch(call, params, body)),
  ),
  toOperation('DELETE', endpoint, async ({ call, params }) => {
    await call('DELETE /webhooks/endpoints/{id}', { params: endpointId(params) });
    return noContent;
  }),

  toOperation('GET', `${endpoint}/headers`, async ({ call, params }) => {
    const { header_names } = await call<EndpointOutput>('GET /webhooks/endpoints/{id}', {
      params: endpointId(params),
    });
    // Values cannot be read back.
    return ok({ headers: {}, sensitive: header_names });
  }),
  withBody('PUT', `${endpoint}/headers`, headersIn, async ({ call, params, body }) => {
    const { headers } = body;
    await call('PATCH /webhooks/endpoints/{id}', { params: endpointId(params), body: { headers } });
    return noContent;
  }),
  withBody('PATCH', `${endpoint}/headers`, headersIn, async ({ call, params, body }) => {
    const { headers, deleteHeaders = [] } = body;
    const id = endpointId(params);
    const { header_names } = await call<EndpointOutput>('GET /webhooks/endpoints/{id}', {
      params: id,
    });
    const named = [...Object.keys(headers), ...deleteHeaders].map((name) => name.toLowerCase());
    const kept = header_names.filter((name) => !named.includes(name));
    if (kept.length > 0) {
      throw new SvixRefusal(
        409,
        'conflict',
        `The values of ${kept.join(', ')} can’t be read, so they can’t be kept: send all headers.`,
      );
    }
    await call('PATCH /webhooks/endpoints/{id}', { params: id, body: { headers } });
    return noContent;
  }),
  toOperation('GET', `${endpoint}/secret`, async ({ call, params }) => {
    const { secret } = await call<{ secret: string }>('GET /webhooks/endpoints/{id}/secret', {
      params: endpointId(params),
    });
    return ok({ key: secret });
  }),
  withBody('POST', `${endpoint}/secret/rotate`, rotateIn, async ({ call, params, body }) => {
    if (body.key) throw unsupported('key', 'must be left out: the new secret is generated');
    const { secret } = await call<{ secret: string }>(
      'POST /webhooks/endpoints/{id}/secret/rotate',
      { params: endpointId(params), body: {} },
    );
    // Versions 1.x of the clients expect nothing and ignore it.
    return ok({ key: secret });
  }),
  withBody('POST', `${endpoint}/send-example`, exampleIn, async ({ call, params, body }) => {
    const { message_id } = await call<AttemptOutput>('POST /webhooks/endpoints/{id}/test', {
      params: endpointId(params),
      body: { event_type: body.eventType },
      bodyText: '{}',
    });
    return { status: 202, data: messageOf(await readMessage(call, message_id)) };
  }),
  withBody('POST', `${endpoint}/recover`, recoverIn, (request) =>
    replay(request, 'endpoint.recover', 'failed'),
  ),
  withBody('POST', `${endpoint}/replay-missing`, recoverIn, (request) =>
    replay(request, 'endpoint.replay', 'never_attempted'),
  ),
  toOperation('GET', `${endpoint}/msg`, async ({ call, query, params }) => {
    const { id: endpoint_id } = endpointId(params);
    const { items, next_cursor } = await call<Page<MessageOutput>>('GET /webhooks/messages', {
      query: definedFields({
        ...filterOf(query),
        endpoint_id,
        state: statesOf[query.status ?? 'any'],
      }),
    });
    const { id } = await call<EndpointOutput>('GET /webhooks/endpoints/{id}', {
      params: { id: endpoint_id },
    });
    const shown = items.map((it) => {
      const delivery = it.deliveries.find((one) => one.endpoint_id === id);
      const status = delivery && { ...statusOf(delivery), nextAttempt: delivery.next_attempt_at };
      return { ...messageOf(it), ...status };
    });
    return ok(listOf(shown, next_cursor));
  }),

  toOperation('GET', `${app}/msg`, async ({ call, query }) => {
    const { items, next_cursor } = await call<Page<MessageOutput>>('GET /webhooks/messages', {
      query: filterOf(query),
    });
    const read =
      query.with_content === 'false'
        ? items
        : await Promise.all(items.map(({ id }) => readMessage(call, id)));
    return ok(
      listOf(
        read.map((it) => messageOf(it)),
        next_cursor,
      ),
    );
  }),
  withBody('POST', `${app}/msg`, messageIn, async ({ call, body, bodyText }) => {
    const { eventType, eventId, channels, payload, deliverAt } = body;
    if (deliverAt) throw unsupported('deliverAt', 'must be left out: messages are sent at once');
    const sent = await call<{ id: string; duplicate: boolean }>('POST /webhooks/messages', {
      body: definedFields({
        event_type: eventType,
        data: payload,
        event_id: eventId ?? undefined,
        channels: channels?.length ? channels : undefined,
      }),
      // The payload is delivered byte for byte as it was sent.
      bodyText: `{"data":${memberText(bodyText, 'payload') ?? '{}'}}`,
    });
    if (sent.duplicate) {
      throw new SvixRefusal(409, 'conflict', `eventId ${eventId} was sent as ${sent.id}.`);
    }
    return { status: 202, data: messageOf(await readMessage(call, sent.id), eventId) };
  }),
  toOperation('GET', message, async ({ call, params }) =>
    ok(messageOf(await readMessage(call, params.msg_id))),
  ),
  toOperation('DELETE', `${message}/content`, async ({ call, params }) => {
    await call('POST /webhooks/messages/{id}/expunge', { params: { id: params.msg_id }, body: {} });
    return noContent;
  }),
  toOperation('GET', `${message}/endpoint`, async ({ call, params }) => {
    const { deliveries } = await readMessage(call, params.msg_id);
    const endpoints = await readAll<EndpointOutput>(call, 'GET /webhooks/endpoints');
    const shown = deliveries.flatMap((delivery) => {
      const target = endpoints.find(({ id }) => id === delivery.endpoint_id);
      const status = { ...statusOf(delivery), nextAttempt: delivery.next_attempt_at };
      return target ? [{ ...endpointOf(target), ...status }] : [];
    });
    return ok(listOf(shown, null));
  }),

  toOperation('GET', `${app}/attempt/endpoint/{endpoint_id}`, async ({ call, query, params }) => {
    if (isUnfinished(query)) return ok(listOf([], null));
    const { items, next_cursor } = await call<Page<AttemptOutput>>('GET /webhooks/attempts', {
      query: definedFields({
        ...filterOf(query),
        ...outcomeOf(query),
        endpoint_id: params.endpoint_id,
      }),
    });
    return ok(listOf(items.map(attemptOf), next_cursor));
  }),
  toOperation('GET', `${app}/attempt/msg/{msg_id}`, async ({ call, query, params }) => {
    const attempts = await readAttempts(call, params.msg_id);
    const { succeeded, status_class } = outcomeOf(query);
    const { endpoint_id, before, after } = query;
    const matching = attempts
      .filter(() => !isUnfinished(query))
      .filter((it) => succeeded === undefined || String(it.succeeded) === succeeded)
      .filter((it) => status_class === undefined || classOf(it) === status_class)
      .filter((it) => before === undefined || new Date(it.started_at) < new Date(before))
      .filter((it) => after === undefined || new Date(it.started_at) > new Date(after))
      .filter((it) => endpoint_id === undefined || it.endpoint_id === endpoint_id);
    const { items: shown, next_cursor } = inOrder(matching, query);
    return ok(listOf(shown.map(attemptOf), next_cursor));
  }),
  toOperation('GET', `${message}/attempt/{attempt_id}`, async ({ call, params }) => {
    const attempts = await readAttempts(call, params.msg_id);
    const found = attempts.find(({ id }) => id === params.attempt_id);
    if (!found) throw new SvixRefusal(404, 'not_found', 'There is no attempt with this id.');
    return ok(attemptOf(found));
  }),
  toOperation('POST', `${message}/endpoint/{endpoint_id}/resend`, async ({ call, params }) => {
    await call('POST /webhooks/messages/{id}/replay', {
      params: { id: params.msg_id },
      body: { endpoint_id: params.endpoint_id },
    });
    return { status: 202, data: {} };
  }),

  toOperation('GET', '/event-type', async ({ call, query }) => {
    const { items, next_cursor } = inOrder(await readEventTypes(call), query);
    return ok(listOf(items.map(eventTypeOf), next_cursor));
  }),
  withBody('POST', '/event-type', eventTypeIn, async ({ call, body: { name } }) => {
    const found = (await readEventTypes(call)).find((it) => it.name === name);
    if (!found) throw ownCatalog(`${name} is not in it.`);
    return { status: 201, data: eventTypeOf(found) };
  }),
  toOperation('GET', '/event-type/{name}', async ({ call, params }) => {
    const found = (await readEventTypes(call)).find((it) => it.name === params.name);
    if (!found) throw new SvixRefusal(404, 'not_found', 'There is no event type with this name.');
    return ok(eventTypeOf(found));
  }),
  ...(['PUT', 'PATCH', 'DELETE'] as const).map((method) =>
    toOperation(method, '/event-type/{name}', async () => {
      throw ownCatalog('It can’t be changed.');
    }),
  ),

  withBody('POST', '/auth/app-portal-access/{app_id}', portalAccessIn, async ({ call, body }) => {
    const { readOnly, capabilities } = body;
    const mayChange = capabilities?.some((it) => /^(Manage|Create)/.test(it)) ?? true;
    const { url } = await call<{ url: string }>('GET /partner/webhook_portal_url', {
      query: { read_only: String(readOnly === true || !mayChange) },
    });
    return ok({ url, token: new URL(url).hash.slice(1) });
  }),
  toOperation('POST', '/auth/app/{app_id}/expire-all', async ({ call }) => {
    await call('DELETE /partner/webhook_portal_sessions');
    return noContent;
  }),
];

interface Page<Item> {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
}

type EventType = Parameters<typeof eventTypeOf>[0];
type CallRoute = SvixRequest['call'];

function toOperation(method: Operation['method'], path: string, run: Operation['run']): Operation {
  return {
    method,
    path,
    run: async (request) => {
      requireOwnApplication(request);
      return run(request);
    },
  };
}

function withBody<Body>(
  method: Operation['method'],
  path: string,
  schema: z.ZodType<Body>,
  run: (request: SvixRequest<Body>) => Promise<Answered>,
): Operation {
  const operation = toOperation(method, path, (request) =>
    run({ ...request, body: parse(schema, request.body) }),
  );
  return { ...operation, body: schema };
}

function requireOwnApplication({
  pms,
  params: { app_id },
}: Pick<SvixRequest, 'pms' | 'params'>): void {
  if (app_id === undefined || app_id === pms || app_id === `app_${pms}`) return;
  const detail = `There is one application, "${pms}": the partner that the API key belongs to.`;
  throw new SvixRefusal(404, 'not_found', detail);
}

/** Reads the fields that we know. Svix's clients send others, which are ignored like at Svix. */
function parse<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw validationFailed(fieldErrors(parsed.error.issues, schema));
}

function unsupported(param: string, message: string): Error {
  return validationFailed([{ param, code: 'invalid_value', message }]);
}

function ownCatalog(what: string): SvixRefusal {
  return new SvixRefusal(403, 'forbidden', `Event types come from the service’s catalog. ${what}`);
}

type Settings = z.output<typeof endpointPatch>;

/** Clients 1.x send `filterTypes` and `rateLimit`, 2.x `eventTypes` and `throttleRate`. An empty list means all. */
function settingsOf(settings: Settings) {
  const { filterTypes, eventTypes, rateLimit, throttleRate, disabled, ...given } = settings;
  const { description, channels } = given;
  const types = eventTypes ?? filterTypes ?? (eventTypes === null ? eventTypes : filterTypes);
  const isEmpty = (list: readonly string[] | null | undefined) => list?.length === 0;
  return {
    ...given,
    state: disabled === undefined ? undefined : disabled ? 'disabled' : 'enabled',
    description: description === '' ? null : description,
    event_types: isEmpty(types) ? null : types,
    channels: isEmpty(channels) ? null : channels,
    throttle_per_second: throttleRate ?? rateLimit ?? (throttleRate === null ? null : rateLimit),
  };
}

function definedFields(fields: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

async function patch(call: CallRoute, params: SvixRequest['params'], given: Settings) {
  const changed = await call<EndpointOutput>('PATCH /webhooks/endpoints/{id}', {
    params: endpointId(params),
    body: definedFields(settingsOf(given)),
  });
  return endpointOf(changed);
}

async function replay(
  { call, params, body: { since, until } }: SvixRequest<z.output<typeof recoverIn>>,
  task: Parameters<typeof taskOf>[1],
  state: 'failed' | 'never_attempted',
): Promise<Answered> {
  const started = await call<ReplayOutput>('POST /webhooks/replays', {
    body: definedFields({
      endpoint_id: params.endpoint_id,
      since,
      until: until ?? undefined,
      filter: { states: [state] },
    }),
  });
  return { status: 202, data: taskOf(started, task) };
}

function readMessage(call: CallRoute, id: string | undefined): Promise<MessageDetailOutput> {
  return call('GET /webhooks/messages/{id}', { params: { id } });
}

function readAttempts(call: CallRoute, id: string | undefined): Promise<AttemptOutput[]> {
  return readAll(call, 'GET /webhooks/messages/{id}/attempts', { id });
}

function readEventTypes(call: CallRoute): Promise<EventType[]> {
  return readAll(call, 'GET /webhooks/event_types');
}

/** All items of a list that is short: endpoints, event types, or the attempts of one message. */
async function readAll<Item>(call: CallRoute, route: string, params?: object): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const query = { limit: String(mostPerPage), ...(cursor !== null && { cursor }) };
    const page: Page<Item> = await call(route, { ...(params && { params }), query });
    items.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return items;
}

function endpointId({ endpoint_id = '' }: SvixRequest['params']): { id: string } {
  return { id: endpoint_id };
}

const mostPerPage = 100;

/** Svix returns 50 by default and allows 250; ours are at most 100. */
function pageOf({ limit = '50', iterator }: SvixQuery): object {
  const most = Number(limit) > mostPerPage ? String(mostPerPage) : limit;
  return definedFields({ limit: most, cursor: iterator === '' ? undefined : iterator });
}

/** One page of a list that is read completely, oldest first unless asked otherwise. */
function inOrder<T>(oldestFirst: readonly T[], query: SvixQuery) {
  const { limit, cursor } = parse(shortListQuery, pageOf(query));
  const items = query.order === 'descending' ? oldestFirst.toReversed() : oldestFirst;
  return paginate(items, { limit, cursor });
}

function filterOf(query: SvixQuery): object {
  const { before, after, channel, event_types, order, tag } = query;
  if (order === 'ascending') throw unsupported('order', 'must be left out: newest comes first');
  if (tag) throw unsupported('tag', 'must be left out: messages have no tags');
  return definedFields({
    ...pageOf(query),
    until: before,
    since: after,
    channel,
    event_type: event_types,
  });
}

/** Our states of a delivery for Svix's states of a message. */
const statesOf: Readonly<Record<string, string | undefined>> = {
  0: 'delivered',
  1: 'pending,retrying,held',
  2: 'exhausted',
  3: 'delivering',
  4: 'skipped',
};

/** An attempt is listed when it has succeeded or failed, never while it is pending or being sent. */
function isUnfinished({ status }: SvixQuery): boolean {
  return status !== undefined && status !== '0' && status !== '2';
}

function outcomeOf({ status, status_code_class }: SvixQuery) {
  const succeeded = status === '0' ? 'true' : status === '2' ? 'false' : undefined;
  const status_class =
    status_code_class && (status_code_class === '0' ? 'none' : `${status_code_class.charAt(0)}xx`);
  return { succeeded, status_class };
}

function classOf({ status }: AttemptOutput): string {
  return status === null ? 'none' : `${Math.floor(status / 100)}xx`;
}

const noContent: Answered = { status: 204 };

function ok(data: unknown): Answered {
  return { status: 200, data };
}
