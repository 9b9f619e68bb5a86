import type { Claimed } from '../kernel/claimed.ts';
import type { Clock, EngineDeps, TestMessage } from '../kernel/engine-deps.ts';
import { EngineRefusal, endpointNotFound } from '../kernel/refusal.ts';
import { signAttempt, signatureHeaders } from '../kernel/signature.ts';
import type { Tuning } from '../kernel/tuning.ts';
import type { Leases } from '../leases/leases.ts';
import type { Exchange } from '../messages/attempt-detail.ts';
import type { AttemptView } from '../messages/view-attempt.ts';
import type { Recorder } from '../results/record.ts';
import type { Connections } from '../sending/connections.ts';
import { headerLines } from '../sending/request-headers.ts';
import { type SendOptions, send } from '../sending/send.ts';
import { writeTest } from './record-test-attempt.ts';
import { createTargetCache, type TargetCache } from './target-cache.ts';
import { loadTargets, type Target } from './targets.ts';

export interface AttemptsOptions {
  readonly deps: EngineDeps;
  readonly tuning: Tuning;
  readonly connections: Connections;
  readonly recorder: Recorder;
  readonly release: Leases['release'];
  /** False when other processes may have taken this one for dead. */
  readonly alive: () => boolean;
}

export interface AttemptCounts {
  readonly attempts: number;
  readonly delivered: number;
  readonly failed: number;
}

type Ended = (how: 'hung' | 'done') => void;

/** Makes attempts: settings, signature, sending, and what came of it to the recorder. */
export class Attempts {
  private readonly options: AttemptsOptions;
  private readonly clock: Clock;
  private readonly targets: TargetCache;
  private readonly sending: SendOptions;
  private readonly userAgent: string;
  private readonly svix: boolean;
  private readonly tests = new Set<Promise<unknown>>();
  private stopping = false;
  private delivered = 0;
  private failed = 0;

  constructor(options: AttemptsOptions) {
    const { deps, tuning, connections } = options;
    const { clock } = deps;
    this.options = options;
    this.clock = clock;
    this.userAgent = deps.userAgent ?? 'svc-webhooks/1';
    this.svix = deps.svixHeaders ?? true;
    this.targets = createTargetCache((ids) => this.load(ids), clock, tuning.settingsAgeMs);
    const { deadlineMs, responseBytes } = tuning;
    this.sending = { connections, clock, deadlineMs, responseBytes };
  }

  /** Looks at endpoints' settings ahead, all at once; without that each attempt does for itself. */
  prepare(claimed: readonly Claimed[]): Promise<void> | undefined {
    return this.targets.refresh(claimed)?.catch((error: unknown) => {
      this.options.deps.log.error({ err: error }, 'endpoints could not be read ahead');
    });
  }

  throttle(endpointId: string): number | null {
    return this.targets.throttle(endpointId);
  }

  /** What cannot be attempted now stays leased at worst, and is claimed again. */
  make(claimed: Claimed, ended: Ended): void {
    const target = this.targets.current(claimed.endpointId);
    if (!(target instanceof Promise)) {
      this.start(claimed, target, ended);
      return;
    }
    target.then(
      (found) => this.start(claimed, found, ended),
      (error: unknown) => this.giveUp(claimed, error, ended),
    );
  }

  async test(owner: string, endpointId: string, message: TestMessage): Promise<AttemptView> {
    if (this.stopping) {
      throw new EngineRefusal('engine_stopping', 'The service is restarting: try again.');
    }
    const sent = this.sendTest(owner, endpointId, message);
    this.tests.add(sent);
    return sent.finally(() => this.tests.delete(sent));
  }

  /** No attempt starts any more; resolves when the tests in flight are done. */
  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.allSettled(this.tests);
  }

  counts(): AttemptCounts {
    const { delivered, failed } = this;
    return { attempts: delivered + failed, delivered, failed };
  }

  private mayStart({ startBefore }: Claimed): boolean {
    const inTime = this.clock.now().getTime() <= startBefore;
    return inTime && !this.stopping && this.options.alive();
  }

  private start(claimed: Claimed, target: Target | undefined, ended: Ended): void {
    try {
      if (target?.state === 'enabled' && this.mayStart(claimed)) {
        this.post(target, claimed.messageId, claimed.body, (exchange) => {
          this.deliver(claimed, exchange);
          ended(exchange.outcome.errorClass === 'timeout' ? 'hung' : 'done');
        });
        return;
      }
    } catch (error) {
      this.giveUp(claimed, error, ended);
      return;
    }
    this.options.release([claimed]).then(
      () => ended('done'),
      (error: unknown) => this.giveUp(claimed, error, ended),
    );
  }

  private giveUp(claimed: Claimed, error: unknown, ended: Ended): void {
    const { log } = this.options.deps;
    log.error({ err: error, message_id: claimed.messageId }, 'attempt could not be made');
    ended('done');
  }

  private deliver(claimed: Claimed, exchange: Exchange): void {
    const { status, errorClass, error, atProxy, times } = exchange.outcome;
    if (errorClass === null) this.delivered += 1;
    else this.failed += 1;
    this.options.deps.log.info(
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
    this.options.recorder.add({ claimed, ...exchange });
  }

  private post(
    target: Target,
    messageId: string,
    body: string,
    done: (exchange: Exchange) => void,
  ): void {
    const at = this.clock.now();
    const signed = { messageId, timestamp: Math.floor(at.getTime() / 1000), body };
    const signature = signAttempt(signed, target.keys, at);
    const head = target.head + headerLines(signatureHeaders(signed, signature, this.svix));
    const { owner, origin, url, hidden } = target;
    const sent = { userAgent: this.userAgent, signature, hidden, svix: this.svix };
    send({ owner, origin, head, body, at }, this.sending, (outcome) =>
      done({ url, sent, outcome }),
    );
  }

  private async sendTest(owner: string, endpointId: string, message: TestMessage) {
    const [target] = await this.load([endpointId]);
    if (!target || target.owner !== owner || target.state === 'deleted') throw endpointNotFound();
    const exchange = await new Promise<Exchange>((done) =>
      this.post(target, message.id, message.body, done),
    );
    return writeTest(this.options.deps.db, owner, endpointId, message, exchange);
  }

  private load(ids: readonly string[]): Promise<Target[]> {
    const { db, vault } = this.options.deps;
    return loadTargets(db, vault, this.userAgent, ids);
  }
}
