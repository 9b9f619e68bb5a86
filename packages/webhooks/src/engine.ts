import type { Tx } from '@svc/db';
import type { Clock } from '@svc/runtime';
import { createActivityRecorder } from './activity/record-activity.ts';
import { checkUrl, parseEndpointUrl } from './addresses/address-guard.ts';
import { createResolver } from './addresses/resolve-host.ts';
import { createAttempts, type Probed, type ProbeOptions } from './delivery/attempts.ts';
import { createClaimer } from './delivery/claimer.ts';
import { createSlots } from './delivery/slots.ts';
import type { Claimed } from './kernel/claimed.ts';
import type { EngineContext, EngineDeps, TestMessage } from './kernel/engine-deps.ts';
import { defaultTuning } from './kernel/tuning.ts';
import { createLeases } from './leases/leases.ts';
import type { Result } from './messages/attempt-detail.ts';
import type { AttemptView } from './messages/view-attempt.ts';
import { createLiveProcesses } from './processes/live-processes.ts';
import { newProcessId } from './processes/process-id.ts';
import { createOrphanedPublishes } from './publishing/orphaned-publishes.ts';
import { type LeaseTerms, publish, publishLeased } from './publishing/publish.ts';
import { createPublisher } from './publishing/publish-batch.ts';
import type { NewMessage } from './publishing/store-messages.ts';
import { createReplayer } from './replay/run-replays.ts';
import { createRecorder } from './results/record.ts';
import { createConnections, withoutPool } from './sending/connections.ts';
import type { Outcome } from './sending/send.ts';
import { createUpkeep } from './upkeep.ts';

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
  /** Sends what a commit has published. Call it after the commit, with its `tx` if it used `publishIn`. */
  wake(tx?: Tx): void;
  /** Publishes in the caller's transaction, for this process to send. After the commit, call `wake(tx)`. */
  publishIn(tx: Tx, messages: readonly NewMessage[], now: Date): Promise<void>;
  /** Publishes without a caller's transaction. Resolves once committed; concurrent calls share a commit. */
  publish(messages: readonly NewMessage[]): Promise<void>;
  /** Makes one attempt right now, outside of all schedules and counts. Returns the finished attempt. */
  sendTest(owner: string, endpointId: string, message: TestMessage): Promise<AttemptView>;
  /** Makes one attempt that is stored nowhere, to see how the endpoint answers. */
  probe(
    owner: string,
    endpointId: string,
    message: Pick<TestMessage, 'id' | 'body'>,
    options: ProbeOptions,
  ): Promise<Probed>;
  /**
   * Requests a web page with the checks of an attempt: addresses are checked, redirects are not followed.
   * @throws EngineRefusal for a URL that the policy does not allow
   */
  fetchPage(owner: string, url: string): Promise<Outcome>;
  /**
   * Requests a URL of the owner's like `fetchPage`, with the headers of a webhook. The endpoint's keys sign
   * `message.body`, which is not sent.
   * @throws EngineRefusal for a URL that the policy does not allow
   */
  fetchSigned(
    owner: string,
    endpointId: string,
    message: Pick<TestMessage, 'id' | 'body'>,
    url: string,
  ): Promise<Probed>;
  /** Resolves once nothing is due, in flight or unwritten. */
  idle(): Promise<void>;
  stats(): EngineStats;
}

/**
 * The delivery engine of this process. Several processes may share one database. A delivery moves through
 * its parts in this order:
 *
 *   publisher ─┐
 *              ├─▶ slots ─▶ attempts ─▶ recorder ─▶ (commit) ─▶ claimer, for the retry
 *   claimer ───┘
 *
 * Each part calls the next one directly. What it reports backwards (a free slot, a commit, being
 * idle) goes through one of the `on…` functions below.
 */
