import { type Processor, WebhookNotAuthentic } from '../domain/payments/processor.ts';
import { receiveEvents } from '../domain/payments/receive-events.ts';
import { Refusal } from '../domain/refusal.ts';
import { runUnitOfWork } from '../unit-of-work.ts';
import type { App, Request } from './app.ts';
import type { Commands } from './command.ts';
import { clientOf } from './edge/client-of.ts';
import type { LoadLimit } from './edge/limit-load.ts';
import type { RateLimits } from './edge/rate-limit.ts';
import { addSignedPost } from './signed-post.ts';

/** Reports webhooks of the payment processor, for metrics. */
export interface ProcessorWebhookObserver {
  /** `stored`: it has at least one new event. `known`: none, or none that matters to us. */
  received(outcome: 'stored' | 'known' | 'forged'): void;
}

interface Deps extends Commands {
  readonly processorWebhooks?: ProcessorWebhookObserver;
}

interface Limits {
  readonly limits: RateLimits;
  readonly load: LoadLimit;
}

const processorWebhookPath = '/webhooks/processor';

/**
 * Adds the route to which the payment processor reports what happened later. The events are stored
 * and answered; a lane applies them, so that a slow change cannot make the processor give up. There
 * is no API key: the signature over the raw bytes authenticates.
 */
export function addProcessorWebhooks(app: App, deps: Deps, { limits, load }: Limits): void {
  const { clock, service } = deps;
  const observed = (outcome: Parameters<ProcessorWebhookObserver['received']>[0]) =>
    deps.processorWebhooks?.received(outcome);

  /** Only forged webhooks are limited: a real processor sends bursts, and repeats what it could not send. */
  function read(processor: Processor, request: Request, raw: Buffer) {
    try {
      return processor.parseWebhook(raw, request.headers, clock.now());
    } catch (error) {
      if (!(error instanceof WebhookNotAuthentic)) throw error;
      observed('forged');
      limits.failures.take(clientOf(request.ip));
      return error;
    }
  }

  addSignedPost(app, { path: processorWebhookPath, load }, async ({ request, raw, reply }) => {
    const { processor } = service;
    if (!processor) throw new Refusal('not_found');
    const events = read(processor, request, raw);
    reply.type('text/plain; charset=utf-8');
    if (events instanceof WebhookNotAuthentic) {
      // Processors show the answer in their dashboards.
      return reply.code(400).send(`This webhook is not authentic: ${events.message}.\n`);
    }
    const added = await load.run(processorWebhookPath, () =>
      runUnitOfWork(deps, clock.now(), (uow) => receiveEvents(uow, processor.name, events)),
    );
    observed(added > 0 ? 'stored' : 'known');
    return reply.send('stored\n');
  });
}
