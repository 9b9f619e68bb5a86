import type {
  AttemptOutput,
  EndpointOutput,
  MessageDetailOutput,
  MessageOutput,
  ReplayOutput,
} from '@svc/contract';

// Our objects in the shapes of Svix's API. Fields that we do not have are null or their default.

/** Lists of 1.x and 2.x: the client passes `iterator` back to continue. */
interface SvixList<Item> {
  readonly data: readonly Item[];
  readonly iterator: string | null;
  readonly prevIterator: null;
  readonly done: boolean;
}

export function listOf<Item>(data: readonly Item[], cursor: string | null): SvixList<Item> {
  return { data, iterator: cursor, prevIterator: null, done: cursor === null };
}

export function applicationOf(pms: string) {
  const since = new Date(0).toISOString();
  return {
    id: `app_${pms}`,
    uid: pms,
    name: pms,
    metadata: {},
    rateLimit: null,
    throttleRate: null,
    createdAt: since,
    updatedAt: since,
  };
}

export function endpointOf(endpoint: EndpointOutput) {
  const { id, uid, url, event_types, channels, throttle_per_second, created_at } = endpoint;
  return {
    id,
    uid,
    url,
    description: endpoint.description ?? '',
    // Clients 1.x read `filterTypes`, and 2.x `eventTypes`.
    filterTypes: event_types,
    eventTypes: event_types,
    channels,
    disabled: endpoint.state === 'disabled',
    rateLimit: throttle_per_second,
    throttleRate: throttle_per_second,
    metadata: endpoint.metadata,
    version: 1,
    createdAt: created_at,
    updatedAt: created_at,
  };
}

/** `payload` is the `data` of our webhook. */
export function messageOf(
  { id, event_type, channels, created_at, ...message }: MessageOutput | MessageDetailOutput,
  eventId: string | null = null,
) {
  const body = 'body' in message ? message.body : null;
  return {
    id,
    eventId,
    eventType: event_type,
    channels,
    payload: body === null ? {} : JSON.parse(body).data,
    tags: null,
    timestamp: created_at,
  };
}

const statuses = { success: 0, pending: 1, fail: 2, sending: 3, canceled: 4 } as const;
const statusOfState = {
  pending: 'pending',
  delivering: 'sending',
  retrying: 'pending',
  delivered: 'success',
  exhausted: 'fail',
  held: 'pending',
  skipped: 'canceled',
} as const satisfies Record<string, keyof typeof statuses>;

export function statusOf({ state }: MessageOutput['deliveries'][number]) {
  const statusText = statusOfState[state];
  return { status: statuses[statusText], statusText };
}

export function attemptOf(attempt: AttemptOutput) {
  const statusText = attempt.succeeded ? 'success' : 'fail';
  return {
    id: attempt.id,
    msgId: attempt.message_id,
    endpointId: attempt.endpoint_id,
    url: attempt.url,
    response: attempt.response_body ?? attempt.error ?? '',
    responseStatusCode: attempt.status ?? 0,
    responseDurationMs: Math.round(attempt.timing_in_ms.total),
    status: statuses[statusText],
    statusText,
    triggerType: attempt.trigger === 'schedule' ? 0 : 1,
    timestamp: attempt.started_at,
  };
}

export function taskOf(
  { id, state, created_at, finished_at }: ReplayOutput,
  task: 'endpoint.recover' | 'endpoint.replay',
) {
  const isRunning = state === 'running' || state === 'paused';
  return {
    id,
    task,
    status: isRunning ? 'running' : state === 'completed' ? 'finished' : 'failed',
    updatedAt: finished_at ?? created_at,
  };
}

export function eventTypeOf(type: {
  readonly name: string;
  readonly group: string;
  readonly description: string;
  readonly schema: Record<string, unknown>;
}) {
  const since = new Date(0).toISOString();
  return {
    name: type.name,
    description: type.description,
    groupName: type.group,
    schemas: { '1': type.schema },
    archived: false,
    deprecated: false,
    featureFlag: null,
    featureFlags: null,
    createdAt: since,
    updatedAt: since,
  };
}
