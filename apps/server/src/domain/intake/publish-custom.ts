import { createHash } from 'node:crypto';
import { type EventType, eventExamples } from '@svc/contract';
import { bytes, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import type { PartnerActor } from '../access/actor.ts';
import { buildMessage } from '../events/emit.ts';
import { Refusal } from '../refusal.ts';

/** Publishes a partner's own event, marked `custom`. An event to which the partner gave an id is published once. */
export async function publishCustom(
  ctx: Ctx<PartnerActor>,
  input: {
    event_type: EventType;
    data: Record<string, unknown>;
    /** The text of `data` as it was sent; delivered unchanged. */
    data_text: string;
    external_id?: string | undefined;
    channels?: readonly string[] | undefined;
    /** The partner's own id of the event. */
    event_id?: string | undefined;
  },
) {
  const type = input.event_type;
  const message = buildMessage(ctx.service, ctx.now, {
    owner: ctx.actor.partnerId,
    pms: ctx.actor.pms,
    externalId: input.external_id ?? null,
    type,
    marks: { custom: true },
    dataText: input.data_text,
  });
  const { channels, event_id } = input;
  const earlierId = event_id === undefined ? null : await claimEventId(ctx, message.id, input);
  if (earlierId === null) ctx.outbox.messages.push(channels ? { ...message, channels } : message);
  return { id: earlierId ?? message.id, event_id: event_id ?? null, duplicate: earlierId !== null };
}

const claimedRow = row('claimed event id', { messageId: text, digest: bytes });

/**
 * Records the message under the partner's event id. Returns the id of an earlier message, or null for the first.
 * A concurrent call with the same event id waits for this transaction, at the primary key.
 * @throws Refusal `event_id_reused` if the earlier message differs
 */
async function claimEventId(
  { tx, now, actor }: Ctx<PartnerActor>,
  messageId: string,
  { event_id, event_type, data_text, external_id, channels }: Parameters<typeof publishCustom>[1],
): Promise<string | null> {
  const digest = createHash('sha256')
    .update(JSON.stringify([event_type, external_id ?? null, channels ?? null, data_text]))
    .digest();
  // Updating nothing locks and returns the row of an earlier call.
  const claimed = await tx.one(
    claimedRow,
    sql`
    insert into custom_event as c (partner_id, event_id, message_id, digest, created_at)
    values (${actor.partnerId}, ${event_id}, ${messageId}, ${digest}, ${now})
    on conflict (partner_id, event_id) do update set message_id = c.message_id
    returning message_id, digest`,
  );
  if (claimed.messageId === messageId) return null;
  if (claimed.digest.equals(digest)) return claimed.messageId;
  throw new Refusal('event_id_reused', {
    message: `The event_id ${event_id} was used for the message ${claimed.messageId}, which differs. Use a new event_id for each event.`,
    param: 'event_id',
  });
}

/** Builds the message of a test send from the caller's `data`, or else from the type's example. */
export function testMessage(
  ctx: Pick<Ctx<PartnerActor>, 'actor' | 'now' | 'service'>,
  input: { event_type: EventType; data_text: string | undefined },
) {
  const type = input.event_type;
  return buildMessage(ctx.service, ctx.now, {
    owner: ctx.actor.partnerId,
    pms: ctx.actor.pms,
    externalId: null,
    type,
    marks: { test: true },
    dataText: input.data_text ?? JSON.stringify(eventExamples[type]),
  });
}
