import type { FrameLocator } from 'playwright-core';

/**
 * Picks a sandbox bank, and then an account on the bank's page, which opens in another tab and closes
 * afterwards. Nothing is typed.
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
