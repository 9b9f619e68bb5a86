import { afterAll, afterEach, beforeAll } from 'vitest';
import { type Harness, type HarnessOptions, openHarness } from './harness.ts';
import { openReceiver, type Receiver, statuses } from './receiver.ts';

export interface Opened {
  readonly harness: Harness;
  readonly receiver: Receiver;
}

/** An engine and a receiver for the tests that follow; after each of them both are as new. */
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
