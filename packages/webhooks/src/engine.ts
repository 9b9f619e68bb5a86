import type { Tx } from '@svc/db';
import { type ActivityRecorder, createActivityRecorder } from './activity/record-activity.ts';
import { createResolver } from './addresses/resolve-host.ts';
import { Attempts } from './delivery/attempts.ts';
import { Claimer } from './delivery/claimer.ts';
import { Slots } from './delivery/slots.ts';
import type { Claimed } from './kernel/claimed.ts';
import type { EngineDeps, TestMessage } from './kernel/engine-deps.ts';
import { defaultTuning, type Tuning } from './kernel/tuning.ts';
import { createLeases, type Leases } from './leases/leases.ts';
import type { AttemptView } from './messages/view-attempt.ts';
import { createFleet, type Fleet } from './processes/heartbeat.ts';
import { newNodeId } from './processes/process-id.ts';
import { createUnwoken, type Unwoken } from './publishing/orphaned-publishes.ts';
import {
  type NewMessage,
  type PublisherLease,
  publish,
  publishLeased,
} from './publishing/publish.ts';
import { createPublisher, type Publisher } from './publishing/publish-batch.ts';
import { createReplayer, type Replayer } from './replay/run-replays.ts';
import { createRecorder, type Recorder } from './results/record.ts';
import { type Connections, createConnections } from './sending/connections.ts';
import { startUpkeep } from './upkeep.ts';

export interface EngineStats {
  readonly in_flight: number;
  /** Claimed and waiting for a slot. */
  readonly waiting: number;
  /** Attempts made and not yet committed. */
  readonly unwritten: number;
  readonly attempts: number;
  readonly delivered: number;
  readonly failed: number;
}

export interface Engine {
  start(): Promise<void>;
  /** Finishes what is in flight, at most 16 s, and gives back what it has not started. */
  stop(): Promise<void>;
  /** Something was published and committed, in `tx` if it was `publishIn`: send it now. */
  wake(tx?: Tx): void;
  /** `publish` in the caller's transaction for this process to send; after the commit call `wake(tx)`. */
  publishIn(tx: Tx, messages: readonly NewMessage[], now: Date): Promise<void>;
  /** For callers without a transaction: resolves once committed; concurrent calls share a commit. */
  publish(messages: readonly NewMessage[]): Promise<void>;
  /** One attempt right now, outside every schedule and count; answers what came of it. */
  sendTest(owner: string, endpointId: string, message: TestMessage): Promise<AttemptView>;
  /** Resolves once nothing is due, in flight or unwritten. */
  idle(): Promise<void>;
  stats(): EngineStats;
}

/** The delivery engine of this process; several processes may share one database. */
export function createEngine(deps: EngineDeps): Engine {
  return new LocalEngine(deps);
}

class LocalEngine implements Engine {
  private readonly deps: EngineDeps;
  private readonly tuning: Tuning;
  private readonly connections: Connections;
  private readonly leases: Leases;
  private readonly recorder: Recorder;
  private readonly attempts: Attempts;
  private readonly slots: Slots;
  private readonly claimer: Claimer;
  private readonly fleet: Fleet;
  private readonly publisher: Publisher;
  private readonly activity: ActivityRecorder;
  private readonly replayer: Replayer;
  private readonly unwoken: Unwoken;
  private readonly idlers: (() => void)[] = [];
  private accepting = 0;
  private stopUpkeep = async () => {};

