import type { FrameLocator } from 'playwright-core';

/**
 * Picks a bank of the sandbox, and an account on its page in the other tab, which then closes.
 * Nothing is typed.
 */
export async function chooseAccount(
  frame: FrameLocator,
  account = 'Everyday Checking',
): Promise<void> {
  const [tab] = await Promise.all([
    frame.owner().page().context().waitForEvent('page'),
    frame.getByRole('button', { name: 'Platypus National Bank' }).click(),
  ]);
  const closed = tab.waitForEvent('close');
  await tab.getByRole('button', { name: account }).click();
  await closed;
}
