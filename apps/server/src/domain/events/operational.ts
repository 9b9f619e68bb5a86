import type { EventType } from '@svc/contract';
import { row, sql, type Tx, text } from '@svc/db';
import type { Clock } from '../../clock.ts';
import type { Service } from '../../context.ts';
import { message, publishMade } from './emit.ts';

export interface OperationalEvent {
  readonly owner: string;
  readonly type: Extract<EventType, `endpoint.${string}` | `message.${string}`>;
  readonly endpointId: string;
  readonly data: Record<string, unknown>;
}

/** What the engine tells a partner about its own work, to the partner's other endpoints. */
export function operational(service: Service, clock: Clock) {
  return (tx: Tx, event: OperationalEvent): Promise<void> =>
    publishOperational({ tx, now: clock.now(), service }, event);
}

const partnerRow = row('partner pms', { pms: text });

export async function publishOperational(
  ctx: { tx: Tx; now: Date; service: Service },
  event: OperationalEvent,
): Promise<void> {
  const partner = await ctx.tx.one(
    partnerRow,
    sql`select pms from partner where id = ${event.owner}`,
  );
  const made = message(ctx.service, ctx.now, {
    owner: event.owner,
    pms: partner.pms,
    externalId: null,
    type: event.type,
    marks: {},
    dataText: JSON.stringify({
      object_version: 1,
      occurred_at: ctx.now.toISOString(),
      ...event.data,
    }),
  });
  await publishMade(ctx, [{ ...made, operational: true, exceptEndpointId: event.endpointId }]);
}
