import { afterAll, beforeAll, describe } from 'vitest';
import { type AchStage, openAchStage } from '../../../test/support/ach-stage.ts';
import { type ProcessorHarness, testProcessor } from '../../../test/support/processor-contract.ts';
import { answersOf } from './simulated-bank.ts';

let stage: AchStage;
let harness: ProcessorHarness;

const accounts = { succeeds: '000111110000', fails: '000111110001', slow: '000111110003' };
const hourMs = 3_600_000;

beforeAll(async () => {
  stage = await openAchStage();
  const { processor, bank, open, events, now, exchange } = stage;

  /** Ten days, hour by hour: the bank answers for accounts that fail. */
  async function settle(): Promise<void> {
    for (let hours = 0; hours < 240; hours += 12) {
      stage.clock.now = new Date(now().getTime() + 12 * hourMs);
      await exchange();
      await bank.send(answersOf(await bank.collect()));
      await exchange();
    }
  }
  async function returnCharge({ ref }: { readonly ref: string | null }): Promise<void> {
    const number = String(ref).replace('ach_', '').padStart(7, '0');
    const entry = await bank.find(`02100002${number}`);
    if (!entry) throw new Error('the bank has no such entry');
    await bank.send([{ entry, reason: 'R10' }]);
    await exchange();
  }
  harness = {
    processor,
    settle,
    returnCharge,
    events,
    now,
    open: (kind) => open(accounts[kind]),
    webhooks: async () => [],
  };
});
afterAll(() => stage.close());

describe('ACH files are a processor', () => {
  testProcessor(() => harness);
});
