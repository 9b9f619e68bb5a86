import { sql, type Tx } from '@svc/db';

export interface NewMessage {
  /** `evt_` and 26 characters; also the `webhook-id` of every attempt. */
  readonly id: string;
  readonly owner: string;
  /** Whom it is about, in the owner's words. */
  readonly subject: string | null;
  readonly type: string;
  /** The bytes sent, the same on every attempt. */
  readonly body: string;
  readonly custom?: boolean;
  /** About the engine's own work: its deliveries raise no operational event themselves. */
  readonly operational?: boolean;
  /** Not delivered there, and not later either. */
  readonly exceptEndpointId?: string;
}

/**
 * Stores messages, and one delivery per subscribed endpoint, in the caller's transaction and one
 * statement: they exist exactly when the transaction commits. Call `engine.wake()` afterwards.
 * A delivery to a disabled endpoint waits there, `held`.
 */
export async function publish(tx: Tx, messages: readonly NewMessage[], now: Date): Promise<void> {
  if (messages.length === 0) return;
  await tx.run(sql`
    with message as materialized (
      select * from json_to_recordset(${JSON.stringify(messages.map(inputRow))}::json) as m(
        id text, owner text, subject text, type text, body text,
        custom boolean, operational boolean, except_endpoint text, names text[])
    ), stored as (
      insert into webhook_messages
        (id, owner, subject, type, body, custom, operational, created_at)
      select id, owner, subject, type, body, custom, operational, ${now}::timestamptz
      from message
    )
    insert into webhook_deliveries_open (message_id, endpoint_id, due_at)
    select m.id, e.id, ${now}::timestamptz
    from message m
    join webhook_endpoints e on e.owner = m.owner
      and e.state <> 'deleted'
      and (e.event_types is null or e.event_types && m.names)
      and e.id is distinct from m.except_endpoint`);
}

/** What a subscription may say to mean this type: itself, or its group. */
export function subscriptionNames(type: string): string[] {
  const group = type.lastIndexOf('.');
  return group === -1 ? [type] : [type, `${type.slice(0, group)}.*`];
}

function inputRow(message: NewMessage): object {
  return {
    id: message.id,
    owner: message.owner,
    subject: message.subject,
    type: message.type,
    body: message.body,
    custom: message.custom ?? false,
    operational: message.operational ?? false,
    except_endpoint: message.exceptEndpointId ?? null,
    names: subscriptionNames(message.type),
  };
}
