import type {
  ActivityOutput,
  AttemptOutput,
  DeliveryAttemptOutput,
  EndpointOutput,
  FilterPreviewInput,
  FilterPreviewOutput,
  MessageDetailOutput,
  MessageOutput,
  ReplayOutput,
  TestSendOutput,
} from '@svc/contract';
import { webhookHandler } from './handler/webhook-handler.ts';
import { type List, listOf, type Page } from './http/pages.ts';
import type { Call, CallOptions } from './http/request.ts';
import type {
  ActivityFilter,
  AttemptFilter,
  AuditEntry,
  CreateEndpoint,
  CreateReplay,
  CustomEvent,
  Delivery,
  DeliveryExport,
  DeliveryFilter,
  EndpointHealth,
  EventTypeDescription,
  MessageFilter,
  PublicKeys,
  PublishedEvent,
  ReplayFilter,
  SigningSecret,
  TestSend,
  UpdateEndpoint,
} from './types.ts';

export function webhookCalls(call: Call) {
  return {
    handler: webhookHandler,
    endpoints: endpointCalls(call),
    messages: messageCalls(call),
    replays: replayCalls(call),

    /** Counts attempts over time, in at most 120 intervals. */
    activity: (filter: ActivityFilter = {}, options?: CallOptions): Promise<ActivityOutput> =>
      call({ method: 'GET', path: '/webhooks/activity', query: { ...filter } }, options),

    /** Lists attempts of all messages, newest message first. */
    attempts: (filter: AttemptFilter = {}, options?: CallOptions): List<AttemptOutput> =>
      listOf((cursor) =>
        call({ method: 'GET', path: '/webhooks/attempts', query: { ...filter, cursor } }, options),
      ),

    /** Lists one row for each attempt, with its message's tenant, type and channels. */
    deliveries: (filter: DeliveryFilter = {}, options?: CallOptions): List<DeliveryAttemptOutput> =>
      listOf((cursor) =>
        call(
          { method: 'GET', path: '/webhooks/deliveries', query: { ...filter, cursor } },
          options,
        ),
      ),
    /** Returns up to 10,000 deliveries in one response. Pass `next_cursor` as `cursor` for more. */
    exportDeliveries: (
      filter: DeliveryExport = {},
      options?: CallOptions,
    ): Promise<Page<DeliveryAttemptOutput>> =>
      call(
        { method: 'GET', path: '/webhooks/deliveries/export.json', query: { ...filter } },
        options,
      ),
    /** The audit log: changes of endpoints, secrets, replays and more, newest first. */
    auditLog: (options?: CallOptions): List<AuditEntry> =>
      listOf((cursor) =>
        call({ method: 'GET', path: '/webhooks/audit_log', query: { cursor } }, options),
      ),

    /** Lists every event type, with the JSON Schema of its `data` and an example. */
    eventTypes: (options?: CallOptions): List<EventTypeDescription> =>
      listOf((cursor) =>
        call({ method: 'GET', path: '/webhooks/event_types', query: { cursor } }, options),
      ),

    /** Returns the IP addresses that webhooks come from, for an allow-list. */
    egressIps: (options?: CallOptions): Promise<{ egress_ips: string[] }> =>
      call({ method: 'GET', path: '/webhooks/egress_ips' }, options),
  };
}

