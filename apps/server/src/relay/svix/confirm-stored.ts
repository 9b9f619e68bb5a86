import type { EndpointOut, Svix } from 'svix';
import type { Earlier, Handover, RelayedMessage } from '../destination.ts';
import { applicationOf } from './application.ts';

// How long Svix may take from storing a message to its first attempt, and how often to look.
const queueMs = 60_000;
const lookMs = 5_000;

/**
 * Called if Svix has already stored a message under this id. Svix stores a message before it queues it: if an
 * earlier call ended without an answer, the message may be stored and in no queue. Then it counts as accepted
 * once there is an attempt. Without one after a minute, it is resent to each endpoint that should get it.
 */
export async function confirmStored(
  svix: Svix,
  message: RelayedMessage,
  { earlier, now }: { earlier: Earlier; now: Date },
): Promise<Handover> {
  const { uid } = applicationOf(message);
  const stored = await svix.message.get(uid, message.id, { withContent: false });
  if (!earlier.outcomeUnknown) return { kind: 'accepted' };
  const attempted = await svix.messageAttempt.listAttemptedDestinations(uid, stored.id, {
    limit: 1,
  });
  if (attempted.data.length > 0) return { kind: 'accepted' };
  const endpoints = await subscribedEndpoints(svix, message);
  if (endpoints.length === 0) return { kind: 'accepted' };
  const leftMs = stored.timestamp.getTime() + queueMs - now.getTime();
  if (leftMs > 0) {
    const reason = 'Svix has stored the message and made no attempt yet: looking again.';
    return { kind: 'retry', reason, afterMs: Math.min(lookMs, leftMs), outcomeUnknown: true };
  }
  for (const { id } of endpoints) {
    const idempotencyKey = `${message.id}-${id}`;
    await svix.messageAttempt.resend(uid, stored.id, id, { idempotencyKey });
  }
  return { kind: 'accepted' };
}

async function subscribedEndpoints(svix: Svix, message: RelayedMessage): Promise<EndpointOut[]> {
  const { uid } = applicationOf(message);
  const found: EndpointOut[] = [];
  let iterator: string | null = null;
  do {
    const page = await svix.endpoint.list(uid, { limit: 250, iterator });
    found.push(...page.data);
    iterator = page.done ? null : (page.iterator ?? null);
  } while (iterator !== null);
  return found.filter(
    ({ disabled, filterTypes, channels }) =>
      !disabled &&
      (!filterTypes || filterTypes.includes(message.type)) &&
      (!channels || channels.some((channel) => message.channels?.includes(channel))),
  );
}
