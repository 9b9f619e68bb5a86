import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { type Database, sql } from '@svc/db';
import { openTestDatabase, type TestDatabase } from '@svc/db/testing';
import { createVault, type Log } from '@svc/runtime';
import { VirtualClock } from '@svc/runtime/testing';
import { createEndpoint, type EndpointInput } from '../endpoints/create-endpoint.ts';
import { createEngine, type Engine } from '../engine.ts';
import type { EngineDeps, OperationalEvent } from '../kernel/engine-deps.ts';
import { newId } from '../kernel/ids.ts';
import type { Tuning } from '../kernel/tuning.ts';
import { listAttempts } from '../messages/list-attempts.ts';
import { getMessage } from '../messages/list-messages.ts';
import type { AttemptView } from '../messages/view-attempt.ts';
import type { DeliveryState } from '../messages/view-message.ts';
import { publish } from '../publishing/publish.ts';
import type { NewMessage } from '../publishing/store-messages.ts';
import { replayMessage } from '../replay/replay-message.ts';

export const migrations = {
  name: 'webhooks',
  folder: fileURLToPath(new URL('../../migrations', import.meta.url)),
};

export const testVault = createVault(Buffer.alloc(32, 'key of the tests'));

export const silentLog: Log = { info() {}, warn() {}, error() {} };

const day = 86_400_000;
// With a virtual clock, tests decide when time passes, and retries must be sent without polling. No test
// lasts a virtual year, so no engine is declared dead for a missing heartbeat.
const noTimers: Partial<Tuning> = {
  gatherMs: 0,
  pollMs: 20 * day,
  heartbeatMs: 400 * day,
  deadAfterMs: 800 * day,
  upkeepMs: 20 * day,
};

export type HarnessOptions = Partial<Pick<EngineDeps, 'policy' | 'svixHeaders' | 'tuning'>>;

/** A new database, an engine on a virtual clock that starts in 2026, and one owner. */
export async function openHarness(options: HarnessOptions = {}): Promise<Harness> {
  const harness = new Harness(await openTestDatabase([migrations]), options);
  await harness.engine.start();
  return harness;
}

export class Harness {
  readonly owner = 'partner_a';
  readonly clock = new VirtualClock('2026-01-15T12:00:00.000Z');
  readonly operational: OperationalEvent[] = [];
  readonly db: Database;
  readonly deps: EngineDeps;
  readonly engine: Engine;
  private readonly test: TestDatabase;
  private readonly errors: object[] = [];
  private readonly others: Engine[] = [];

  constructor(test: TestDatabase, options: HarnessOptions) {
    this.test = test;
    this.db = test.db;
    this.deps = {
      db: test.db,
      clock: this.clock,
      vault: testVault,
      log: { ...silentLog, error: (fields) => this.errors.push(fields) },
      policy: { allowPrivate: true, allowHttp: true },
      operational: async (_tx, event) => {
        this.operational.push(event);
      },
      ...options,
      tuning: { ...noTimers, ...options.tuning },
    };
    this.engine = createEngine(this.deps);
  }

  async endpoint(input: EndpointInput): Promise<string> {
    const { db, deps, owner, clock } = this;
    const made = await db.transaction((tx) => createEndpoint(tx, deps, owner, input, clock.now()));
    return made.id;
  }

  /** Publishes and commits without waking the engine. Returns the message's id. */
  async publish(message: Partial<NewMessage> = {}): Promise<string> {
    const { db, owner, clock } = this;
    const id = message.id ?? newId('evt', clock.now());
    const full = { id, owner, subject: null, type: 'plan.created', body: '{}', ...message };
    await db.transaction((tx) => publish(tx, [full], clock.now()));
    return id;
  }

  /** Publishes, wakes the engine and waits until it is idle. */
  async deliver(message: Partial<NewMessage> = {}): Promise<string> {
    const id = await this.publish(message);
    this.engine.wake();
    await this.engine.idle();
    return id;
  }

  async replay(messageId: string, endpointId: string): Promise<void> {
    const { db, owner, clock } = this;
    await db.transaction((tx) => replayMessage(tx, owner, messageId, endpointId, clock.now()));
    this.engine.wake();
  }

  /** Moves the clock and lets the engine finish what falls due. */
  async advance(ms: number): Promise<void> {
    await this.clock.advance(ms, () => this.engine.idle());
  }

  async state(messageId: string): Promise<DeliveryState | undefined> {
    const { deliveries } = await getMessage(this.db, this.owner, messageId);
    return deliveries[0]?.state;
  }

  attempts(messageId: string): Promise<AttemptView[]> {
    return listAttempts(this.db, this.owner, messageId);
  }

  /** Another engine on the same database and clock. */
  another(tuning: Partial<Tuning> = {}): Engine {
    const made = createEngine({ ...this.deps, tuning: { ...this.deps.tuning, ...tuning } });
    this.others.push(made);
    return made;
  }

  /** Fails if an error was logged. Empties the tables for the next test. */
  async reset(): Promise<void> {
    await Promise.all(this.others.splice(0).map((each) => each.stop()));
    await this.engine.idle();
    const [error] = this.errors.splice(0);
    if (error) throw new Error(`the engine logged an error: ${inspect(error)}`);
    await this.db.run(sql`truncate webhook_endpoints, webhook_secrets, webhook_messages,
      webhook_leases, webhook_deliveries_open, webhook_deliveries_undelivered, webhook_attempts,
      webhook_replays, webhook_replay_messages, webhook_activity, webhook_last_failures`);
    this.operational.length = 0;
  }

  async close(): Promise<void> {
    await Promise.all([this.engine, ...this.others].map((each) => each.stop()));
    await this.test.close();
  }
}