  constructor(deps: EngineDeps) {
    const { db, clock, log, policy, proxy } = deps;
    const tuning = { ...defaultTuning, ...deps.tuning };
    const node = newNodeId();
    const rested = () => this.rested();
    this.deps = deps;
    this.tuning = tuning;
    const resolve = createResolver({ localNames: policy.allowPrivate });
    const guard = { policy, resolve, ...(proxy && { proxy }) };
    this.connections = createConnections(guard, clock, tuning.socketAgeMs);
    const heard = () => this.claimer.want();
    this.fleet = createFleet({ db, clock, log, node, tuning, heard });
    const { disableAfterMs, gatherMs, inFlight, inFlightPerEndpoint: perEndpoint } = tuning;
    const committed = (retries: readonly Date[]) => this.committed(retries);
    this.activity = createActivityRecorder({ db, clock, log, rested });
    this.leases = createLeases({ db, clock, log });
    const { leave, release } = this.leases;
    this.recorder = createRecorder({ deps, disableAfterMs, gatherMs, committed, leave });
    const { connections, fleet } = this;
    const recorder = counting(this.recorder, this.activity);
    const { alive } = fleet;
    this.attempts = new Attempts({ deps, tuning, connections, recorder, release, alive });
    const freed = (endpointId: string) => this.freed(endpointId);
    const start: Attempts['make'] = (claimed, ended) => this.attempts.make(claimed, ended);
    const throttle = (endpointId: string) => this.attempts.throttle(endpointId);
    this.slots = new Slots({ inFlight, perEndpoint, clock, start, throttle, freed });
    const { slots } = this;
    const unwritten = recorder.size;
    const prepare = (claimed: readonly Claimed[]) => this.attempts.prepare(claimed);
    this.claimer = new Claimer({ db, clock, log, node, tuning, slots, unwritten, prepare, rested });
    const send = (claimed: readonly Claimed[]) => this.accept(claimed);
    const { pollMs: waitMs, leaseMs } = tuning;
    this.unwoken = createUnwoken({ release, clock, log, waitMs, leaseMs, freed: heard });
    this.publisher = createPublisher({ db, clock, lease: () => this.lease(), send });
    const { replayStepMs: stepMs, pollMs } = tuning;
    this.replayer = createReplayer({ db, clock, log, stepMs, pollMs, freed: heard, rested });
  }

  async start(): Promise<void> {
    await this.fleet.join();
    this.claimer.start();
    this.replayer.start();
    const freed = () => this.claimer.want();
    const { ended } = this.recorder;
    this.stopUpkeep = startUpkeep({ ...this.deps, tuning: this.tuning, ended, freed });
  }

  async stop(): Promise<void> {
    this.claimer.stop();
    this.unwoken.stop();
    const kept = this.stopUpkeep();
    const tested = this.attempts.stop();
    const unused = this.slots.drain();
    await this.replayer.stop();
    const finished = Promise.all([kept, tested, this.idle()]);
    await this.leases.release(unused);
    let cancel = () => {};
    const enough = new Promise<void>((done) => {
      cancel = this.deps.clock.after(this.tuning.stopMs, done);
    });
    await Promise.race([finished, enough]);
    cancel();
    await this.activity.stop();
    await this.leases.stop();
    this.connections.close();
    await this.fleet.leave();
  }

  wake(tx?: Tx): void {
    this.accept(tx ? this.unwoken.take(tx) : []);
    if (!tx) this.replayer.want();
    this.fleet.tell();
  }

  async publishIn(tx: Tx, messages: readonly NewMessage[], now: Date): Promise<void> {
    const lease = this.lease();
    if (!lease) return publish(tx, messages, now);
    this.unwoken.add(tx, await publishLeased(tx, messages, now, lease));
  }

  publish(messages: readonly NewMessage[]): Promise<void> {
    return this.publisher(messages);
  }

  sendTest(owner: string, endpointId: string, message: TestMessage): Promise<AttemptView> {
    return this.attempts.test(owner, endpointId, message);
  }

  async idle(): Promise<void> {
    while (!this.isIdle()) await new Promise<void>((resume) => this.idlers.push(resume));
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

  private lease(): PublisherLease | null {
    return this.fleet.alive() ? this.claimer.lease() : null;
  }

  /** Something was committed: this is leased to this process, anything else is still to claim. */
  private accept(claimed: readonly Claimed[]): void {
    if (claimed.length === 0) {
      this.claimer.want();
      return;
    }
    const preparing = this.attempts.prepare(claimed);
    if (!preparing) {
      this.slots.offer(claimed);
      return;
    }
    this.accepting += claimed.length;
    void preparing.then(() => {
      this.accepting -= claimed.length;
      this.slots.offer(claimed);
    });
  }

  private freed(endpointId: string): void {
    this.claimer.freed(endpointId);
    this.rested();
  }

  private committed(retries: readonly Date[]): void {
    for (const due of retries) this.claimer.expect(due);
    this.claimer.refill();
    this.rested();
  }

  private rested(): void {
    if (this.idlers.length === 0 || !this.isIdle()) return;
    for (const resume of this.idlers.splice(0)) resume();
  }

  private isIdle(): boolean {
    const held = this.accepting + this.slots.size() + this.recorder.size();
    const writing = this.replayer.busy() || this.activity.busy();
    return held === 0 && !this.claimer.running() && !writing;
  }
}

function counting(recorder: Recorder, activity: ActivityRecorder): Recorder {
  return {
    ...recorder,
    add(result) {
      activity.add(result);
      recorder.add(result);
    },
  };
}
