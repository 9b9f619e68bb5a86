import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, double, row, sql } from '@svc/db';
import type { Row } from '../rows.ts';
import type { BenchReceiver } from '../start-receiver.ts';
import { addEndpoint, newMessage, newOwner, percentile, startEngine } from './setup.ts';

const retries = 100;
const apartMs = 37;
const allowedMs = 100;

/** Measures the p99 of how late first retries start, for messages that failed one after the other. */
export async function measureLateness(db: Database, receiver: BenchReceiver): Promise<Row[]> {
  const owner = newOwner();
  const endpoint = await addEndpoint(db, owner, receiver.at('fail'));
  const engine = await startEngine(db);
  for (let published = 0; published < retries; published += 1) {
    await engine.publish([newMessage(owner)]);
    await sleep(apartMs);
  }
  let late: number[] = [];
  while (late.length < retries) {
    await sleep(500);
    late = await latenessOf(db, owner, endpoint);
  }
  await engine.stop();
  const value = percentile(late, 0.99);
  return [
    {
      name: `a due retry starts late, p99 ÷ the ${allowedMs} ms allowed`,
      value,
      unit: 'ms',
      ceiling: 1,
      ratio: value / allowedMs,
      spread: [Math.min(...late) / allowedMs, Math.max(...late) / allowedMs],
    },
  ];
}

async function latenessOf(db: Database, owner: string, endpointId: string): Promise<number[]> {
  const rows = await db.many(
    row('lateness', { ms: double }),
    sql`
    select extract(epoch from second.started_at - first.next_attempt_at)::float8 * 1000 as ms
    from webhook_attempts first
    join webhook_attempts second on second.owner = first.owner
      and second.message_id = first.message_id
      and second.endpoint_id = first.endpoint_id and second.started_at >= first.next_attempt_at
    where first.owner = ${owner} and first.endpoint_id = ${endpointId}`,
  );
  return rows.map(({ ms }) => ms);
}
