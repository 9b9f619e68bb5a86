import { randomBytes } from 'node:crypto';
import type { Claimed, EndpointRef } from '../kernel/claimed.ts';
import type { EngineContext, TestMessage } from '../kernel/engine-deps.ts';
import { EngineRefusal, endpointNotFound } from '../kernel/refusal.ts';
import { signAttempt, signatureHeaders } from '../kernel/signature.ts';
import type { Leases } from '../leases/leases.ts';
import type { Exchange, Result } from '../messages/attempt-detail.ts';
import type { AttemptView } from '../messages/view-attempt.ts';
import type { LiveProcesses } from '../processes/live-processes.ts';
import type { Connections } from '../sending/connections.ts';
import { fetchPage } from '../sending/fetch-page.ts';
import { defaultUserAgent, headerLines } from '../sending/request-headers.ts';
import { type Outcome, type SendOptions, send } from '../sending/send.ts';
import { recordTestAttempt } from './record-test-attempt.ts';
import { createTargetCache, type TargetCache } from './target-cache.ts';
import { loadTargets, type Target } from './targets.ts';

interface AttemptsOptions {
  readonly connections: Connections;
  readonly leases: Pick<Leases, 'release'>;
  readonly processes: Pick<LiveProcesses, 'isAlive'>;
  /** Called with each finished attempt of a claimed delivery. */
  readonly onResult: (result: Result) => void;
}

interface AttemptCounts {
  readonly attempts: number;
  readonly delivered: number;
  readonly failed: number;
}

type Ended = (how: 'hung' | 'done') => void;

/** Makes attempts: loads the endpoint's settings, signs, sends, and reports the result. */
export class Attempts {
  private readonly context: EngineContext;
  private readonly options: AttemptsOptions;
  private readonly targets: TargetCache;
  private readonly sending: SendOptions;
  private readonly userAgent: string;
  private readonly svix: boolean;
  private readonly tests = new Set<Promise<unknown>>();
  private stopping = false;
  private delivered = 0;
  private failed = 0;

  constructor(context: EngineContext, options: AttemptsOptions) {
    const { clock, tuning } = context;
    const { connections } = options;
    this.context = context;
    this.options = options;
    this.userAgent = context.userAgent ?? defaultUserAgent;
    this.svix = context.svixHeaders ?? true;
    this.targets = createTargetCache(
      (endpoints) => this.load(endpoints),
      clock,
      tuning.settingsAgeMs,
    );
    const { deadlineMs, responseBytes } = tuning;
    this.sending = { connections, clock, deadlineMs, responseBytes };
  }

  /**
   * Loads the settings of these endpoints in one query, so that the attempts need not load them one by
   * one. Returns undefined when all are known. Never rejects: an attempt can still load its own.
   */
  prepare(claimed: readonly Claimed[]): Promise<void> | undefined {
    return this.targets.refresh(claimed)?.catch((error: unknown) => {
      this.context.log.error(
        { err: error },
        'endpoints could not be loaded ahead of their attempts',
      );
    });
  }

  /** The endpoint's throttle in attempts per second, as last loaded; null for none. */
  throttle(endpoint: EndpointRef): number | null {
    return this.targets.throttle(endpoint);
  }

  /**
   * Makes one attempt, and calls `ended` when its slot is free. If the attempt cannot be made and the
   * claim cannot be released either, the lease expires and the delivery is claimed again.
   */
  make(claimed: Claimed, ended: Ended): void {
    const target = this.targets.current(claimed);
    if (!(target instanceof Promise)) {
      this.start(claimed, target, ended);
      return;
    }
    target.then(
      (found) => this.start(claimed, found, ended),
      (error: unknown) => this.giveUp(claimed, error, ended),
    );
  }

  /** Sends a test message to the endpoint and stores the attempt. */
  test(owner: string, endpointId: string, message: TestMessage): Promise<AttemptView> {
    return this.track(() => this.sendTest(owner, endpointId, message));
  }

  /**
   * Makes one attempt that is stored nowhere, to see how the endpoint answers. With `forged`, the
   * signature is made with a random key.
   */
  probe(
    owner: string,
    endpointId: string,
    message: Pick<TestMessage, 'id' | 'body'>,
    { forged }: { forged: boolean },
  ): Promise<Outcome> {
    return this.track(async () => {
      const [target] = await this.load([{ owner, endpointId }]);
      if (!target || target.state === 'deleted') throw endpointNotFound();
      const keys = forged ? [{ key: randomBytes(32), expiresAt: null }] : target.keys;
      const { outcome } = await this.exchange({ ...target, keys }, message);
      return outcome;
    });
  }

