import { type EventType, eventExamples, eventTypes } from '@svc/contract';
import { describeAttempt, type EndpointView, type Outcome } from '@svc/webhooks';
import type { Ctx } from '../../context.ts';
import { newId } from '../../ids.ts';
import type { PartnerActor } from '../access/actor.ts';
import { testMessage } from '../intake/publish-custom.ts';
import { listRequests } from '../requests/request-log.ts';
import { type Check, createCheck } from './check.ts';

export type Probe = (
  endpointId: string,
  message: { readonly id: string; readonly body: string },
  options: { readonly forged: boolean },
) => Promise<Outcome>;

interface EndpointChecks {
  readonly checks: Check[];
  /** The answer to the valid message. */
  readonly outcome: Outcome | undefined;
  readonly refusesForgery: boolean;
}

interface EndpointCtx extends Ctx<PartnerActor> {
  readonly writeRequestLog: () => Promise<void>;
  readonly outward: { readonly probe: Probe };
}

/** The most endpoints that are checked. Each takes four requests, the slowest of which may take 15 s. */
const mostEndpoints = 3;

/**
 * Sends messages to each enabled endpoint: a valid one, in the sandbox a test settlement, a forged one,
 * and the first again.
 */
export async function checkEndpoints(
  ctx: EndpointCtx,
  endpoints: readonly EndpointView[],
): Promise<EndpointChecks[]> {
  const { publicOrigin, deliversWebhooks } = ctx.service;
  const check = createCheck('webhook_valid', 'Webhook endpoint', {
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
    return Promise.all(enabled.map((endpoint) => checkEndpoint(ctx, endpoint)));
  }
  const missing = check.warn(
    endpoints.length === 0 ? 'There is no endpoint.' : 'Every endpoint is disabled.',
    'Create or enable one in the console, or with POST /v1/webhooks/endpoints.',
  );
  return [{ checks: [missing], outcome: undefined, refusesForgery: false }];
}

async function checkEndpoint(ctx: EndpointCtx, endpoint: EndpointView): Promise<EndpointChecks> {
  const { id, url, event_types } = endpoint;
  const { publicOrigin } = ctx.service;
  const { probe } = ctx.outward;
  const newCheck = (check: Check['id'], what: string) =>
    createCheck(check, `${what}: ${withoutQuery(url)}`, { publicOrigin, docs: '/docs/webhooks' });
  const valid = newCheck('webhook_valid', 'A valid webhook');
  const forged = newCheck('webhook_forged', 'A forged webhook');
  const repeated = newCheck('webhook_repeated', 'The same webhook twice');
  const test = newCheck('webhook_test', 'A test settlement');
  const newMessage = () =>
    testMessage(ctx, { event_type: firstType(event_types), data_text: undefined });

  const message = newMessage();
  const validAnswer = await probe(id, message, { forged: false });
  if (validAnswer.errorClass !== null) {
    const why = 'The endpoint did not accept the valid webhook, so this would say nothing.';
    const checks = [
      valid.fail(
        `${answerOf(validAnswer)} to ${message.type}, marked as a test.`,
        describeAttempt(validAnswer) ?? 'Answer 2xx.',
      ),
      test.skipped(why),
      forged.skipped(why),
      repeated.skipped(why),
    ];
    return { checks, outcome: validAnswer, refusesForgery: false };
  }

  const settlement = await sendTestSettlement(ctx, endpoint);
  const forgedAnswer = await probe(id, newMessage(), { forged: true });
  const repeatedAnswer = await probe(id, message, { forged: false });
  const { status } = forgedAnswer;
  const refusesForgery = status !== null && status >= 400 && status < 500;
  // Read after the other requests, because a receiver may answer first and act afterwards.
  const acted = settlement === null ? null : await firstCallAbout(ctx, settlement.id);
  return {
    outcome: validAnswer,
    refusesForgery,
    checks: [
      valid.pass(`${answerOf(validAnswer)} to ${message.type}, marked as a test.`),
      checkTestSettlement(ctx, test, { settlement, acted }),
      refusesForgery
        ? forged.pass(`${answerOf(forgedAnswer)} to a signature that does not verify.`)
        : forgedAnswer.errorClass === null
          ? forged.fail(
              `${answerOf(forgedAnswer)} to a signature that does not verify: anyone can send you events.`,
              'Verify the signature over the raw body before anything else, and answer 401 if it does not match.',
            )
          : forged.warn(
              `${answerOf(forgedAnswer)} to a signature that does not verify.`,
              'Answer 4xx: an error of the server looks like an outage and is tried again for hours.',
            ),
      repeatedAnswer.errorClass === null
        ? repeated.pass(
            `${answerOf(repeatedAnswer)} to a webhook-id that it had already got. Only your log can say that it was handled once.`,
          )
        : repeated.fail(
            `${answerOf(repeatedAnswer)} to a webhook-id that it had already got.`,
            'Answer 2xx to repeats, without handling them again: any other answer is tried again for hours.',
          ),
    ],
  };
}

interface TestSettlement {
  readonly id: string;
  readonly outcome: Outcome;
}

/**
 * Sends a `settlement.created` that is marked as a test, about a settlement that does not exist. Sends
 * nothing and returns null in production, where a receiver that ignores the mark would debit real money, and for an
 * endpoint without this type.
 */
async function sendTestSettlement(
  ctx: EndpointCtx,
  { id: endpointId, event_types }: EndpointView,
): Promise<TestSettlement | null> {
  if (ctx.service.environment === 'production' || !takesSettlements(event_types)) return null;
  const id = newId('stl', ctx.now);
  const message = testMessage(ctx, {
    event_type: 'settlement.created',
    data_text: JSON.stringify({ ...eventExamples['settlement.created'], settlement_id: id }),
  });
  return { id, outcome: await ctx.outward.probe(endpointId, message, { forged: false }) };
}

function takesSettlements(subscribed: readonly string[] | null): boolean {
  const names = ['settlement.created', 'settlement.*', '*'];
  return subscribed === null || subscribed.some((name) => names.includes(name));
}

/** Finds the first call that the partner made about a settlement, such as `PATCH /v1/settlements/stl_…`. */
async function firstCallAbout(ctx: EndpointCtx, settlementId: string): Promise<string | null> {
  await ctx.writeRequestLog();
  const { items } = await listRequests(ctx, {
    path: `/settlements/${settlementId}`,
    since: ctx.now.toISOString(),
    limit: 1,
  });
  const [call] = items;
  return call ? `${call.method} ${call.path}` : null;
}

function checkTestSettlement(
  { service }: EndpointCtx,
  check: ReturnType<typeof createCheck>,
  { settlement, acted }: { settlement: TestSettlement | null; acted: string | null },
): Check {
  if (settlement === null) {
    return check.skipped(
      service.environment === 'production'
        ? 'Run the doctor in your sandbox: in production, a receiver that acts on tests would debit real money.'
        : 'The endpoint does not receive settlement.created.',
    );
  }
  const { outcome } = settlement;
  const fix =
    'Skip events whose envelope has test or custom, before you debit: if (event.test || event.custom), answer 204 and stop.';
  if (acted !== null) {
    return check.fail(
      `Your backend called ${acted} about a test settlement that does not exist: it would have debited it.`,
      fix,
    );
  }
  if (outcome.errorClass !== null) {
    return check.fail(
      `${answerOf(outcome)} to a settlement.created with test: true, about a settlement that does not exist.`,
      fix,
    );
  }
  return check.pass(
    `${answerOf(outcome)} to a settlement.created with test: true, and your backend made no call about it. Only your log can say that nothing was debited.`,
  );
}

/** Returns the first type that the endpoint subscribes to, or any type if it gets all. */
function firstType(subscribed: readonly string[] | null): EventType {
  for (const name of subscribed ?? []) {
    const found = eventTypes.find(
      (type) => type === name || type.startsWith(name.replace('*', '')),
    );
    if (found) return found;
  }
  return 'tenant.updated';
}

/** Describes an outcome as `It answered 204 in 12 ms`. */
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
