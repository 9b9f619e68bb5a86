import { sql, type Tx } from '@svc/db';
import type { Clock } from '../../clock.ts';
import type { Service } from '../../context.ts';
import { message, publishMade } from './emit.ts';

interface OperationalEvent {
  readonly owner: string;
  readonly type: 'endpoint.disabled' | 'message.attempt_exhausted' | 'message.recovered';
  readonly endpointId: string;
  readonly data: Record<string, unknown>;
}

/** What the engine tells a partner about its own work, to the partner's other endpoints. */
export function operational(service: Service, clock: Clock) {
  return async (tx: Tx, event: OperationalEvent): Promise<void> => {
    const now = clock.now();
    const partner = await tx.one<{ pms: string }>(
      sql`select pms from partner where id = ${event.owner}`,
    );
    const made = message(service, now, {
      owner: event.owner,
      pms: partner.pms,
      externalId: null,
      type: event.type,
      marks: {},
      data: { object_version: 1, occurred_at: now.toISOString(), ...event.data },
    });
    await publishMade({ tx, now, service }, [
      { ...made, operational: true, exceptEndpointId: event.endpointId },
    ]);
  };
}
