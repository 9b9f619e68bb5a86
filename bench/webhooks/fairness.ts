import type { Database } from '@svc/db';
import type { Row } from '../rows.ts';
import type { BenchReceiver } from '../start-receiver.ts';
import { paced, publishOne } from './latency.ts';
import { addEndpoint, newMessage, newOwner, percentile, startEngine } from './setup.ts';

const healthy = 10;
const backlog = 10_000;
const batch = 500;

/** p99 of healthy endpoints while another one hangs with 10,000 pending deliveries, ÷ without it. */
export async function measureFairness(db: Database, receiver: BenchReceiver): Promise<Row[]> {
  const owner = newOwner();
  for (let index = 0; index < healthy; index += 1) {
    await addEndpoint(db, owner, receiver.at(`timed-${index}`), `to.${index}`);
  }
  await addEndpoint(db, owner, receiver.at('hang'), 'to.hang');
  const engine = await startEngine(db);
  let next = 0;
  const load = () =>
    paced(receiver, (started) => {
      next = (next + 1) % healthy;
      return publishOne(engine, owner, started, `to.${next}`);
    });
  await load();
  const without = [await load(), await load()].flat();
  for (let published = 0; published < backlog; published += batch) {
    await engine.publish(Array.from({ length: batch }, () => newMessage(owner, 'to.hang')));
  }
  const withHanging = [await load(), await load()].flat();
  await engine.stop();
  const [before, after] = [percentile(without, 0.99), percentile(withHanging, 0.99)];
  const name = `p99 of ${healthy} endpoints at 200/s`;
  const shown = { unit: 'ms', floor: null };
  return [
    { ...shown, name: `${name}: none hangs`, value: before, ratio: null, spread: [before, before] },
    {
      ...shown,
      name: `${name}, another hangs, ${backlog} waiting`,
      value: after,
      ceiling: 1.5,
      ratio: after / before,
      spread: [after / before, after / before],
    },
  ];
}
