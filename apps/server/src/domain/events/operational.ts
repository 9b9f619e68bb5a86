import type { EventType } from '@svc/contract';
import { row, sql, type Tx, text } from '@svc/db';
import type { Clock } from '@svc/runtime';
import type { OutgoingMessage, Publish, Service, UnitOfWork } from '../../context.ts';
import { buildMessage } from './emit.ts';

export interface OperationalEvent {
  readonly owner: string;
  readonly type: Extract<EventType, `endpoint.${string}` | `message.${string}`>;
  readonly endpointId: string;
  readonly data: Record<string, unknown>;
}

/**
 * The engine calls this in its own transactions, to report about its work to the partner's other
 * endpoints. `publish` is the variant that leases nothing: the engine claims these messages later.
 */
export function createOperationalEmitter(service: Service, clock: Clock, publish: Publish) {
  return async (tx: Tx, event: OperationalEvent): Promise<void> => {
    const now = clock.now();
    await publish(tx, [await operationalMessage({ tx, now, service }, event)], now);
  };
}

const partnerRow = row('partner pms', { pms: text });

/** Emits an operational event from a command, such as one that changed an endpoint. */
export async function emitOperational(uow: UnitOfWork, event: OperationalEvent): Promise<void> {
  uow.outbox.messages.push(await operationalMessage(uow, event));
}

async function operationalMessage(
  { tx, now, service }: Pick<UnitOfWork, 'tx' | 'now' | 'service'>,
  event: OperationalEvent,
): Promise<OutgoingMessage> {
  const partner = await tx.one(partnerRow, sql`select pms from partner where id = ${event.owner}`);
  const message = buildMessage(service, now, {
    owner: event.owner,
    pms: partner.pms,
    externalId: null,
    type: event.type,
    marks: {},
    dataText: JSON.stringify({
      object_version: 1,
      occurred_at: now.toISOString(),
      ...event.data,
    }),
  });
  return { ...message, operational: true, exceptEndpointId: event.endpointId };
}