export function createEngine(deps: EngineDeps): Engine {
  const { clock, policy, sends = true } = deps;
  const tuning = { ...defaultTuning, ...deps.tuning };
  const context: EngineContext = { ...deps, tuning, processId: newProcessId() };
  const onDue = () => claimer.wake();
  /** Deliveries that were accepted and wait for their endpoints' settings to be loaded. */
  let preparing = 0;
  const idleWaiters: (() => void)[] = [];

  // Sending.
  const resolve = createResolver({ localNames: policy.allowPrivate });
  const guard = { policy, resolve, ...(deps.proxy && { proxy: deps.proxy }) };
  const connections = createConnections(guard, clock, tuning.socketAgeMs);
  // An owner may send webhooks to the allowed networks, and not read their pages.
  const pagePolicy = { ...policy, allowedNetworks: [] };
  const pages = withoutPool({ ...guard, policy: pagePolicy });
  const processes = createLiveProcesses({
    ...context,
    listens: sends,
    // A process that does not send wakes the others instead.
    onDue: () => (sends ? onDue() : processes.wakeOthers()),
  });
  const leases = createLeases(context);
  const attempts = createAttempts(context, { connections, pages, leases, processes, onResult });
  const slots = createSlots({
    inFlight: tuning.inFlight,
    perEndpoint: tuning.inFlightPerEndpoint,
    clock,
    attempts,
    onFreed: onSlotFreed,
  });

  // Recording.
  const activity = createActivityRecorder({ ...context, onIdle });
  const recorder = createRecorder(context, { onCommitted, onDue });

  // Finding what to send.
  const claimer = createClaimer(context, {
    slots,
    unwritten: recorder.size,
    prepare: attempts.prepare,
    onReplay: () => replayer.wake(),
    onIdle,
  });
  const publisher = createPublisher({ ...context, leaseTerms, send: accept });
  const orphans = createOrphanedPublishes({ ...context, leases, onDue });
  const replayer = createReplayer({ ...context, onDue, onIdle });
  const upkeep = createUpkeep({ ...context, finished: recorder.finished, onDue });

  async function start(): Promise<void> {
    await processes.join();
    // Without a claimer, everything that this process publishes becomes open rows.
    if (!sends) return;
    claimer.start();
    replayer.start();
    upkeep.start();
  }

  /**
   * The order matters: first nothing new is found or started, then what is in flight is awaited, and
   * heartbeats end last, because another process would send again what is still in flight.
   */
  async function stop(): Promise<void> {
    const loopsStopped = [claimer.stop(), upkeep.stop()];
    orphans.stop();
    const testsDone = attempts.stop();
    const unstarted = slots.drain();
    await replayer.stop();
    // A claim that ends only now offers its deliveries to the slots; `attempts` releases each of them.
    const finished = Promise.all([...loopsStopped, testsDone, idle()]);
    await leases.release(unstarted);
    await waitAtMost(clock, tuning.stopMs, finished);
    await activity.stop();
    await leases.stop();
    connections.close();
    await processes.leave();
  }

  function wake(tx?: Tx): void {
    accept(tx ? orphans.take(tx) : []);
    if (!tx) replayer.wake();
    processes.wakeOthers();
  }

  async function publishIn(tx: Tx, messages: readonly NewMessage[], now: Date): Promise<void> {
    const terms = leaseTerms();
    if (!terms) return publish(tx, messages, now);
    const traceparent = deps.observer?.traceparent?.();
    orphans.add(tx, await publishLeased(tx, messages, now, { ...terms, traceparent }));
  }

  async function fetchPage(owner: string, url: string): Promise<Outcome> {
    await checkUrl(url, pagePolicy);
    return attempts.page(owner, parseEndpointUrl(url, pagePolicy));
  }

  async function fetchSigned(
    owner: string,
    endpointId: string,
    message: Pick<TestMessage, 'id' | 'body'>,
    url: string,
  ): Promise<Probed> {
    await checkUrl(url, pagePolicy);
    return attempts.signedPage(owner, endpointId, message, parseEndpointUrl(url, pagePolicy));
  }

  async function idle(): Promise<void> {
    while (!isIdle()) await new Promise<void>((resume) => idleWaiters.push(resume));
  }

  function stats(): EngineStats {
    const inFlight = slots.inFlight();
    return {
      in_flight: inFlight,
      waiting: slots.size() - inFlight,
      unwritten: recorder.size(),
      ...attempts.counts(),
    };
  }

  /** Returns null unless this process may and can send what is being published. */
  function leaseTerms(): LeaseTerms | null {
    return processes.isAlive() ? claimer.leaseTerms() : null;
  }

  /**
   * Called after a commit. `claimed` is what the publish leased to this process. Its other deliveries are
   * open rows, to be claimed like any other.
   */
  function accept(claimed: readonly Claimed[]): void {
    if (claimed.length === 0 || claimed.some(({ lease }) => lease?.leftOpen)) claimer.wake();
    if (claimed.length === 0) return;
    const prepared = attempts.prepare(claimed);
    if (!prepared) {
      slots.offer(claimed);
      return;
    }
    preparing += claimed.length;
    void prepared.then(() => {
      preparing -= claimed.length;
      slots.offer(claimed);
    });
  }

  function onResult(result: Result): void {
    activity.add(result);
    recorder.add(result);
  }

  function onSlotFreed(endpointId: string): void {
    claimer.slotFreed(endpointId);
    onIdle();
  }

  function onCommitted(recorded: readonly Claimed[], retries: readonly Date[]): void {
    leases.leave(recorded);
    for (const due of retries) claimer.expect(due);
    claimer.refill();
    upkeep.wake();
    onIdle();
  }

  /** A part has become idle: resumes the callers of `idle()` if all parts are. */
  function onIdle(): void {
    if (idleWaiters.length === 0 || !isIdle()) return;
    for (const resume of idleWaiters.splice(0)) resume();
  }

  function isIdle(): boolean {
    const buffered = preparing + slots.size() + recorder.size();
    const busy = claimer.busy() || replayer.busy() || activity.busy();
    return buffered === 0 && !busy;
  }

  return {
    start,
    stop,
    wake,
    publishIn,
    publish: publisher,
    sendTest: attempts.test,
    probe: attempts.probe,
    fetchPage,
    fetchSigned,
    idle,
    stats,
  };
}

async function waitAtMost(clock: Clock, ms: number, finished: Promise<unknown>): Promise<void> {
  let cancel = () => {};
  const expired = new Promise<void>((done) => {
    cancel = clock.after(ms, done);
  });
  await Promise.race([finished, expired]);
  cancel();
}