  /** Gets a web page, with the same checks of addresses as an attempt. Follows no redirect. */
  page(owner: string, url: URL): Promise<Outcome> {
    return this.track(() => fetchPage(owner, url, this.sending));
  }

  /** From now on no attempt starts. Resolves when the test sends in flight are done. */
  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.allSettled(this.tests);
  }

  counts(): AttemptCounts {
    const { delivered, failed } = this;
    return { attempts: delivered + failed, delivered, failed };
  }

  /**
   * The delivery may have waited for a slot so long that its lease would expire during the attempt, or
   * this process may have been declared dead: in both cases another one may send it already.
   */
  private mayStart({ startBefore }: Claimed): boolean {
    const inTime = this.context.clock.now().getTime() <= startBefore;
    return inTime && !this.stopping && this.options.processes.isAlive();
  }

  private start(claimed: Claimed, target: Target | undefined, ended: Ended): void {
    try {
      if (target?.state === 'enabled' && this.mayStart(claimed)) {
        const running = this.context.observer?.attemptStarted({
          messageId: claimed.messageId,
          endpointId: claimed.endpointId,
          type: claimed.type,
          traceparent: claimed.traceparent,
        });
        this.post(target, claimed, running?.traceparent, (exchange) => {
          const { status, errorClass, times } = exchange.outcome;
          running?.ended({ status, errorClass, seconds: times.total / 1_000 });
          this.report(claimed, exchange);
          ended(exchange.outcome.errorClass === 'timeout' ? 'hung' : 'done');
        });
        return;
      }
    } catch (error) {
      this.giveUp(claimed, error, ended);
      return;
    }
    this.options.leases.release([claimed]).then(
      () => ended('done'),
      (error: unknown) => this.giveUp(claimed, error, ended),
    );
  }

  private giveUp(claimed: Claimed, error: unknown, ended: Ended): void {
    const { log } = this.context;
    log.error({ err: error, message_id: claimed.messageId }, 'attempt could not be made');
    ended('done');
  }

  private report(claimed: Claimed, exchange: Exchange): void {
    const { status, errorClass, error, atProxy, times } = exchange.outcome;
    if (errorClass === null) this.delivered += 1;
    else this.failed += 1;
    this.context.log.info(
      {
        message_id: claimed.messageId,
        endpoint_id: claimed.endpointId,
        owner: claimed.owner,
        trigger: claimed.trigger,
        status,
        error_class: errorClass,
        ...(atProxy && { error }),
        total_ms: Math.round(times.total),
      },
      'webhook attempt',
    );
    this.options.onResult({ claimed, ...exchange });
  }

  private post(
    target: Target,
    { messageId, body }: Pick<Claimed, 'messageId' | 'body'>,
    traceparent: string | undefined,
    done: (exchange: Exchange) => void,
  ): void {
    const at = this.context.clock.now();
    const signed = { messageId, timestamp: Math.floor(at.getTime() / 1000), body };
    const signature = signAttempt(signed, target.keys, at);
    const trace = traceparent === undefined ? [] : ['traceparent', traceparent];
    const headers = [...signatureHeaders(signed, signature, this.svix), ...trace];
    const head = target.head + headerLines(headers);
    const { owner, origin, url, hidden } = target;
    const sent = { userAgent: this.userAgent, signature, hidden, svix: this.svix };
    send({ owner, origin, head, body, at }, this.sending, (outcome) =>
      done({ url, sent, outcome }),
    );
  }

  private async sendTest(owner: string, endpointId: string, message: TestMessage) {
    const [target] = await this.load([{ owner, endpointId }]);
    if (!target || target.state === 'deleted') throw endpointNotFound();
    const exchange = await this.exchange(target, message);
    return recordTestAttempt(this.context.db, owner, endpointId, message, exchange);
  }

  private exchange(target: Target, { id, body }: Pick<TestMessage, 'id' | 'body'>) {
    return new Promise<Exchange>((done) =>
      this.post(target, { messageId: id, body }, undefined, done),
    );
  }

  /** Runs work that `stop` waits for. */
  private async track<T>(work: () => Promise<T>): Promise<T> {
    if (this.stopping) {
      throw new EngineRefusal('engine_stopping', 'The service is restarting: try again.');
    }
    const running = work();
    this.tests.add(running);
    return running.finally(() => this.tests.delete(running));
  }

  private load(endpoints: readonly EndpointRef[]): Promise<Target[]> {
    const { db, vault } = this.context;
    return loadTargets(db, vault, this.userAgent, endpoints);
  }
}
