import type {
  AttemptOutput,
  EndpointOutput,
  MessageDetailOutput,
  MessageOutput,
} from '@svc/contract';
import { type List, listOf } from './http/pages.ts';
import { path } from './http/path.ts';
import type { Call, CallOptions } from './http/request.ts';
import type {
  CreateEndpoint,
  CustomEvent,
  Delivery,
  EventTypeDescription,
  MessageFilter,
  PublishedEvent,
  SigningSecret,
  TestSend,
  UpdateEndpoint,
} from './types.ts';

export function webhookCalls(call: Call) {
  return {
    endpoints: endpointCalls(call),
    messages: messageCalls(call),

    /** Every type one can subscribe to, with the JSON Schema of its `data` and an example. */
    eventTypes: (options?: CallOptions): List<EventTypeDescription> =>
      listOf((cursor) =>
        call({ method: 'GET', path: '/webhooks/event_types', query: { cursor } }, options),
      ),

    /** The addresses webhooks come from, for an allow-list. */
    egressIps: (options?: CallOptions): Promise<{ egress_ips: string[] }> =>
      call({ method: 'GET', path: '/webhooks/egress_ips' }, options),
  };
}

function endpointCalls(call: Call) {
  const at = (id: string) => path`/webhooks/endpoints/${id}`;
  return {
    list: (options?: CallOptions): List<EndpointOutput> =>
      listOf((cursor) =>
        call({ method: 'GET', path: '/webhooks/endpoints', query: { cursor } }, options),
      ),

    create: (body: CreateEndpoint, options?: CallOptions): Promise<EndpointOutput> =>
      call({ method: 'POST', path: '/webhooks/endpoints', body }, options),

    get: (id: string, options?: CallOptions): Promise<EndpointOutput> =>
      call({ method: 'GET', path: at(id) }, options),

    update: (id: string, body: UpdateEndpoint, options?: CallOptions): Promise<EndpointOutput> =>
      call({ method: 'PATCH', path: at(id), body }, options),

    /** Its undelivered messages are skipped. */
    delete: (id: string, options?: CallOptions): Promise<null> =>
      call({ method: 'DELETE', path: at(id) }, options),

    /** The secret for `verifyWebhook`. */
    secret: (id: string, options?: CallOptions): Promise<SigningSecret> =>
      call({ method: 'GET', path: `${at(id)}/secret` }, options),

    /** A new secret; the old one signs along for `overlap_seconds` (default a day). */
    rotateSecret: (
      id: string,
      body: { overlap_seconds?: number } = {},
      options?: CallOptions,
    ): Promise<SigningSecret> =>
      call({ method: 'POST', path: `${at(id)}/secret/rotate`, body }, options),

    /** Sends an example, or `data`, at once and answers with the attempt. */
    test: (id: string, body: TestSend, options?: CallOptions): Promise<AttemptOutput> =>
      call({ method: 'POST', path: `${at(id)}/test`, body }, options),
  };
}

function messageCalls(call: Call) {
  const at = (id: string) => path`/webhooks/messages/${id}`;
  return {
    list: (filter: MessageFilter = {}, options?: CallOptions): List<MessageOutput> =>
      listOf((cursor) =>
        call({ method: 'GET', path: '/webhooks/messages', query: { ...filter, cursor } }, options),
      ),

    get: (id: string, options?: CallOptions): Promise<MessageDetailOutput> =>
      call({ method: 'GET', path: at(id) }, options),

    attempts: (id: string, options?: CallOptions): List<AttemptOutput> =>
      listOf((cursor) =>
        call({ method: 'GET', path: `${at(id)}/attempts`, query: { cursor } }, options),
      ),

    /** Sends the message again, with the same id and bytes, to one endpoint. */
    replay: (id: string, body: { endpoint_id: string }, options?: CallOptions): Promise<Delivery> =>
      call({ method: 'POST', path: `${at(id)}/replay`, body }, options),

    /** Publishes a custom event; `data` is sent exactly as given. */
    publish: (body: CustomEvent, options?: CallOptions): Promise<PublishedEvent> =>
      call({ method: 'POST', path: '/webhooks/messages', body }, options),
  };
}
