import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { headers, type NatsConnection, nanos } from '@nats-io/transport-node';
import type { Destination, Handover, RelayedMessage } from '../destination.ts';
import { openConnection } from './connect.ts';
import { handoverOfConnect, handoverOfPublish, isWithoutStream } from './handover-of.ts';
import type { NatsServers } from './servers.ts';
import { keyOf, subjectOf } from './subject-of.ts';

export interface NatsSink extends NatsServers {
  /** First token or tokens of each subject. */
  readonly prefix: string;
  readonly stream: string;
  /** How long a stream that we create keeps events. Undefined means that the stream has to exist. */
  readonly createWithMaxAgeMs: number | undefined;
  /** How long to wait for the stream's answer. Default: 5 s. */
  readonly ackMs?: number;
}

const defaultAckMs = 5_000;
const dedupeMs = 3_600_000;

/**
 * Publishes each event to a JetStream stream and waits for the stream's answer. A second try of an
 * event has the same `Nats-Msg-Id`, so the stream drops it while its duplicate window lasts.
 */
export function createNatsDestination(sink: NatsSink): Destination {
  let opening: Promise<NatsConnection> | undefined;

  /** One connection for all partners. Opened with the first event, and again after it was closed. */
  function connection(): Promise<NatsConnection> {
    if (opening) return opening;
    const mine = openConnection(sink);
    const evict = () => {
      if (opening === mine) opening = undefined;
    };
    opening = mine;
    mine.then((opened) => opened.closed()).then(evict, evict);
    return mine;
  }

  return {
    name: 'nats',
    async send(message) {
      let opened: NatsConnection;
      try {
        opened = await connection();
      } catch (error) {
        return handoverOfConnect(error);
      }
      return publish(opened, sink, message);
    },
    async close() {
      const last = opening;
      opening = undefined;
      // Without a connection there is nothing to close, and send() has reported why.
      await last?.then(
        (opened) => opened.close(),
        () => undefined,
      );
    },
  };
}

async function publish(
  connection: NatsConnection,
  sink: NatsSink,
  message: RelayedMessage,
): Promise<Handover> {
  const subject = subjectOf(sink.prefix, message);
  const attempt = async () => {
    const sent = headers();
    sent.set('Svc-Key', keyOf(message));
    sent.set('Content-Type', 'application/json');
    await jetstream(connection).publish(subject, message.body, {
      msgID: message.id,
      headers: sent,
      timeout: sink.ackMs ?? defaultAckMs,
      // Without it, an event would be accepted by any stream that listens to the subject.
      expect: { streamName: sink.stream },
    });
  };
  try {
    try {
      await attempt();
    } catch (error) {
      const { createWithMaxAgeMs: maxAgeMs } = sink;
      if (!isWithoutStream(error) || maxAgeMs === undefined) throw error;
      await createStream(connection, sink, maxAgeMs);
      await attempt();
    }
    return { kind: 'accepted' };
  } catch (error) {
    return handoverOfPublish(error, subject, sink.stream);
  }
}

/**
 * Creates the stream. Several partners' events may do this at once: adding a stream that exists with the same
 * configuration changes nothing.
 */
async function createStream(
  connection: NatsConnection,
  { prefix, stream, ackMs = defaultAckMs }: NatsSink,
  maxAgeMs: number,
): Promise<void> {
  const manager = await jetstreamManager(connection, { checkAPI: false, timeout: ackMs });
  await manager.streams.add({
    name: stream,
    subjects: [`${prefix}.>`],
    max_age: nanos(maxAgeMs),
    duplicate_window: nanos(Math.min(dedupeMs, maxAgeMs)),
  });
}
