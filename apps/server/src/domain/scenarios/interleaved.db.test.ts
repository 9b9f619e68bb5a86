import type { Scenario, ScenarioOutput } from '@svc/contract';
import { afterAll, expect, test } from 'vitest';
import { openStage } from '../../../test/support/open-stage.ts';
import type { RequestSteps } from '../../context.ts';
import type { PartnerActor } from '../access/actor.ts';
import { verifyLedger } from '../ledger/verify.ts';
import { Refusal } from '../refusal.ts';
import { playScenario } from './play-scenario.ts';

const stage = await openStage();
const partner = await stage.newPartner();
afterAll(() => stage.close());

const caller = { ip: '', userAgent: '' };

function play(steps: RequestSteps<PartnerActor>, externalId: string, scenario: Scenario) {
  return playScenario(steps, { external_id: externalId, input: { scenario }, caller });
}

/**
 * Plays a scenario and, before its step `number`, all of it in another request. Returns what both made, or
 * null if the scenario has fewer steps.
 */
async function playInterleaved(externalId: string, scenario: Scenario, number: number) {
  return stage.runSteps(partner, async (steps) => {
    let count = 0;
    let other: Made | 'refused' | null = null;
    const step: typeof steps.step = async (work) => {
      count += 1;
      if (count === number) {
        // It polls without a pause. A call to the processor keeps its time.
        const after: typeof steps.after = (ms, run) => steps.after(ms < 1_000 ? 0 : ms, run);
        other = await play({ ...steps, after }, externalId, scenario).then(madeBy, refusedOrThrow);
      }
      return steps.step(work);
    };
    const answer = await play({ ...steps, step }, externalId, scenario);
    return other && { made: madeBy(answer), other };
  });
}

type Made = ReturnType<typeof madeBy>;

/** The ids and amounts that must exist once. The clocks may differ, because the last request to set one wins. */
function madeBy({ plan, settlement, refund }: ScenarioOutput) {
  return [plan?.id, settlement?.id, settlement?.refunded_in_cents, refund?.id];
}

/** The second request may be refused while the payment of the first is in flight. */
function refusedOrThrow(error: unknown): 'refused' {
  if (error instanceof Refusal && error.message.includes('Repeat the call later')) return 'refused';
  throw error;
}

// The other scenarios collect payments on later days. While the first request holds one, no other can continue.
const withoutCollecting: Scenario[] = [
  'applied',
  'in_review',
  'approved',
  'declined',
  'first_payment_failed',
  'split',
  'refunded',
  'disputed',
  'moved_out',
];

test.each(withoutCollecting)(
  'reaches %s though another request does so between any two steps',
  { timeout: 60_000 },
  async (scenario) => {
    for (let number = 1; ; number += 1) {
      const result = await playInterleaved(`${scenario}-${number}`, scenario, number);
      if (!result) break;
      const { made, other } = result;
      // After a first payment that failed, the tenant can accept another plan, so each request may have one.
      if (other === 'refused' || scenario === 'first_payment_failed') continue;
      expect(made, `step ${number}`).toEqual(other);
    }
  },
);

test('the books agree afterwards', async () => {
  expect((await stage.db.transaction(verifyLedger)).faults).toEqual([]);
});
