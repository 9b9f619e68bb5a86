import { sql } from '@svc/db';
import type { Row } from '../rows.ts';
import { each, openStage, tickAt } from './setup.ts';
import { splitRent } from './split-rent.ts';

const wanted = 10_000;
const longestMinutes = 15;
const months = Array.from(
  { length: 12 },
  (_, index) => `2026-${String(index + 1).padStart(2, '0')}`,
);

/** Every tenant splits every month of a year, and the tick runs each day; scaled to 10,000. */
export async function measureYear(url: string, tenants: number): Promise<Row[]> {
  const stage = await openStage(url);
  const { db } = stage;
  const began = performance.now();
  for (const month of months) {
    const dueDate = `${month}-01`;
    const now = new Date(`${dueDate}T12:00:00Z`);
    await each(tenants, 8, (index) => splitRent(stage, `t-${index}`, { dueDate, now }));
    for (let day = 1; day < 31; day += 1) {
      await tickAt(db, new Date(now.getTime() + day * 86_400_000 + 4 * 3_600_000));
    }
  }
  const minutes = ((performance.now() - began) / 60_000) * (wanted / tenants);
  const { completed } = await db.one<{ completed: number }>(sql`
    select count(*) as completed from plan where state = 'completed'`);
  if (completed !== tenants * months.length) throw new Error(`only ${completed} plans completed`);
  await db.close();
  const name = `10,000 tenants through 12 months${tenants === wanted ? '' : `, from ${tenants}`}`;
  const ratio = minutes / longestMinutes;
  const row: Row = {
    name,
    value: minutes,
    unit: 'min',
    floor: null,
    ratio: null,
    spread: [minutes, minutes],
  };
  // With few tenants the 360 ticks themselves weigh most: the bound is for all of them.
  return [tenants === wanted ? { ...row, ceiling: 1, ratio } : row];
}
