import { type EventType, eventTypes } from '@svc/contract';
import { describeAttempt, type EndpointView, type Outcome } from '@svc/webhooks';
import type { Ctx } from '../../context.ts';
import type { PartnerActor } from '../access/actor.ts';
import { testMessage } from '../intake/publish-custom.ts';
import { type Check, checkNamed } from './check.ts';

export type Probe = (
  endpointId: string,
  message: { readonly id: string; readonly body: string },
  options: { readonly forged: boolean },
) => Promise<Outcome>;

export interface EndpointChecks {
  readonly checks: Check[];
  /** The answer to the valid message. */
  readonly outcome: Outcome | undefined;
  readonly refusesForgery: boolean;
}

/** Each takes three requests, the slowest of which may take 15 s. */
const mostEndpoints = 3;

/** Sends three messages to each enabled endpoint: a valid one, a forged one, and the first again. */
export async function checkEndpoints(
  ctx: Ctx<PartnerActor>,
  endpoints: readonly EndpointView[],
  probe: Probe,
): Promise<EndpointChecks[]> {
  const { publicOrigin, deliversWebhooks } = ctx.service;
  const check = checkNamed('webhook_valid', 'Webhook endpoint', {
    publicOrigin,
    docs: '/docs/webhooks',
  });
  if (!deliversWebhooks) {
    const skipped = check.skipped(
      'This service hands its webhooks to Svix. Send an example from there.',
    );
    return [{ checks: [skipped], outcome: undefined, refusesForgery: false }];
  }
  const enabled = endpoints.filter(({ state }) => state === 'enabled').slice(0, mostEndpoints);
  if (enabled.length > 0) {
    return Promise.all(enabled.map((endpoint) => checkEndpoint(ctx, endpoint, probe)));
  }
  const missing = check.warn(
    endpoints.length === 0 ? 'There is no endpoint.' : 'Every endpoint is disabled.',
    'Create or enable one in the webhook portal, or with POST /v1/webhooks/endpoints.',
  );
  return [{ checks: [missing], outcome: undefined, refusesForgery: false }];
}

async function checkEndpoint(
  ctx: Ctx<PartnerActor>,
  { id, url, event_types }: EndpointView,
  probe: Probe,
): Promise<EndpointChecks> {
  const { publicOrigin } = ctx.service;
  const about = (check: Check['id'], what: string) =>
    checkNamed(check, `${what}: ${withoutQuery(url)}`, { publicOrigin, docs: '/docs/webhooks' });
  const valid = about('webhook_valid', 'A valid webhook');
  const forged = about('webhook_forged', 'A forged webhook');
  const repeated = about('webhook_repeated', 'The same webhook twice');
  const newMessage = () =>
    testMessage(ctx, { event_type: firstType(event_types), data_text: undefined });

  const message = newMessage();
  const first = await probe(id, message, { forged: false });
  if (first.errorClass !== null) {
    const why = 'The endpoint did not accept the valid webhook, so this would say nothing.';
    const checks = [
      valid.fail(
        `${answerOf(first)} to ${message.type}, marked as a test.`,
        describeAttempt(first) ?? 'Answer 2xx.',
      ),
      forged.skipped(why),
      repeated.skipped(why),
    ];
    return { checks, outcome: first, refusesForgery: false };
  }

  const second = await probe(id, newMessage(), { forged: true });
  const third = await probe(id, message, { forged: false });
  const { status } = second;
  const refusesForgery = status !== null && status >= 400 && status < 500;
  return {
    outcome: first,
    refusesForgery,
    checks: [
      valid.pass(`${answerOf(first)} to ${message.type}, marked as a test.`),
      refusesForgery
        ? forged.pass(`${answerOf(second)} to a signature that does not verify.`)
        : second.errorClass === null
          ? forged.fail(
              `${answerOf(second)} to a signature that does not verify: anyone can send you events.`,
              'Verify the signature over the raw body before anything else, and answer 401 if it does not match.',
            )
          : forged.warn(
              `${answerOf(second)} to a signature that does not verify.`,
              'Answer 4xx: an error of the server looks like an outage and is tried again for hours.',
            ),
      third.errorClass === null
        ? repeated.pass(
            `${answerOf(third)} to a webhook-id that it had already got. Only your log can say that it was handled once.`,
          )
        : repeated.fail(
            `${answerOf(third)} to a webhook-id that it had already got.`,
            'Answer 2xx to repeats, without handling them again: any other answer is tried again for hours.',
          ),
    ],
  };
}

/** The type that the endpoint subscribes to first, or any. */
function firstType(subscribed: readonly string[] | null): EventType {
  for (const name of subscribed ?? []) {
    const found = eventTypes.find(
      (type) => type === name || type.startsWith(name.replace('*', '')),
    );
    if (found) return found;
  }
  return 'tenant.updated';
}

/** `It answered 204 in 12 ms`. */
function answerOf({ status, errorClass, times }: Outcome): string {
  const ms = `${Math.round(times.total)} ms`;
  return status === null
    ? `No answer (${errorClass}) after ${ms}`
    : `It answered ${status} in ${ms}`;
}

function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
