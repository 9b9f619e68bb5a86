import { type EventType, eventCatalog, eventExamples } from '@svc/contract';
import type { Ctx } from '../../context.ts';
import type { PartnerActor } from '../access/actor.ts';
import { message } from '../events/emit.ts';

/** Publishes a partner's own event, marked `custom`. */
export function publishCustom(
  ctx: Ctx<PartnerActor>,
  input: {
    event_type: EventType;
    data: Record<string, unknown>;
    /** The text of `data` as it was sent; delivered unchanged. */
    data_text: string;
    external_id?: string | undefined;
    channels?: readonly string[] | undefined;
  },
) {
  const type = input.event_type;
  const fit = eventCatalog[type].data.safeParse(input.data);
  const made = message(ctx.service, ctx.now, {
    owner: ctx.actor.partnerId,
    pms: ctx.actor.pms,
    externalId: input.external_id ?? null,
    type,
    marks: { custom: true },
    dataText: input.data_text,
  });
  const { channels } = input;
  ctx.outbox.messages.push(channels ? { ...made, channels } : made);
  const warnings = (fit.error?.issues ?? []).map((issue) => ({
    code: 'schema_mismatch',
    param: ['data', ...issue.path].join('.'),
    message: `Sent as given, but the catalogue's schema says: ${issue.message}.`,
  }));
  return { id: made.id, warnings };
}

/** Builds the message of a test send from the caller's `data`, or else from the type's example. */
export function testMessage(
  ctx: Pick<Ctx<PartnerActor>, 'actor' | 'now' | 'service'>,
  input: { event_type: EventType; data_text: string | undefined },
) {
  const type = input.event_type;
  return message(ctx.service, ctx.now, {
    owner: ctx.actor.partnerId,
    pms: ctx.actor.pms,
    externalId: null,
    type,
    marks: { test: true },
    dataText: input.data_text ?? JSON.stringify(eventExamples[type]),
  });
}
