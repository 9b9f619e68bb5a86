import type { Tx } from '@svc/db';
import { type ActivityRecorder, createActivityRecorder } from './activity/record-activity.ts';
import { checkUrl, parseEndpointUrl } from './addresses/address-guard.ts';
import { createResolver } from './addresses/resolve-host.ts';
import { Attempts } from './delivery/attempts.ts';
import { Claimer } from './delivery/claimer.ts';
import { Slots } from './delivery/slots.ts';
import type { Claimed } from './kernel/claimed.ts';
import type { EngineContext, EngineDeps, TestMessage } from './kernel/engine-deps.ts';
import { defaultTuning } from './kernel/tuning.ts';
import { createLeases, type Leases } from './leases/leases.ts';
import type { Result } from './messages/attempt-detail.ts';
import type { AttemptView } from './messages/view-attempt.ts';
import { createLiveProcesses, type LiveProcesses } from './processes/live-processes.ts';
import { newProcessId } from './processes/process-id.ts';
import {
  createOrphanedPublishes,
  type OrphanedPublishes,
} from './publishing/orphaned-publishes.ts';
import { type LeaseTerms, publish, publishLeased } from './publishing/publish.ts';
import { createPublisher, type Publisher } from './publishing/publish-batch.ts';
import type { NewMessage } from './publishing/store-messages.ts';
import { createReplayer, type Replayer } from './replay/run-replays.ts';
import { createRecorder, type Recorder } from './results/record.ts';
import { type Connections, createConnections } from './sending/connections.ts';
import type { Outcome } from './sending/send.ts';
import { createUpkeep, type Upkeep } from './upkeep.ts';

export interface EngineStats {
  /** Attempts that are being made. */
  readonly in_flight: number;
  /** Deliveries that are claimed and wait for a slot. */
  readonly waiting: number;
  /** Attempts that are made and not yet committed. */
  readonly unwritten: number;
  readonly attempts: number;
  readonly delivered: number;
  readonly failed: number;
}

export interface Engine {
  start(): Promise<void>;
  /** Finishes the attempts in flight, within 16 s at most, and releases what it has not started. */
  stop(): Promise<void>;
  /** Call after a commit that published something, with its `tx` if it used `publishIn`. Sends it now. */
  wake(tx?: Tx): void;
  /** Publishes in the caller's transaction, for this process to send. After the commit, call `wake(tx)`. */
  publishIn(tx: Tx, messages: readonly NewMessage[], now: Date): Promise<void>;
  /** Publishes without a caller's transaction. Resolves once committed; concurrent calls share a commit. */
  publish(messages: readonly NewMessage[]): Promise<void>;
  /** Makes one attempt right now, outside of all schedules and counts. Returns the finished attempt. */
  sendTest(owner: string, endpointId: string, message: TestMessage): Promise<AttemptView>;
  /**
   * Makes one attempt that is stored nowhere, to see how the endpoint answers. With `forged`, the
   * signature does not verify.
   */
  probe(
    owner: string,
    endpointId: string,
    message: Pick<TestMessage, 'id' | 'body'>,
    options: { forged: boolean },
  ): Promise<Outcome>;
  /**
   * Gets a web page by the same way as attempts: addresses are checked, redirects are not followed.
   * @throws EngineRefusal for a URL that the policy does not allow
   */
  fetchPage(owner: string, url: string): Promise<Outcome>;
  /** Resolves once nothing is due, in flight or unwritten. */
  idle(): Promise<void>;
  stats(): EngineStats;
}

/** The delivery engine of this process. Several processes may share one database. */
export function createEngine(deps: EngineDeps): Engine {
  return new LocalEngine(deps);
}

/**
 * Joins the parts. A delivery moves through them in this order:
 *
 *   publisher ─┐
 *              ├─▶ slots ─▶ attempts ─▶ recorder ─▶ (commit) ─▶ claimer, for the retry
 *   claimer ───┘
 *
 * Each part calls the next one directly. What it reports backwards (a free slot, a commit, being
 * idle) goes through one of the `on…` methods below.
 */
