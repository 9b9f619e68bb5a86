import { randomUUID } from 'node:crypto';
import type { Tx } from '@svc/db';
import { createResolver } from './addresses/resolve-host.ts';
import { type Claimed, release } from './claim.ts';
import type { EngineDeps } from './deps.ts';
import { defaultTuning } from './limits.ts';
import type { Exchange } from './messages/attempt-detail.ts';
import type { AttemptView } from './messages/view-attempt.ts';
import { type NewMessage, type PublisherLease, publish, publishLeased } from './publish.ts';
import { createPublisher } from './publish-batch.ts';
import { createRecorder } from './record.ts';
import { EngineRefusal, endpointNotFound } from './refusal.ts';
import { send } from './send.ts';
import { createConnections } from './sending/connections.ts';
import { signAttempt } from './sending/request-headers.ts';
import { signatureHeaders } from './signature.ts';
import { createClaimer } from './work/claimer.ts';
import { createFleet } from './work/fleet.ts';
import { createSlots } from './work/slots.ts';
import { createTargetCache } from './work/target-cache.ts';
import { loadTargets, type Target } from './work/targets.ts';
import { startUpkeep } from './work/upkeep.ts';
import { writeTest } from './work/write-test.ts';

export interface TestMessage {
  readonly id: string;
  readonly type: string;
  readonly body: string;
}

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
  const { db, clock, vault, log } = deps;
  const tuning = { ...defaultTuning, ...deps.tuning };
  const userAgent = deps.userAgent ?? 'svc-webhooks/1';
  const svix = deps.svixHeaders ?? true;
  const node = randomUUID();
  const resolve = createResolver({ localNames: deps.policy.allowPrivate });
  const connections = createConnections(
    { policy: deps.policy, resolve },
    clock,
    tuning.socketAgeMs,
  );
  const { deadlineMs, responseBytes } = tuning;
  const sending = { connections, clock, deadlineMs, responseBytes };
  const load = (ids: readonly string[]) => loadTargets(db, vault, userAgent, ids);
  const targets = createTargetCache(load, clock, tuning.settingsAgeMs);
  const published = new WeakMap<Tx, Claimed[]>();
  const counts = { attempts: 0, delivered: 0, failed: 0 };
  const tests = new Set<Promise<unknown>>();
  let accepting = 0;
  let running = false;
  let stopping = false;
  const idlers: (() => void)[] = [];

  const recorder = createRecorder({
    deps,
    disableAfterMs: tuning.disableAfterMs,
    committed(retries) {
      for (const due of retries) claimer.expect(due);
      claimer.refill();
      rested();
    },
  });
  const slots = createSlots({
    inFlight: tuning.inFlight,
    perEndpoint: tuning.inFlightPerEndpoint,
    clock,
    start: attempt,
    freed(endpointId) {
      claimer.freed(endpointId);
      rested();
    },
  });
  const claimer = createClaimer({
    db,
    clock,
    log,
    node,
    tuning,
    slots,
    unwritten: recorder.size,
    prepare: targets.refresh,
    rested,
  });
  const fleet = createFleet({ db, clock, log, node, tuning, heard: claimer.want });

  const publisher = createPublisher({ db, clock, lease: publisherLease, send: accept });

  function publisherLease(): PublisherLease | null {
    return running && claimer.canTakeMore() && fleet.alive() ? claimer.lease() : null;
  }

  /** Freshly published and leased to this process. */
  function accept(claimed: readonly Claimed[]): void {
    if (claimed.length === 0) claimer.want();
    accepting += claimed.length;
    targets
      .refresh(claimed)
      .then(() => slots.offer(claimed))
      .catch((error: unknown) => log.error({ err: error }, 'endpoints could not be read'))
      .finally(() => {
        accepting -= claimed.length;
        rested();
      });
  }

  async function attempt(claimed: Claimed): Promise<void> {
    try {
      const target = await targets.current(claimed.endpointId);
      const late = clock.now().getTime() > claimed.startBefore || !fleet.alive();
      if (target?.state === 'enabled' && !late && !stopping) await deliver(claimed, target);
      else await release(db, [claimed]);
    } catch (error) {
      // Its lease runs out and it is claimed again.
      log.error({ err: error, message_id: claimed.messageId }, 'attempt could not be made');
    }
  }

  async function deliver(claimed: Claimed, target: Target): Promise<void> {
    const exchange = await post(target, claimed.messageId, claimed.body);
    const { outcome } = exchange;
    counts.attempts += 1;
    counts[outcome.errorClass === null ? 'delivered' : 'failed'] += 1;
    log.info(
      {
        message_id: claimed.messageId,
        endpoint_id: claimed.endpointId,
        owner: claimed.owner,
        trigger: claimed.trigger,
        status: outcome.status,
        error_class: outcome.errorClass,
        total_ms: Math.round(outcome.times.total),
      },
      'webhook attempt',
    );
    recorder.add({ claimed, ...exchange, disableOnGone: target.disableOnGone });
  }

  async function post(target: Target, messageId: string, text: string): Promise<Exchange> {
    const body = Buffer.from(text);
    const at = clock.now();
    const signed = { messageId, timestamp: Math.floor(at.getTime() / 1000), body };
    const signature = signAttempt(target, signed, at);
    const headers = [...target.headers, ...signatureHeaders(signed, signature, svix)];
    const { owner, origin, path, url, hidden } = target;
    const outcome = await send({ owner, origin, path, headers, body, at }, sending);
    return { url, sent: { userAgent, signature, hidden, svix }, outcome };
  }

  async function test(owner: string, endpointId: string, message: TestMessage) {
    const [target] = await load([endpointId]);
    if (!target || target.owner !== owner || target.state === 'deleted') throw endpointNotFound();
    const exchange = await post(target, message.id, message.body);
    return writeTest(db, owner, endpointId, message, exchange);
  }

  function rested(): void {
    if (idlers.length === 0 || !isIdle()) return;
    for (const resume of idlers.splice(0)) resume();
  }

  function isIdle(): boolean {
    return !claimer.running() && accepting + slots.size() + recorder.size() === 0;
  }

  let stopUpkeep = () => {};
  return {
    async start() {
      await fleet.join();
      claimer.start();
      running = true;
      stopUpkeep = startUpkeep({
        db,
        clock,
        log,
        tuning,
        ended: recorder.ended,
        freed: claimer.want,
      });
    },
    async stop() {
      stopping = true;
      running = false;
      claimer.stop();
      stopUpkeep();
      const finished = Promise.all([this.idle(), ...tests]);
      await release(db, slots.drain());
      await Promise.race([finished, new Promise<void>((done) => clock.after(tuning.stopMs, done))]);
      connections.close();
      await fleet.leave();
    },
    wake(tx) {
      const leased = tx && published.get(tx);
      if (leased) accept(leased);
      else claimer.want();
      fleet.tell();
    },
    async publishIn(tx, messages, now) {
      const lease = publisherLease();
      if (!lease) return publish(tx, messages, now);
      const leased = await publishLeased(tx, messages, now, lease);
      published.set(tx, [...(published.get(tx) ?? []), ...leased]);
    },
    publish: publisher,
    async sendTest(owner, endpointId, message) {
      if (stopping)
        throw new EngineRefusal('engine_stopping', 'Restarting: try again in a moment.');
      const sent = test(owner, endpointId, message);
      tests.add(sent);
      return sent.finally(() => tests.delete(sent));
    },
    async idle() {
      while (!isIdle()) await new Promise<void>((resume) => idlers.push(resume));
    },
    stats: () => ({
      in_flight: slots.inFlight(),
      waiting: slots.size() - slots.inFlight(),
      unwritten: recorder.size(),
      ...counts,
    }),
  };
}
