import type { Database } from '@svc/db';
import { listAttempts, listMessages, type MessageQuery } from '@svc/webhooks';
import type { Row } from '../rows.ts';
import { percentile } from './setup.ts';

const rounds = 10;
const maxMs = 100;
const limit = 50;

/** Compares the time of a page of each list, including the most expensive filters, with 100 ms. */
export async function measureLists(
  db: Database,
  owner: string,
  endpoint_id: string,
): Promise<Row[]> {
  const { items, next_cursor } = await listMessages(db, owner, { limit });
  const [newest] = items;
  if (!newest || next_cursor === null) throw new Error('There is nothing to list.');
  const queries: Record<string, Partial<MessageQuery>> = {
    newest: {},
    'the next page': { cursor: next_cursor },
    'of an endpoint': { endpoint_id },
    failed: { states: ['failed'] },
    'delivered, without a match': { states: ['delivered'] },
    'of a type without a match': { event_types: ['charge.failed'] },
    'with a text without a match': { text: 'nowhere' },
  };
  const rows = [];
  for (const [name, query] of Object.entries(queries)) {
    const list = () => listMessages(db, owner, { limit, ...query });
    rows.push(await measureList(`a page of messages, ${name}`, list));
  }
  rows.push(await measureList('attempts of a message', () => listAttempts(db, owner, newest.id)));
  return rows;
}

async function measureList(name: string, list: () => Promise<unknown>): Promise<Row> {
  const times = [];
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    await list();
    times.push(performance.now() - start);
  }
  const value = percentile(times, 0.5);
  const spread = [Math.min(...times) / maxMs, Math.max(...times) / maxMs] as const;
  return { name, value, unit: 'ms', ceiling: 1, ratio: value / maxMs, spread };
}
