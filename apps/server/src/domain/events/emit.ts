import { type EventData, type EventType, eventCatalog } from '@svc/contract';
import type { Tx } from '@svc/db';
import type { TenantTime } from '../../clock.ts';
import type { Ctx, OutgoingMessage, Service } from '../../context.ts';
import { newId } from '../../ids.ts';
import { shared } from '../together.ts';
import { queueMails } from './queue-mails.ts';

/** Whom an event is about. */
export interface Subject {
  readonly partnerId: string;
  readonly pms: string;
  readonly externalId: string;
  readonly simulated: boolean;
  readonly at: TenantTime;
}

type Data<T extends EventType> = Omit<EventData<T>, 'object_version' | 'occurred_at'>;

export type NewEvent = {
  [T in EventType]: { readonly type: T; readonly version: number; readonly data: Data<T> };
}[EventType];

/** Publishes in the verb's transaction and in one statement, or with others in `emitTogether`. */
export async function emit(
  ctx: Pick<Ctx, 'tx' | 'now' | 'service'>,
  subject: Subject,
  events: readonly NewEvent[],
): Promise<void> {
  const messages = events.map((event): OutgoingMessage => {
    const data = eventCatalog[event.type].data.parse({
      object_version: event.version,
      occurred_at: subject.at.toISOString(),
      ...event.data,
    });
    const marks = subject.simulated ? { simulated: true as const } : {};
    return message(ctx.service, ctx.now, {
      owner: subject.partnerId,
      pms: subject.pms,
      externalId: subject.externalId,
      type: event.type,
      marks,
      dataText: JSON.stringify(data),
    });
  });
  const held = holding.get(ctx.tx);
  held?.push(...messages);
  await Promise.all([queueMails(ctx, subject, events), !held && publish(ctx, messages)]);
}

/** Publishes all that is emitted meanwhile in one statement, once it is done. */
export async function emitTogether<T>(
  ctx: Pick<Ctx, 'tx' | 'now' | 'service'>,
  run: () => Promise<T>,
): Promise<T> {
  const messages: OutgoingMessage[] = [];
  holding.set(ctx.tx, messages);
  const result = await run();
  holding.delete(ctx.tx);
  await publishMade(ctx, messages);
  return result;
}

const holding = new WeakMap<Tx, OutgoingMessage[]>();

const publish = shared(
  async (ctx: Pick<Ctx, 'tx' | 'now' | 'service'>, all: readonly OutgoingMessage[][]) => {
    await ctx.service.publish(ctx.tx, all.flat(), ctx.now);
  },
);

interface Envelope {
  readonly owner: string;
  readonly pms: string;
  readonly externalId: string | null;
  readonly type: string;
  readonly marks: { simulated?: true; test?: true; custom?: true };
  /** A JSON object. */
  readonly dataText: string;
}

/** The body as it will be signed and sent, byte for byte, on every attempt. */
export function message(service: Service, now: Date, envelope: Envelope): OutgoingMessage {
  const id = newId('evt', now);
  const fields = JSON.stringify({
    id,
    type: envelope.type,
    timestamp: now.toISOString(),
    api_version: 'v1',
    environment: service.environment,
    pms: envelope.pms,
    external_id: envelope.externalId,
    ...envelope.marks,
  });
  const body = `${fields.slice(0, -1)},"data":${envelope.dataText}}`;
  return {
    id,
    owner: envelope.owner,
    subject: envelope.externalId,
    type: envelope.type,
    body,
    custom: envelope.marks.custom ?? false,
  };
}

/** Publishes messages that are already made, such as custom and operational ones. */
export async function publishMade(
  ctx: { tx: Tx; now: Date; service: Service },
  messages: readonly OutgoingMessage[],
): Promise<void> {
  await ctx.service.publish(ctx.tx, messages, ctx.now);
}
