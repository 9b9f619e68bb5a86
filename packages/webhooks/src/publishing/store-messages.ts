import { type Queryable, type Sql, sql, textColumn } from '@svc/db';
import { checkChannels } from '../endpoints/settings.ts';

export interface NewMessage {
  /** `evt_` and 26 characters; also the `webhook-id` of every attempt. */
  readonly id: string;
  readonly owner: string;
  /** The owner's id of the person or thing that the message is about. */
  readonly subject: string | null;
  readonly type: string;
  /** Endpoints with channels get the message only if they share one with it. */
  readonly channels?: readonly string[];
  /** The bytes sent, the same on every attempt. */
  readonly body: string;
  readonly custom?: boolean;
  /** About the engine's own work: its deliveries raise no operational events themselves. */
  readonly operational?: boolean;
  /** This endpoint does not get the message, now or later. */
  readonly exceptEndpointId?: string;
}

/**
 * Stores messages without deliveries, for an application that hands them to another system. They are in
 * all lists, and can be replayed to endpoints of the engine.
 */
export async function storeMessages(
  q: Queryable,
  messages: readonly NewMessage[],
  now: Date,
): Promise<void> {
  if (messages.length > 0) await q.run(insertRows(columnsOf(messages), now));
}

type MessageColumns = Readonly<
  Record<
    'id' | 'owner' | 'type' | 'channels' | 'subject' | 'custom' | 'operational' | 'body',
    Buffer
  >
>;

/** The messages as columns for `unnest()`. */
export function columnsOf(messages: readonly NewMessage[]): MessageColumns {
  return {
    id: columnOf(messages, (message) => message.id),
    owner: columnOf(messages, (message) => message.owner),
    type: columnOf(messages, (message) => message.type),
    channels: columnOf(messages, (message) => arrayLiteral(checkChannels(message.channels))),
    subject: columnOf(messages, (message) => message.subject),
    custom: columnOf(messages, (message) => (message.custom ? 'true' : null)),
    operational: columnOf(messages, (message) => (message.operational ? 'true' : null)),
    body: columnOf(messages, (message) => message.body),
  };
}

/** @param bodies the part of a larger statement whose column `list` has the bodies, if it reads them elsewhere */
export function insertRows(columns: MessageColumns, now: Date, bodies?: Sql): Sql {
  const { id, owner, type, channels, subject, custom, operational, body } = columns;
  const bodyOfEach = bodies ? sql`unnest(list) from ${bodies}` : sql`unnest(${body}::text[])`;
  // The bodies come last: node-postgres copies everything before them into a buffer half as large again.
  return sql`
    insert into webhook_messages
      (id, owner, subject, type, channels, custom, operational, created_at, body)
    select unnest(${id}::text[]), unnest(${owner}::text[]), unnest(${subject}::text[]),
      unnest(${type}::text[]), unnest(${channels}::text[])::text[],
      unnest(${custom}::text[]) is not null, unnest(${operational}::text[]) is not null,
      ${now}::timestamptz, ${bodyOfEach}`;
}

/** Encodes one value of each message. A column of only nulls is sent empty, and unnest() fills it up. */
export function columnOf(
  messages: readonly NewMessage[],
  pick: (message: NewMessage) => string | null,
): ReturnType<typeof textColumn> {
  const values = messages.map(pick);
  return textColumn(values.some((value) => value !== null) ? values : []);
}

/** An array as PostgreSQL writes it. Correct only for names without quotes and backslashes. */
function arrayLiteral(names: readonly string[] | null): string | null {
  return names && `{${names.map((name) => `"${name}"`).join(',')}}`;
}
