import { type EventType, eventCatalog, eventExamples } from '@svc/contract';
import type { Ctx } from '../../context.ts';
import type { PartnerActor } from '../access/actor.ts';
import { message, publishMade } from '../events/emit.ts';

/** A partner's own event on the normal path: `data` exactly as given, marked `custom`. */
export async function publishCustom(
  ctx: Ctx<PartnerActor>,
  input: {
    event_type: EventType;
    data: Record<string, unknown>;
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
    data: input.data,
  });
  const { channels } = input;
  await publishMade(ctx, [channels ? { ...made, channels } : made]);
  const warnings = (fit.error?.issues ?? []).map((issue) => ({
    code: 'schema_mismatch',
    param: ['data', ...issue.path].join('.'),
    message: `Sent as given, but the catalogue's schema says: ${issue.message}.`,
  }));
  return { id: made.id, warnings };
}

/** A test send's message: the type's example unless other data is given; counts for nothing. */
export function testMessage(
  ctx: Pick<Ctx<PartnerActor>, 'actor' | 'now' | 'service'>,
  input: { event_type: EventType; data?: Record<string, unknown> | undefined },
) {
  const type = input.event_type;
  return message(ctx.service, ctx.now, {
    owner: ctx.actor.partnerId,
    pms: ctx.actor.pms,
    externalId: null,
    type,
    marks: { test: true },
    data: input.data ?? eventExamples[type],
  });
}
