import { raw, sql } from '@svc/db';
import { compare, median, type Row } from '../rows.ts';
import { openStage, type Stage, tickAt } from './setup.ts';

const few = 1_000;
const many = 1_000_000;
const rounds = 5;
const ticksPerRound = 12;
const now = new Date('2026-02-01T12:00:00Z');

/** Compares a tick with a million tenants who owe nothing today with a tick with a thousand of them. */
export async function measureIdleTenants(databaseUrl: () => Promise<string>): Promise<Row[]> {
  const small = await openStage(await databaseUrl());
  const large = await openStage(await databaseUrl());
  await addIdle(small, few);
  await addIdle(large, many);
  const times = { small: [] as number[], large: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    const ofRound = { small: [] as number[], large: [] as number[] };
    for (let tick = 0; tick < ticksPerRound; tick += 1) {
      ofRound.small.push(await measureTick(small));
      ofRound.large.push(await measureTick(large));
    }
    times.small.push(median(ofRound.small));
    times.large.push(median(ofRound.large));
  }
  await small.db.close();
  await large.db.close();
  const [ofMany, ofFew] = compare(
    'tick, 1,000,000 idle tenants',
    'ms',
    { ceiling: 1.2 },
    times.large,
    times.small,
  );
  return [ofMany, { ...ofFew, name: 'tick, 1,000 idle tenants' }];
}

/** Adds tenants whose next payment and next change of eligibility are within the coming year. */
async function addIdle({ db, partner }: Stage, count: number): Promise<void> {
  const options = { timeoutMs: 600_000 };
  await db.transaction(async (tx) => {
    await tx.run(sql`
      insert into tenant (id, partner_id, external_id, first_name, created_at, updated_at, turns_at)
      select 'ten_' || i, ${partner.partnerId}, 't-' || i, 'Ada', ${now}, ${now},
        ${now}::timestamptz + interval '1 minute' * (1 + i % 40000)
      from generate_series(1, ${count}::integer) i`);
    await tx.run(sql`
      insert into tenant_due (partner_id, tenant_id, due_at)
      select ${partner.partnerId}, 'ten_' || i, ${now}::timestamptz + interval '1 minute' * (1 + i % 500000)
      from generate_series(1, ${count}::integer) i`);
    await tx.run(raw('analyze'));
  }, options);
}

async function measureTick({ db }: Stage): Promise<number> {
  const began = performance.now();
  await tickAt(db, now);
  return performance.now() - began;
}
