import { expect, test } from 'vitest';
import { now } from './fixture/samples.ts';
import { stageOfFile } from './fixture/stage-of-file.ts';

const stage = stageOfFile();

/** What updates while one looks at it. */
const livePages = {
  '/endpoints': 'Resident ledger',
  '/endpoints/ep_01sample2': 'Recent messages',
  '/messages': 'Published',
  '/messages/evt_01sample0002': 'database is locked',
  '/replays': 'Completed',
  '/activity': 'Show as a table',
  '/activity?view=audit-log': 'Read the signing secret',
  '/activity?view=sessions': 'Opened',
};

test.each(Object.entries(livePages))(
  '%s says that it shows old data while the service is away, and since when',
  async (path, shown) => {
    const page = await stage.open({ path });
    await page.getByText(shown).first().waitFor();
    const notice = page.locator('.stale');
    expect(await notice.count()).toBe(0);
    await page.route('**/v1/**', (route) => route.abort('connectionrefused'));
    // A minute later the reader looks at the page again.
    await page.clock.setFixedTime(now + 60_000);
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
    await notice.getByText('Can’t reach the service, showing data from').waitFor();
    expect(await notice.getByRole('time').textContent()).toMatch(/^\d+:\d\d:\d\d AM CST$/);
    expect(await page.getByText(shown).first().isVisible()).toBe(true);
    await page.unroute('**/v1/**');
    await notice.getByRole('button', { name: 'Retry now' }).click();
    await notice.waitFor({ state: 'detached' });
    await page.context().close();
  },
);

test('a page whose data the service refuses to read again says so, and tries again by itself', async () => {
  const page = await stage.open({ path: '/messages' });
  await page.getByText('Published').first().waitFor();
  stage.service.faults.set('GET /webhooks/messages', 'internal_error');
  await page.clock.setFixedTime(now + 60_000);
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
  await page.locator('.stale').getByText('This page can’t be refreshed').waitFor();
  stage.service.faults.clear();
  await page.locator('.stale').waitFor({ state: 'detached' });
  await page.context().close();
});
