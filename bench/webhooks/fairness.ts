import type { Database } from '@svc/db';
import { compare, type Row } from '../rows.ts';
import type { BenchReceiver } from '../start-receiver.ts';
import { paced, publishOne } from './latency.ts';
import { addEndpoint, newMessage, newOwner, percentile, startEngine } from './setup.ts';

const healthy = 10;
const backlog = 10_000;
const batch = 500;
const rounds = 3;

/** Compares the p99 of healthy endpoints while another one hangs with 10,000 pending deliveries with that before. */
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
  const p99s = async () => {
    const measured: number[] = [];
    for (let round = 0; round < rounds; round += 1) measured.push(percentile(await load(), 0.99));
    return measured;
  };
  await load();
  const without = await p99s();
  for (let published = 0; published < backlog; published += batch) {
    await engine.publish(Array.from({ length: batch }, () => newMessage(owner, 'to.hang')));
  }
  const withHanging = await p99s();
  await engine.stop();
  const name = `p99 of ${healthy} endpoints at 200/s`;
  const [hanging, none] = compare(
    `${name}, another hangs, ${backlog} waiting`,
    'ms',
    { ceiling: 1.5 },
    withHanging,
    without,
  );
  return [{ ...none, name: `${name}: none hangs` }, hanging];
}
