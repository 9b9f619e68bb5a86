import { type Database, type DatabaseTarget, migrate, openDatabase } from '@svc/db';
import { createVault } from '@svc/runtime';
import { createEndpoint, createEngine, type Engine, type NewMessage, newId } from '@svc/webhooks';

export const clock = {
  now: () => new Date(),
  after(ms: number, run: () => void) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
const vault = createVault(Buffer.alloc(32, 'key of the benches'));
const policy = { allowPrivate: true, allowHttp: true };
const log = { info() {}, warn: console.warn, error: console.error };

export const body = JSON.stringify({ id: 'evt', data: 'x'.repeat(1_000) });

export async function openMigrated(target: DatabaseTarget): Promise<Database> {
  const db = await openDatabase(target);
  await migrate(db, [{ name: 'webhooks', folder: 'packages/webhooks/migrations' }]);
  return db;
}

export async function startEngine(db: Database, inFlight?: number): Promise<Engine> {
  const tuning = inFlight === undefined ? {} : { inFlight, inFlightPerEndpoint: inFlight };
  const deps = { db, clock, vault, log, policy, operational: async () => {}, tuning };
  const engine = createEngine(deps);
  await engine.start();
  return engine;
}

/** Adds an endpoint that is subscribed to one type, or to all. */
export async function addEndpoint(
  db: Database,
  owner: string,
  url: string,
  type?: string,
): Promise<string> {
  const input = { url, ...(type !== undefined && { event_types: [type] }) };
  const created = await db.transaction((tx) =>
    createEndpoint(tx, { vault, policy }, owner, input, clock.now()),
  );
  return created.id;
}

export function newOwner(): string {
  return newId('evt', clock.now());
}

export function newMessage(owner: string, type = 'plan.created'): NewMessage {
  return { id: newId('evt', clock.now()), owner, subject: null, type, body };
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
