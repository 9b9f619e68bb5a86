import {
  type ForkChange,
  type ForkInput,
  type ForkOutput,
  type Recording,
  type ReplayInput,
  recording as recordingSchema,
} from '@svc/contract';
import { row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { forkName } from '../../fork-names.ts';
import type { PartnerActor } from '../access/actor.ts';
import { Refusal } from '../refusal.ts';
import { readSimulation } from '../simulation/read.ts';
import { requireSimulatedFailures } from '../simulation/require-simulator.ts';
import { setTermsVersion } from '../simulation/set-terms.ts';
import { ensureTenant } from '../tenants/ensure-tenant.ts';
import { type ForkCtx, playRecording } from './play-recording.ts';
import { readRecording } from './read-recording.ts';

const mostForks = 1_000;

/**
 * Copies a tenant as it was right after one of its webhooks, by repeating the calls about it, and then changes a fact.
 * @throws Refusal `not_reproducible` if the copy differs from the tenant; the copy is kept for comparison
 */
export async function forkTenant(
  ctx: ForkCtx,
  { external_id, input }: { readonly external_id: string; readonly input: ForkInput },
): Promise<ForkOutput> {
  requireSimulatedFailures(ctx);
  const recorded = await ctx.steps.step((step) =>
    readRecording(step, { external_id, at: input.at }),
  );
  requireCalls(recorded);
  const externalId = await ctx.steps.step((step) =>
    createCopy(step, { original: external_id, isQuiet: !input.deliver_webhooks }),
  );
  return play(ctx, { recording: recorded, externalId, change: input.change });
}

/**
 * Plays a recording as a new tenant. The recording may come from another sandbox.
 * @throws Refusal `not_reproducible`; `validation_failed` if the tenant exists
 */
export async function replayRecording(
  ctx: ForkCtx,
  { external_id: externalId, input }: { readonly external_id: string; readonly input: ReplayInput },
): Promise<ForkOutput> {
  requireSimulatedFailures(ctx);
  const recording = parseRecording(input.recording);
  requireCalls(recording);
  const { partnerId } = ctx.actor;
  const isNew = await ctx.steps.step((step) => ensureTenant(step, { partnerId, externalId }));
  if (!isNew) {
    throw new Refusal('validation_failed', {
      errors: [
        {
          param: 'external_id',
          code: 'invalid_value',
          message: 'must be the id of a tenant that does not exist: the recording makes it',
        },
      ],
    });
  }
  return play(ctx, { recording, externalId, change: input.change });
}

/** @throws Refusal `validation_failed` for a file that is not a recording, or was edited */
function parseRecording(given: unknown): Recording {
  const parsed = recordingSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new Refusal('validation_failed', {
    errors: parsed.error.issues.map(({ path, message }) => ({
      param: ['recording', ...path].join('.'),
      code: 'invalid_value',
      message,
    })),
  });
}

/** Refuses a recording without calls: the tenant was created by other means, or before calls were recorded. */
function requireCalls({ calls, external_id }: Recording): void {
  if (calls.length > 0) return;
  throw new Refusal('not_reproducible', {
    message: `No calls about ${external_id} are recorded up to there. The sandbox records the calls of the API and of the experience; tenants of demo data, and those of earlier releases, have none.`,
  });
}

/** Creates the copy, under an external id that marks it as one. */
async function createCopy(
  ctx: Ctx<PartnerActor>,
  { original, isQuiet }: { readonly original: string; readonly isQuiet: boolean },
): Promise<string> {
  const { partnerId } = ctx.actor;
  for (let number = 1; number <= mostForks; number += 1) {
    const externalId = forkName(original, { number, isQuiet });
    if (await ensureTenant(ctx, { partnerId, externalId })) return externalId;
  }
  throw new Refusal('rate_limited', {
    message: `There are ${mostForks} copies of this tenant. Use another tenant.`,
  });
}

interface Play {
  readonly recording: Recording;
  readonly externalId: string;
  readonly change?: ForkChange | undefined;
}

const idRow = row('id of a tenant', { id: text });

async function play(ctx: ForkCtx, { recording, externalId, change }: Play): Promise<ForkOutput> {
  const { partnerId } = ctx.actor;
  const { id: tenantId } = await ctx.steps.step(({ tx }) =>
    tx.one(
      idRow,
      sql`select id from tenant where partner_id = ${partnerId} and external_id = ${externalId}`,
    ),
  );
  const played = await playRecording(ctx, recording, { partnerId, tenantId, externalId });
  await ctx.steps.step(({ tx }) =>
    tx.run(sql`
      insert into tenant_fork
        (partner_id, tenant_id, forked_from, forked_at, reproduced_events, change)
      values (${partnerId}, ${tenantId}, ${recording.external_id}, ${recording.at},
        ${played.reproducedEvents}, ${change === undefined ? null : JSON.stringify(change)}::jsonb)`),
  );
  if (played.difference !== null) {
    throw new Refusal('not_reproducible', {
      message: `The copy ${externalId} is not like ${recording.external_id}: ${played.difference}.`,
    });
  }
  if (change) await applyChange(ctx, externalId, change);
  return ctx.steps.step(async (step) => ({
    external_id: externalId,
    forked_from: recording.external_id,
    at: recording.at,
    reproduced_events: played.reproducedEvents,
    simulation: await readSimulation(step, { external_id: externalId }),
  }));
}

/** Makes the call that changes the fact, so that it is recorded like any other. */
async function applyChange(
  ctx: ForkCtx,
  external_id: string,
  { terms_version: version, ...change }: ForkChange,
): Promise<void> {
  if (version !== undefined) {
    await ctx.steps.step((step) => setTermsVersion(step, { external_id, version }));
    return;
  }
  const { simulated_time } = await ctx.steps.step((step) => readSimulation(step, { external_id }));
  const [verb, body] = callOf(change);
  const call = `POST /simulation/{external_id}/${verb}`;
  const at = simulated_time ?? ctx.now.toISOString();
  await ctx.repeatCall({ call, at, params: { external_id }, body }, ctx.steps);
}

function callOf({
  fail_next_payment,
  advance_clock,
  underwriting_result,
}: ForkChange): [verb: string, body: object] {
  if (fail_next_payment !== undefined) {
    return ['fail_next_payment', { return_code: fail_next_payment }];
  }
  if (advance_clock !== undefined) return ['advance_clock', { by: advance_clock }];
  return ['set_underwriting_result', { underwriting_result }];
}
