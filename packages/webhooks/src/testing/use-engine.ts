import { afterAll, afterEach, beforeAll } from 'vitest';
import { type Harness, type HarnessOptions, openHarness } from './harness.ts';
import { openReceiver, type Receiver, statuses } from './receiver.ts';

export interface Opened {
  readonly harness: Harness;
  readonly receiver: Receiver;
}

/** Opens an engine and a receiver for the tests of this file or block, and resets both after each. */
export function useEngine(opened: (both: Opened) => void, options?: HarnessOptions): void {
  let harness: Harness;
  let receiver: Receiver;
  beforeAll(async () => {
    harness = await openHarness(options);
    receiver = await openReceiver();
    opened({ harness, receiver });
  });
  afterEach(async () => {
    await harness.reset();
    receiver.received.length = 0;
    receiver.answer = statuses(204);
  });
  afterAll(async () => {
    await harness.close();
    await receiver.close();
  });
}
