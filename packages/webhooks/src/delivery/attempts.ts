import { randomBytes } from 'node:crypto';
import type { Claimed, EndpointRef } from '../kernel/claimed.ts';
import type { EngineContext, TestMessage } from '../kernel/engine-deps.ts';
import { EngineRefusal, endpointNotFound } from '../kernel/refusal.ts';
import { type Signed, signAttempt, signatureHeaders } from '../kernel/signature.ts';
import type { Leases } from '../leases/leases.ts';
import type { Exchange, Result } from '../messages/attempt-detail.ts';
import type { AttemptView } from '../messages/view-attempt.ts';
import type { LiveProcesses } from '../processes/live-processes.ts';
import type { ConnectionSource } from '../sending/connections.ts';
import { fetchPage, pageUserAgent } from '../sending/fetch-page.ts';
import { defaultUserAgent, headerLines, shownHeaders } from '../sending/request-headers.ts';
import { type Outcome, type SendOptions, send } from '../sending/send.ts';
import { recordTestAttempt } from './record-test-attempt.ts';
import { createTargetCache } from './target-cache.ts';
import { loadTargets, type Target } from './targets.ts';

interface AttemptsOptions {
  readonly connections: ConnectionSource;
  /** Opens the connections of `page` and `signedPage`. */
  readonly pages: ConnectionSource;
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

/** How the signature of a probe differs from that of an attempt. */
export interface ProbeOptions {
  /** Sign with a random key. */
  readonly forged?: boolean;
  /** Sign for this time instead of now. */
  readonly signedAt?: Date;
  /** Sign this body instead of the one that is sent. */
  readonly signedBody?: string;
  /** Put the signature of an unknown key first, as a rotation of secrets does. */
  readonly foreignFirst?: boolean;
}

/** The outcome of a probe, and the request with its secrets redacted. */
export interface Probed extends Outcome {
  readonly url: string;
  readonly requestHeaders: Record<string, string>;
}

type Ended = (how: 'hung' | 'done') => void;

export interface Attempts {
  /**
   * Loads the settings of these endpoints in one query, so that the attempts need not load them one by
   * one. Returns undefined when all are known. Never rejects: an attempt can still load its own.
   */
  prepare(claimed: readonly Claimed[]): Promise<void> | undefined;
  /** The endpoint's throttle in attempts per second, as last loaded; null for none. */
  throttle(endpoint: EndpointRef): number | null;
  /**
   * Makes one attempt, and calls `ended` when its slot is free. If the attempt cannot be made and the
   * claim cannot be released either, the lease expires and the delivery is claimed again.
   */
  make(claimed: Claimed, ended: Ended): void;
  /** Sends a test message to the endpoint and stores the attempt. */
  test(owner: string, endpointId: string, message: TestMessage): Promise<AttemptView>;
  /** Makes one attempt that is stored nowhere, to see how the endpoint answers. */
  probe(
    owner: string,
    endpointId: string,
    message: Pick<TestMessage, 'id' | 'body'>,
    options: ProbeOptions,
  ): Promise<Probed>;
  /**
   * Requests `url` with GET and the headers of a webhook. The endpoint's keys sign `message.body`, which is
   * not sent. Addresses are checked as in `page`.
   */
  signedPage(
    owner: string,
    endpointId: string,
    message: Pick<TestMessage, 'id' | 'body'>,
    url: URL,
  ): Promise<Probed>;
  /** Requests a web page with the address checks of an attempt. Follows no redirect. */
  page(owner: string, url: URL): Promise<Outcome>;
  /** Prevents new attempts from starting. Resolves when the test sends in flight are done. */
  stop(): Promise<void>;
  counts(): AttemptCounts;
}

/** Makes attempts: loads the endpoint's settings, signs, sends, and reports the result. */
export function createAttempts(context: EngineContext, options: AttemptsOptions): Attempts {
  const { db, vault, clock, log, observer, tuning } = context;
  const { connections, pages, leases, processes, onResult } = options;
  const userAgent = context.userAgent ?? defaultUserAgent;
  const svix = context.svixHeaders ?? true;
  const targets = createTargetCache(load, clock, tuning.settingsAgeMs);
  const { deadlineMs, responseBytes } = tuning;
  const sending: SendOptions = { connections, clock, deadlineMs, responseBytes };
  const tests = new Set<Promise<unknown>>();
  let stopping = false;
  let delivered = 0;
  let failed = 0;

  function prepare(claimed: readonly Claimed[]): Promise<void> | undefined {
    return targets.refresh(claimed)?.catch((error: unknown) => {
      log.error({ err: error }, 'endpoints could not be loaded ahead of their attempts');
    });
  }

  function throttle(endpoint: EndpointRef): number | null {
    return targets.throttle(endpoint);
  }

  function make(claimed: Claimed, ended: Ended): void {
    const target = targets.current(claimed);
    if (!(target instanceof Promise)) {
      start(claimed, target, ended);
      return;
    }
    target.then(
      (found) => start(claimed, found, ended),
      (error: unknown) => giveUp(claimed, error, ended),
    );
  }

  function test(owner: string, endpointId: string, message: TestMessage): Promise<AttemptView> {
    return track(() => sendTest(owner, endpointId, message));
  }

  function probe(
    owner: string,
    endpointId: string,
    message: Pick<TestMessage, 'id' | 'body'>,
    options: ProbeOptions,
  ): Promise<Probed> {
    return track(async () => {
      const target = await requireTarget(owner, endpointId);
      const foreignKey = { key: randomBytes(32), expiresAt: null };
      const usualKeys = options.forged ? [foreignKey] : target.keys;
      const keys = options.foreignFirst ? [foreignKey, ...usualKeys] : usualKeys;
      const { signed, signature } = signMessage(message, keys, options);
      const exchanged = await exchange(target, message, { signed, signature });
      return {
        ...exchanged.outcome,
        url: target.url,
        requestHeaders: shownHeaders(exchanged.sent, signed),
      };
    });
  }

  function signedPage(
    owner: string,
    endpointId: string,
    message: Pick<TestMessage, 'id' | 'body'>,
    url: URL,
  ): Promise<Probed> {
    return track(async () => {
      const { keys } = await requireTarget(owner, endpointId);
      const { signed, signature } = signMessage(message, keys, {});
      const headers = signatureHeaders(signed, signature, svix);
      const outcome = await fetchPage(owner, url, { ...sending, connections: pages }, headers);
      const requestHeaders: Record<string, string> = { 'user-agent': pageUserAgent };
      for (let at = 0; at < headers.length; at += 2) {
        requestHeaders[headers[at] ?? ''] = headers[at + 1] ?? '';
      }
      return { ...outcome, url: url.href, requestHeaders };
    });
  }

  async function requireTarget(owner: string, endpointId: string): Promise<Target> {
    const [target] = await load([{ owner, endpointId }]);
    if (!target || target.state === 'deleted') throw endpointNotFound();
    return target;
  }

  function signMessage(
    { id, body }: Pick<TestMessage, 'id' | 'body'>,
    keys: Target['keys'],
    { signedAt, signedBody = body }: ProbeOptions,
  ): { signed: Signed; signature: string } {
    const now = clock.now();
    const timestamp = Math.floor((signedAt ?? now).getTime() / 1000);
    const signed = { messageId: id, timestamp, body: signedBody };
    return { signed, signature: signAttempt(signed, keys, now) };
  }

  function page(owner: string, url: URL): Promise<Outcome> {
    return track(() => fetchPage(owner, url, { ...sending, connections: pages }));
  }

  async function stop(): Promise<void> {
    stopping = true;
    await Promise.allSettled(tests);
  }

  function counts(): AttemptCounts {
    return { attempts: delivered + failed, delivered, failed };
  }

  /**
   * The delivery may have waited for a slot so long that its lease would expire during the attempt, or
   * this process may have been declared dead: in both cases another one may send it already.
   */
  function mayStart({ startBefore }: Claimed): boolean {
    const inTime = clock.now().getTime() <= startBefore;
    return inTime && !stopping && processes.isAlive();
  }

  function start(claimed: Claimed, target: Target | undefined, ended: Ended): void {
    try {
      if (target?.state === 'enabled' && mayStart(claimed)) {
        const running = observer?.attemptStarted({
          messageId: claimed.messageId,
          endpointId: claimed.endpointId,
          type: claimed.type,
          traceparent: claimed.traceparent,
        });
        post(target, claimed, running?.traceparent, (exchange) => {
          const { status, errorClass, times } = exchange.outcome;
          running?.ended({ status, errorClass, seconds: times.total / 1_000 });
          report(claimed, exchange);
          ended(exchange.outcome.errorClass === 'timeout' ? 'hung' : 'done');
        });
        return;
      }
    } catch (error) {
      giveUp(claimed, error, ended);
      return;
    }
    leases.release([claimed]).then(
      () => ended('done'),
      (error: unknown) => giveUp(claimed, error, ended),
    );
  }

  function giveUp(claimed: Claimed, error: unknown, ended: Ended): void {
    log.error({ err: error, message_id: claimed.messageId }, 'attempt could not be made');
    ended('done');
  }

  function report(claimed: Claimed, exchange: Exchange): void {
    const { status, errorClass, error, atProxy, times } = exchange.outcome;
    if (errorClass === null) delivered += 1;
    else failed += 1;
    log.info(
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
    onResult({ claimed, ...exchange });
  }

  function post(
    target: Target,
    { messageId, body }: Pick<Claimed, 'messageId' | 'body'>,
    traceparent: string | undefined,
    done: (exchange: Exchange) => void,
    presigned?: { readonly signed: Signed; readonly signature: string },
  ): void {
    const at = clock.now();
    const { signed, signature } =
      presigned ?? signMessage({ id: messageId, body }, target.keys, {});
    const trace = traceparent === undefined ? [] : ['traceparent', traceparent];
    const headers = [...signatureHeaders(signed, signature, svix), ...trace];
    const head = target.head + headerLines(headers);
    const { owner, origin, url, hidden, honorsRetryAfter } = target;
    const sent = { userAgent: userAgent, signature, hidden, svix: svix };
    send({ owner, origin, head, body, at }, sending, (outcome) =>
      done({ url, sent, outcome, honorsRetryAfter }),
    );
  }

  async function sendTest(owner: string, endpointId: string, message: TestMessage) {
    const target = await requireTarget(owner, endpointId);
    const exchanged = await exchange(target, message);
    return recordTestAttempt(db, owner, endpointId, message, exchanged);
  }

  function exchange(
    target: Target,
    { id, body }: Pick<TestMessage, 'id' | 'body'>,
    presigned?: { readonly signed: Signed; readonly signature: string },
  ) {
    return new Promise<Exchange>((done) =>
      post(target, { messageId: id, body }, undefined, done, presigned),
    );
  }

  /** Runs work that `stop` waits for. */
  async function track<T>(work: () => Promise<T>): Promise<T> {
    if (stopping) {
      throw new EngineRefusal('engine_stopping', 'The service is restarting: try again.');
    }
    const running = work();
    tests.add(running);
    return running.finally(() => tests.delete(running));
  }

  function load(endpoints: readonly EndpointRef[]): Promise<Target[]> {
    return loadTargets(db, vault, userAgent, endpoints);
  }

  return { prepare, throttle, make, test, probe, signedPage, page, stop, counts };
}
