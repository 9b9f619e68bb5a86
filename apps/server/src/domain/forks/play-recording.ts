import type { RecordedCall, Recording } from '@svc/contract';
import type { Ctx, OutgoingMessage, RequestSteps } from '../../context.ts';
import { newId } from '../../ids.ts';
import type { TenantTime } from '../../tenant-time.ts';
import type { Actor, PartnerActor, TenantActor } from '../access/actor.ts';
import { Refusal } from '../refusal.ts';
import { watchCommits } from '../scenarios/watch-commits.ts';
import { moveClockTo } from '../simulation/run-due-until.ts';
import type { TenantKey } from '../tenant-key.ts';
import { toEvent } from './read-recording.ts';
import { bankPageCall, idsIn, recordCall } from './recorded-calls.ts';
import { TranslatedIds } from './translate-ids.ts';

/** Runs a route again for this caller, in the transactions of `steps`, and records the call. @throws Refusal */
export type RepeatCall = <A extends Actor>(
  repeated: Pick<RecordedCall, 'call' | 'params' | 'body'> & {
    /** The tenant's time. */
    readonly at: string;
  },
  steps: RequestSteps<A>,
) => Promise<unknown>;

export interface ForkCtx extends Ctx<PartnerActor> {
  readonly steps: RequestSteps<PartnerActor>;
  readonly repeatCall: RepeatCall;
}

/** The tenant as which a recording is played. It exists, and nothing has happened to it yet. */
interface Copy extends TenantKey {
  readonly externalId: string;
}

/** Thrown inside a call that would do more, to end the playback. */
class EndReached extends Error {}

/** Thrown at the first difference, to end the playback. The message is a sentence without its period. */
class Difference extends Error {}

interface Played {
  /** The number of webhooks about the copy that are equal to those of the recording. */
  readonly reproducedEvents: number;
  /** The first difference as a sentence; null if there is none. */
  readonly difference: string | null;
}

/**
 * Repeats the calls of a recording for another tenant, each at the same tenant time, and compares the webhooks
 * about both. The playback ends with the transaction that published the last webhook of the recording, which may be in
 * the middle of a call.
 */
export async function playRecording(
  ctx: ForkCtx,
  recording: Recording,
  copy: Copy,
): Promise<Played> {
  const ids = new TranslatedIds(recording.external_id, copy.externalId);
  const comparison = new Comparison(recording, ids, copy.externalId);
  const steps = watchCommits(ctx.steps, (messages) => comparison.add(messages));
  try {
    for (const call of recording.calls) {
      // The call may be later than the recording's end, because a reset of the tenant sets its clock back.
      await moveClockTo(steps, copy, tenantTime(call.at));
      // If the last call itself moves the clock past the end, the copy's clock stops at the end.
      if (
        clockMovers.includes(call.call) &&
        recording.at !== null &&
        call === recording.calls.at(-1) &&
        call.until > recording.ends_at
      ) {
        await moveClockTo(steps, copy, tenantTime(recording.ends_at));
      }
      await repeat({ ...ctx, steps }, { call, copy, ids });
    }
    await moveClockTo(steps, copy, tenantTime(recording.ends_at));
    comparison.requireComplete();
  } catch (error) {
    if (error instanceof Difference) {
      return { reproducedEvents: comparison.compared, difference: error.message };
    }
    if (!(error instanceof EndReached)) throw error;
  }
  return { reproducedEvents: comparison.compared, difference: null };
}

const clockMovers = [
  'POST /simulation/{external_id}/advance_clock',
  'POST /simulation/{external_id}/set_underwriting_result',
  'POST /simulation/{external_id}/set_flow',
];

interface Repeated {
  readonly call: RecordedCall;
  readonly copy: Copy;
  readonly ids: TranslatedIds;
}

async function repeat(ctx: ForkCtx, { call, copy, ids }: Repeated): Promise<void> {
  const input = {
    call: call.call,
    at: call.at,
    params: ids.translate(call.params) as Record<string, string>,
    body: ids.translate(call.body),
  };
  if (call.call === bankPageCall) {
    const account = (call.body as { account: string | null } | null)?.account ?? null;
    await ctx.service.simulator?.endVisitsOf(copy, account, ctx.now);
    await ctx.steps.step(({ tx, service, now }) =>
      tx.run(
        recordCall(service, { ...call, now, actor: { kind: 'tenant', ...copy }, result: null }),
      ),
    );
    return;
  }
  const isTenantCall = call.call.includes(' /experience/');
  try {
    const result = isTenantCall
      ? await ctx.repeatCall(input, stepsOfTenant(ctx, call, copy))
      : await ctx.repeatCall(input, ctx.steps);
    if (call.refused !== null) {
      throw new Difference(`${call.call} was refused with ${call.refused}, and is not in the copy`);
    }
    ids.learn(call.result_ids, idsIn(result));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code === call.refused) return;
    throw new Difference(`${call.call} is refused in the copy: ${error.code}: ${error.message}`);
  }
}

function stepsOfTenant(
  { actor: { partnerId, pms }, steps, now }: ForkCtx,
  { product_variant }: RecordedCall,
  { tenantId }: Copy,
): RequestSteps<TenantActor> {
  const actor: TenantActor = {
    kind: 'tenant',
    partnerId,
    pms,
    tenantId,
    productVariant: product_variant ?? 'rent',
    sessionId: newId('xps', now),
    access: 'full',
  };
  return { ...steps, actor, step: (work) => steps.step((ctx) => work({ ...ctx, actor })) };
}

/** Compares the copy's webhooks with those of the recording, as they are committed. */
class Comparison {
  private readonly recording: Recording;
  private readonly ids: TranslatedIds;
  private readonly copyId: string;
  compared = 0;

  constructor(recording: Recording, ids: TranslatedIds, copyId: string) {
    this.recording = recording;
    this.ids = ids;
    this.copyId = copyId;
  }

  /** @throws EndReached after the last webhook of a recording that ends with one */
  add(messages: readonly OutgoingMessage[]): void {
    const { events, at } = this.recording;
    for (const message of messages) {
      if (message.subject !== this.copyId || this.compared === events.length) continue;
      this.compareNext(message);
      this.compared += 1;
    }
    if (at !== null && this.compared === events.length) throw new EndReached();
  }

  requireComplete(): void {
    const missing = this.recording.events[this.compared];
    if (!missing) return;
    throw new Difference(
      `${describeEvent(missing, this.compared)} was caused by no call that is recorded, or by time alone`,
    );
  }

  private compareNext(message: OutgoingMessage): void {
    const event = this.recording.events[this.compared];
    if (!event) return;
    const copy = toEvent(message.body);
    const name = describeEvent(event, this.compared);
    if (event.type !== copy.type) throw new Difference(`${name} is ${copy.type} in the copy`);
    const difference =
      this.ids.compare(event.occurred_at, copy.occurred_at, 'occurred_at') ??
      this.ids.compare(event.data, copy.data, 'data');
    if (difference !== null) throw new Difference(`of ${name}, ${difference}`);
  }
}

function describeEvent({ id, type }: Recording['events'][number], index: number): string {
  return `webhook ${index + 1} (${type}, ${id})`;
}

function tenantTime(instant: string): TenantTime {
  return new Date(instant) as TenantTime;
}