class LocalEngine implements Engine {
  private readonly context: EngineContext;
  private readonly sends: boolean;
  private readonly connections: Connections;
  private readonly processes: LiveProcesses;
  private readonly leases: Leases;
  private readonly activity: ActivityRecorder;
  private readonly recorder: Recorder;
  private readonly attempts: Attempts;
  private readonly slots: Slots;
  private readonly claimer: Claimer;
  private readonly publisher: Publisher;
  private readonly orphans: OrphanedPublishes;
  private readonly replayer: Replayer;
  private readonly upkeep: Upkeep;
  /** Deliveries that were accepted and wait for their endpoints' settings to be loaded. */
  private preparing = 0;
  private readonly idleWaiters: (() => void)[] = [];

  constructor(deps: EngineDeps) {
    const tuning = { ...defaultTuning, ...deps.tuning };
    const context: EngineContext = { ...deps, tuning, processId: newProcessId() };
    const onIdle = () => this.onIdle();
    const onDue = () => this.claimer.wake();
    this.context = context;
    this.sends = deps.sends ?? true;

    // Sending.
    const resolve = createResolver({ localNames: deps.policy.allowPrivate });
    const guard = { policy: deps.policy, resolve, ...(deps.proxy && { proxy: deps.proxy }) };
    this.connections = createConnections(guard, deps.clock, tuning.socketAgeMs);
    this.processes = createLiveProcesses({
      ...context,
      listens: this.sends,
      // A process that does not send passes the news on.
      onDue: () => (this.sends ? onDue() : this.processes.wakeOthers()),
    });
    this.leases = createLeases(context);
    this.attempts = new Attempts(context, {
      connections: this.connections,
      leases: this.leases,
      processes: this.processes,
      onResult: (result) => this.onResult(result),
    });
    this.slots = new Slots({
      inFlight: tuning.inFlight,
      perEndpoint: tuning.inFlightPerEndpoint,
      clock: deps.clock,
      attempts: this.attempts,
      onFreed: (endpointId) => this.onSlotFreed(endpointId),
    });

    // Recording.
    this.activity = createActivityRecorder({ ...context, onIdle });
    this.recorder = createRecorder(context, {
      onCommitted: (recorded, retries) => this.onCommitted(recorded, retries),
    });

    // Finding what to send.
    this.claimer = new Claimer(context, {
      slots: this.slots,
      unwritten: this.recorder.size,
      prepare: (claimed) => this.attempts.prepare(claimed),
      onIdle,
    });
    this.publisher = createPublisher({
      ...context,
      leaseTerms: () => this.leaseTerms(),
      send: (claimed) => this.accept(claimed),
    });
    this.orphans = createOrphanedPublishes({ ...context, leases: this.leases, onDue });
    this.replayer = createReplayer({ ...context, onDue, onIdle });
    this.upkeep = createUpkeep({ ...context, finished: this.recorder.finished, onDue });
  }

  async start(): Promise<void> {
    await this.processes.join();
    // Without a claimer, everything that this process publishes becomes open rows.
    if (!this.sends) return;
    this.claimer.start();
    this.replayer.start();
    this.upkeep.start();
  }

  /**
   * The order matters: first nothing new is found or started, then what is in flight is awaited, and
   * heartbeats end last, because another process would send again what is still in flight.
   */
  async stop(): Promise<void> {
    const loopsStopped = [this.claimer.stop(), this.upkeep.stop()];
    this.orphans.stop();
    const testsDone = this.attempts.stop();
    const unstarted = this.slots.drain();
    await this.replayer.stop();
    // A claim that ends only now offers its deliveries to the slots; `attempts` releases each of them.
    const finished = Promise.all([...loopsStopped, testsDone, this.idle()]);
    await this.leases.release(unstarted);
    await this.atMost(this.context.tuning.stopMs, finished);
    await this.activity.stop();
    await this.leases.stop();
    this.connections.close();
    await this.processes.leave();
  }

