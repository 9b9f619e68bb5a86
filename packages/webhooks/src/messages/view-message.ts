import { type Queryable, sql } from '@svc/db';
import { deliveryId } from '../kernel/ids.ts';

export type DeliveryState =
  | 'pending'
  | 'delivering'
  | 'retrying'
  | 'delivered'
  | 'exhausted'
  | 'held'
  | 'skipped';

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

export interface MessageRow {
  id: string;
  /** Order of insertion. */
  sequence: number;
  type: string;
  subject: string | null;
  channels: string[] | null;
  custom: boolean;
  test: boolean;
  created_at: Date;
  expunged_at: Date | null;
}

/**
 * Adds the deliveries of each message. All messages are looked up in one pass, because one message at
 * a time would read every publish lease each time.
 */
export async function viewMessages(
  q: Queryable,
  messages: readonly MessageRow[],
): Promise<MessageView[]> {
  const rows = await q.many<DeliveryRow>(sql`
    select d.message_id, d.endpoint_id, e.url, d.state, d.reason, d.next_attempt_at,
      (select count(*) from webhook_attempts a
       where a.message_id = d.message_id and a.endpoint_id = d.endpoint_id) as attempts_made
    from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
    where d.message_id = any(${messages.map(({ id }) => id)}::text[])
    order by d.endpoint_id`);
  const deliveries = new Map<string, DeliveryView[]>(messages.map(({ id }) => [id, []]));
  for (const row of rows) deliveries.get(row.message_id)?.push(viewDelivery(row));
  return messages.map((row) => ({
    id: row.id,
    event_type: row.type,
    external_id: row.subject,
    channels: row.channels,
    custom: row.custom,
    test: row.test,
    created_at: row.created_at.toISOString(),
    expunged_at: row.expunged_at?.toISOString() ?? null,
    deliveries: deliveries.get(row.id) ?? [],
  }));
}

interface DeliveryRow {
  message_id: string;
  endpoint_id: string;
  url: string;
  state: DeliveryState;
  reason: string | null;
  attempts_made: number;
  next_attempt_at: Date | null;
}

function viewDelivery(row: DeliveryRow): DeliveryView {
  return {
    id: deliveryId(row.message_id, row.endpoint_id),
    endpoint_id: row.endpoint_id,
    endpoint_url: row.url,
    state: row.state,
    reason: row.reason,
    attempts_made: row.attempts_made,
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
  };
}
