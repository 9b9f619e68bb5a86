import type { Clock, Log } from '@svc/runtime';
import { messageInRaw, type Svix } from 'svix';
import type { Destination, Earlier, Handover, RelayedMessage } from '../destination.ts';
import { applicationOf } from './application.ts';
import { confirmStored } from './confirm-stored.ts';
import { isApiFailure, readFailure } from './read-failure.ts';
import { createSvixClient } from './svix-client.ts';
import type { SvixConfig } from './svix-settings.ts';
import { createEventTypes } from './sync-event-types.ts';

interface Deps {
  readonly clock: Clock;
  readonly log: Log;
  /** Days for which messages are kept, here and on the Svix server. */
  readonly retentionDays: number;
  /** Milliseconds until a call is given up. */
  readonly requestTimeout?: number;
}

/**
 * Hands messages to a Svix server. Each is stored there under our id as `eventId`, with the body byte for
 * byte. Event types are brought up to date at once, at the latest before the first message.
 */
export function openSvix(config: SvixConfig, deps: Deps): Destination {
  const { clock, log, retentionDays } = deps;
  const svix = createSvixClient(config, deps);
  const eventTypesSynced = createEventTypes(svix, log);
  // At the start, so that endpoints can subscribe to a new type before its first message.
  eventTypesSynced().catch((error: unknown) => {
    const { reason } = readFailure(error, clock.now());
    log.warn({ reason }, 'event types of Svix not up to date; trying again with the next message');
  });

  async function send(message: RelayedMessage, earlier: Earlier): Promise<Handover> {
    try {
      await eventTypesSynced();
    } catch (error) {
      const failure = readFailure(error, clock.now());
      if (failure.kind === 'stopped') return failure;
      // Nothing was sent, and whatever was refused was not the message.
      const reason = `The event types are not up to date: ${failure.reason}`;
      return { ...failure, kind: 'retry', reason, outcomeUnknown: false };
    }
    try {
      const stored = await create(svix, message, { earlier, retentionDays });
      if (stored.eventId === message.id) return { kind: 'accepted' };
      const reason = 'The answer is not from Svix: check SVIX_SERVER_URL.';
      return { kind: 'retry', reason, outcomeUnknown: true };
    } catch (error) {
      try {
        if (isApiFailure(error, 404)) return applicationDeleted;
        if (!isApiFailure(error, 409)) return readFailure(error, clock.now());
        return await confirmStored(svix, message, { earlier, now: clock.now() });
      } catch (unconfirmed) {
        const failure = readFailure(unconfirmed, clock.now());
        // The refused call was a question about the message. The message itself was not refused.
        if (failure.kind !== 'refused') return failure;
        return { kind: 'retry', reason: failure.reason, outcomeUnknown: true };
      }
    }
  }

  return { name: 'svix', send, close: async () => {} };
}

/**
 * In a new application, which has no endpoints, Svix would store the message and never deliver it.
 */
const applicationDeleted: Handover = {
  kind: 'refused',
  reason:
    'Svix no longer has an application of this partner, and so none of its endpoints: create them again, then retry.',
};

/** Stores the message at Svix. With the first message of a partner, also creates its application. */
async function create(
  svix: Svix,
  message: RelayedMessage,
  { earlier, retentionDays }: { earlier: Earlier; retentionDays: number },
) {
  const application = applicationOf(message);
  const input = {
    ...messageInRaw(message.type, message.body, 'application/json'),
    ...(!earlier.partnerKnown && { application }),
    eventId: message.id,
    // The range that Svix allows.
    payloadRetentionPeriod: Math.min(90, Math.max(5, retentionDays)),
    ...(message.channels && { channels: [...message.channels] }),
  };
  const options = { idempotencyKey: message.id, withContent: false };
  try {
    return await svix.message.create(application.uid, input, options);
  } catch (error) {
    if (!isApiFailure(error, 404) || earlier.partnerKnown) throw error;
    await svix.application.getOrCreate(application);
    return svix.message.create(application.uid, input, options);
  }
}