  wake(tx?: Tx): void {
    this.accept(tx ? this.orphans.take(tx) : []);
    if (!tx) this.replayer.wake();
    this.processes.wakeOthers();
  }

  async publishIn(tx: Tx, messages: readonly NewMessage[], now: Date): Promise<void> {
    const terms = this.leaseTerms();
    if (!terms) return publish(tx, messages, now);
    const traceparent = this.context.observer?.traceparent?.();
    this.orphans.add(tx, await publishLeased(tx, messages, now, { ...terms, traceparent }));
  }

  publish(messages: readonly NewMessage[]): Promise<void> {
    return this.publisher(messages);
  }

  sendTest(owner: string, endpointId: string, message: TestMessage): Promise<AttemptView> {
    return this.attempts.test(owner, endpointId, message);
  }

  probe(
    owner: string,
    endpointId: string,
    message: Pick<TestMessage, 'id' | 'body'>,
    options: { forged: boolean },
  ): Promise<Outcome> {
    return this.attempts.probe(owner, endpointId, message, options);
  }

  async fetchPage(owner: string, url: string): Promise<Outcome> {
    await checkUrl(url, this.context.policy);
    return this.attempts.page(owner, parseEndpointUrl(url, this.context.policy));
  }

  async idle(): Promise<void> {
    while (!this.isIdle()) await new Promise<void>((resume) => this.idleWaiters.push(resume));
  }

  stats(): EngineStats {
    const inFlight = this.slots.inFlight();
    return {
      in_flight: inFlight,
      waiting: this.slots.size() - inFlight,
      unwritten: this.recorder.size(),
      ...this.attempts.counts(),
    };
  }

  /** Null unless this process may and can send what is being published. */
  private leaseTerms(): LeaseTerms | null {
    return this.processes.isAlive() ? this.claimer.leaseTerms() : null;
  }

  /**
   * Something was committed. `claimed` is what this publish leased to this process. With none,
   * its deliveries are open rows, to be claimed like any other.
   */
  private accept(claimed: readonly Claimed[]): void {
    if (claimed.length === 0) {
      this.claimer.wake();
      return;
    }
    const prepared = this.attempts.prepare(claimed);
    if (!prepared) {
      this.slots.offer(claimed);
      return;
    }
    this.preparing += claimed.length;
    void prepared.then(() => {
      this.preparing -= claimed.length;
      this.slots.offer(claimed);
    });
  }

  private onResult(result: Result): void {
    this.activity.add(result);
    this.recorder.add(result);
  }

  private onSlotFreed(endpointId: string): void {
    this.claimer.slotFreed(endpointId);
    this.onIdle();
  }

  private onCommitted(recorded: readonly Claimed[], retries: readonly Date[]): void {
    this.leases.leave(recorded);
    for (const due of retries) this.claimer.expect(due);
    this.claimer.refill();
    this.onIdle();
  }

  /** A part has become idle: resumes the callers of `idle()` if all parts are. */
  private onIdle(): void {
    if (this.idleWaiters.length === 0 || !this.isIdle()) return;
    for (const resume of this.idleWaiters.splice(0)) resume();
  }

  private isIdle(): boolean {
    const buffered = this.preparing + this.slots.size() + this.recorder.size();
    const busy = this.claimer.busy() || this.replayer.busy() || this.activity.busy();
    return buffered === 0 && !busy;
  }

  private async atMost(ms: number, finished: Promise<unknown>): Promise<void> {
    let cancel = () => {};
    const expired = new Promise<void>((done) => {
      cancel = this.context.clock.after(ms, done);
    });
    await Promise.race([finished, expired]);
    cancel();
  }
}