function endpointCalls(call: Call) {
  return {
    list: (options?: CallOptions): List<EndpointOutput> =>
      listOf((cursor) =>
        call({ method: 'GET', path: '/webhooks/endpoints', query: { cursor } }, options),
      ),

    create: (body: CreateEndpoint, options?: CallOptions): Promise<EndpointOutput> =>
      call({ method: 'POST', path: '/webhooks/endpoints', body }, options),

    get: (id: string, options?: CallOptions): Promise<EndpointOutput> =>
      call({ method: 'GET', path: '/webhooks/endpoints/{id}', params: { id } }, options),

    update: (id: string, body: UpdateEndpoint, options?: CallOptions): Promise<EndpointOutput> =>
      call({ method: 'PATCH', path: '/webhooks/endpoints/{id}', params: { id }, body }, options),

    /** Deletes an endpoint. Its undelivered messages are skipped. */
    delete: (id: string, options?: CallOptions): Promise<null> =>
      call({ method: 'DELETE', path: '/webhooks/endpoints/{id}', params: { id } }, options),

    /** Returns each endpoint's last 24 hours and last failure. */
    health: (options?: CallOptions): List<EndpointHealth> =>
      listOf((cursor) =>
        call({ method: 'GET', path: '/webhooks/endpoints/health', query: { cursor } }, options),
      ),

    /** Returns the secret for `verifyWebhook`. */
    secret: (id: string, options?: CallOptions): Promise<SigningSecret> =>
      call({ method: 'GET', path: '/webhooks/endpoints/{id}/secret', params: { id } }, options),

    /** Tries a filter on your newest messages. Changes nothing. */
    previewFilter: (
      body: FilterPreviewInput,
      options?: CallOptions,
    ): Promise<FilterPreviewOutput> =>
      call({ method: 'POST', path: '/webhooks/filter_preview', body }, options),

    /** Creates a new secret. The old one also signs for `overlap_seconds`, by default a day. */
    rotateSecret: (
      id: string,
      body: { overlap_seconds?: number } = {},
      options?: CallOptions,
    ): Promise<SigningSecret> =>
      call(
        { method: 'POST', path: '/webhooks/endpoints/{id}/secret/rotate', params: { id }, body },
        options,
      ),

    /** Creates a new ed25519 key pair. The old one also signs for `overlap_seconds`, by default a day. */
    rotatePublicKey: (
      id: string,
      body: { overlap_seconds?: number } = {},
      options?: CallOptions,
    ): Promise<PublicKeys> =>
      call(
        {
          method: 'POST',
          path: '/webhooks/endpoints/{id}/public_key/rotate',
          params: { id },
          body,
        },
        options,
      ),

    /** Sends an example, or `data`, immediately. Returns the attempt. */
    test: (id: string, body: TestSend, options?: CallOptions): Promise<TestSendOutput> =>
      call(
        { method: 'POST', path: '/webhooks/endpoints/{id}/test', params: { id }, body },
        options,
      ),
  };
}

function messageCalls(call: Call) {
  return {
    list: (filter: MessageFilter = {}, options?: CallOptions): List<MessageOutput> =>
      listOf((cursor) =>
        call({ method: 'GET', path: '/webhooks/messages', query: { ...filter, cursor } }, options),
      ),

    get: (id: string, options?: CallOptions): Promise<MessageDetailOutput> =>
      call({ method: 'GET', path: '/webhooks/messages/{id}', params: { id } }, options),

    attempts: (id: string, options?: CallOptions): List<AttemptOutput> =>
      listOf((cursor) =>
        call(
          {
            method: 'GET',
            path: '/webhooks/messages/{id}/attempts',
            params: { id },
            query: { cursor },
          },
          options,
        ),
      ),

    /** Sends the message to one endpoint again, with the same id and bytes. */
    replay: (id: string, body: { endpoint_id: string }, options?: CallOptions): Promise<Delivery> =>
      call(
        { method: 'POST', path: '/webhooks/messages/{id}/replay', params: { id }, body },
        options,
      ),

    /** Permanently erases a message's payload. With `cancel`, pending deliveries are canceled. */
    expunge: (
      id: string,
      body: { cancel?: boolean } = {},
      options?: CallOptions,
    ): Promise<MessageDetailOutput> =>
      call(
        { method: 'POST', path: '/webhooks/messages/{id}/expunge', params: { id }, body },
        options,
      ),

    /** Publishes a custom event. `data` is delivered unchanged. */
    publish: (body: CustomEvent, options?: CallOptions): Promise<PublishedEvent> =>
      call({ method: 'POST', path: '/webhooks/messages', body }, options),
  };
}

function replayCalls(call: Call) {
  const control =
    (what: 'pause' | 'resume' | 'cancel') =>
    (id: string, options?: CallOptions): Promise<ReplayOutput> =>
      call({ method: 'POST', path: `/webhooks/replays/{id}/${what}`, params: { id } }, options);
  return {
    /** Replays messages by time, state and type. With `dry_run`, only counts them. */
    create: (body: CreateReplay, options?: CallOptions): Promise<ReplayOutput> =>
      call({ method: 'POST', path: '/webhooks/replays', body }, options),

    list: (filter: ReplayFilter = {}, options?: CallOptions): List<ReplayOutput> =>
      listOf((cursor) =>
        call({ method: 'GET', path: '/webhooks/replays', query: { ...filter, cursor } }, options),
      ),

    get: (id: string, options?: CallOptions): Promise<ReplayOutput> =>
      call({ method: 'GET', path: '/webhooks/replays/{id}', params: { id } }, options),

    pause: control('pause'),
    resume: control('resume'),
    cancel: control('cancel'),
  };
}
