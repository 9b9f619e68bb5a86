import {
  bigint,
  boolean,
  instant,
  listOf,
  nullable,
  oneOf,
  type Queryable,
  type RowOf,
  row,
  sql,
  text,
} from '@svc/db';
import { deliveryId } from '../kernel/ids.ts';

const deliveryStates = [
  'pending',
  'delivering',
  'retrying',
  'delivered',
  'exhausted',
  'held',
  'skipped',
] as const;

export type DeliveryState = (typeof deliveryStates)[number];

export interface DeliveryView {
  readonly id: string;
  readonly endpoint_id: string;
  readonly endpoint_url: string;
  readonly state: DeliveryState;
  /** Why it was skipped. */
  readonly reason: string | null;
  readonly attempts_made: number;
  readonly next_attempt_at: string | null;
}

export interface MessageView {
  readonly id: string;
  readonly event_type: string;
  readonly external_id: string | null;
  readonly channels: string[] | null;
  readonly custom: boolean;
  readonly test: boolean;
  readonly created_at: string;
  /** When its body was erased. An expunged message cannot be replayed. */
  readonly expunged_at: string | null;
  readonly deliveries: DeliveryView[];
}

/** A message without its body. `sequence` is the order of insertion. */
export const messageRow = row('message', {
  id: text,
  sequence: bigint,
  type: text,
  subject: nullable(text),
  channels: nullable(listOf(text)),
  custom: boolean,
  test: boolean,
  created_at: instant,
  expunged_at: nullable(instant),
});
export type MessageRow = RowOf<typeof messageRow>;

/**
 * Adds the deliveries of each message. All messages are looked up in one pass, because one message at
 * a time would read every publish lease each time.
 */
export async function viewMessages(
  q: Queryable,
  owner: string,
  messages: readonly MessageRow[],
): Promise<MessageView[]> {
  const ids = messages.map(({ id }) => id).toSorted();
  // The executor does not skip partitions by a list of ids, but by the range they are in.
  const rows = await q.many(
    deliveryRow,
    sql`
    select d.message_id, d.endpoint_id, e.url, d.state, d.reason, d.next_attempt_at,
      (select count(*) from webhook_attempts a
       where a.owner = d.owner and a.message_id = d.message_id
         and a.endpoint_id = d.endpoint_id) as attempts_made
    from webhook_deliveries d
    join webhook_endpoints e on e.owner = d.owner and e.id = d.endpoint_id
    where d.owner = ${owner} and d.message_id = any(${ids}::text[])
      and d.message_id >= ${ids[0] ?? ''} and d.message_id <= ${ids.at(-1) ?? ''}
    order by d.endpoint_id`,
  );
  const deliveries = new Map<string, DeliveryView[]>(messages.map(({ id }) => [id, []]));
  for (const found of rows) deliveries.get(found.message_id)?.push(viewDelivery(found));
  return messages.map((message) => ({
    id: message.id,
    event_type: message.type,
    external_id: message.subject,
    channels: message.channels,
    custom: message.custom,
    test: message.test,
    created_at: message.created_at.toISOString(),
    expunged_at: message.expunged_at?.toISOString() ?? null,
    deliveries: deliveries.get(message.id) ?? [],
  }));
}

const deliveryRow = row('delivery', {
  message_id: text,
  endpoint_id: text,
  url: text,
  state: oneOf(...deliveryStates),
  reason: nullable(text),
  next_attempt_at: nullable(instant),
  attempts_made: bigint,
});
type DeliveryRow = RowOf<typeof deliveryRow>;

function viewDelivery(found: DeliveryRow): DeliveryView {
  return {
    id: deliveryId(found.message_id, found.endpoint_id),
    endpoint_id: found.endpoint_id,
    endpoint_url: found.url,
    state: found.state,
    reason: found.reason,
    attempts_made: found.attempts_made,
    next_attempt_at: found.next_attempt_at?.toISOString() ?? null,
  };
}
