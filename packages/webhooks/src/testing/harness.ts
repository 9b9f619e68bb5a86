import { fileURLToPath } from 'node:url';
import { type Database, sql } from '@svc/db';
import { openTestDatabase } from '@svc/db/testing';
import type { EngineDeps, Log, OperationalEvent, Vault } from '../deps.ts';
import { createEndpoint, type EndpointInput } from '../endpoints/create-endpoint.ts';
import { createEngine, type Engine } from '../engine.ts';
import type { Tuning } from '../limits.ts';
import { listAttempts } from '../messages/list-attempts.ts';
import { getMessage } from '../messages/list-messages.ts';
import { newId } from '../messages/new-id.ts';
import type { DeliveryState } from '../messages/view-message.ts';
import { type NewMessage, publish } from '../publish.ts';
import { replayMessage } from '../replay/replay-message.ts';
import { VirtualClock } from './virtual-clock.ts';

export const migrations = {
  name: 'webhooks',
  folder: fileURLToPath(new URL('../../migrations', import.meta.url)),
};

/** Binds a sealed value to its context, as a real one does, but readable. */
export const testVault: Vault = {
  seal: (plain, context) => Buffer.from(JSON.stringify({ context, plain })),
  open(sealed, context) {
    const found = JSON.parse(sealed.toString()) as { context: string; plain: string };
    if (found.context !== context) throw new Error(`sealed for ${found.context}`);
    return found.plain;
  },
};

export const silentLog: Log = { info() {}, warn() {}, error() {} };

const day = 86_400_000;
// On a virtual clock nothing ticks by itself; retries are expected without polling.
const still: Partial<Tuning> = {
  pollMs: 20 * day,
  heartbeatMs: 20 * day,
  deadAfterMs: 40 * day,
  upkeepMs: 20 * day,
};

export interface Harness {
  readonly db: Database;
  readonly clock: VirtualClock;
  readonly deps: EngineDeps;
  readonly engine: Engine;
  readonly owner: string;
  readonly operational: OperationalEvent[];
  readonly errors: object[];
  endpoint(input: EndpointInput): Promise<string>;
  /** Publishes and commits, without waking the engine; answers the message's id. */
  publish(message?: Partial<NewMessage>): Promise<string>;
  /** Publishes, wakes and waits until the engine rests. */
  deliver(message?: Partial<NewMessage>): Promise<string>;
  replay(messageId: string, endpointId: string): Promise<void>;
  /** Moves the clock on and lets the engine finish what falls due. */
  advance(ms: number): Promise<void>;
  state(messageId: string): Promise<DeliveryState | undefined>;
  attempts(messageId: string): ReturnType<typeof listAttempts>;
  /** Another engine on the same database and clock. */
  another(tuning?: Partial<Tuning>): Engine;
  /** Empties the tables, so that the next test starts afresh on the same database. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** A database of its own, an engine on a virtual clock that starts in 2026, and one owner. */
export async function openHarness(
  options: Partial<Pick<EngineDeps, 'policy' | 'svixHeaders' | 'tuning'>> = {},
): Promise<Harness> {
  const { db, close } = await openTestDatabase([migrations]);
  const clock = new VirtualClock('2026-01-15T12:00:00.000Z');
  const operational: OperationalEvent[] = [];
  const errors: object[] = [];
  const owner = 'partner_a';
  const deps: EngineDeps = {
    db,
    clock,
    vault: testVault,
    log: { ...silentLog, error: (fields) => errors.push(fields) },
    policy: { allowPrivate: true, allowHttp: true },
    async operational(_tx, event) {
      operational.push(event);
    },
    ...options,
    tuning: { ...still, ...options.tuning },
  };
  const engine = createEngine(deps);
  await engine.start();
  const others: Engine[] = [];

  const harness: Harness = {
    db,
    clock,
    deps,
    engine,
    owner,
    operational,
    errors,
    async endpoint(input) {
      const made = await db.transaction((tx) =>
        createEndpoint(tx, deps, owner, input, clock.now()),
      );
      return made.id;
    },
    async publish(message = {}) {
      const id = message.id ?? newId('evt', clock.now());
      const full = { id, owner, subject: null, type: 'plan.created', body: '{}', ...message };
      await db.transaction((tx) => publish(tx, [full], clock.now()));
      return id;
    },
    async deliver(message) {
      const id = await harness.publish(message);
      engine.wake();
      await engine.idle();
      return id;
    },
    async replay(messageId, endpointId) {
      await db.transaction((tx) => replayMessage(tx, owner, messageId, endpointId, clock.now()));
      engine.wake();
    },
    advance: (ms) => clock.advance(ms, () => engine.idle()),
    async state(messageId) {
      const { deliveries } = await getMessage(db, owner, messageId);
      return deliveries[0]?.state;
    },
    attempts: (messageId) => listAttempts(db, owner, messageId),
    another(tuning = {}) {
      const made = createEngine({ ...deps, tuning: { ...deps.tuning, ...tuning } });
      others.push(made);
      return made;
    },
    async reset() {
      await Promise.all(others.splice(0).map((each) => each.stop()));
      await engine.idle();
      await db.run(sql`truncate webhook_endpoints, webhook_secrets, webhook_messages,
        webhook_deliveries_open, webhook_deliveries_undelivered, webhook_attempts`);
      operational.length = 0;
      errors.length = 0;
    },
    async close() {
      await Promise.all([engine, ...others].map((each) => each.stop()));
      await close();
    },
  };
  return harness;
}
