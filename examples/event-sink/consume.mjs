// Prints each event of the sink once, for as long as it runs: node examples/event-sink/consume.mjs
// In a real consumer `store` writes to your warehouse.
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';

const connection = await connect({ servers: process.env.NATS_SERVER ?? 'localhost:4222' });
const stored = new Set();

/** Like `insert into event (id, body) values (…) on conflict (id) do nothing`. */
async function store(id, body) {
  if (stored.has(id)) return;
  stored.add(id);
  console.log(body);
}

// #region consume
const manager = await jetstreamManager(connection);
// The stream remembers under this name what was acknowledged. Calling it again changes nothing.
await manager.consumers.add('SVC_EVENTS', {
  durable_name: 'warehouse',
  ack_policy: 'explicit',
  filter_subject: 'svc.>',
  // One at a time, so an event that is delivered again still comes before the next one.
  max_ack_pending: 1,
});
const consumer = await jetstream(connection).consumers.get('SVC_EVENTS', 'warehouse');
for await (const message of await consumer.consume()) {
  const { id } = message.json();
  await store(id, message.string());
  message.ack();
}
// #endregion consume
