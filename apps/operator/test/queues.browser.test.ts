import { expect, test } from 'vitest';
import { now } from './fixture/now.ts';
import { stageForFile } from './fixture/stage-for-file.ts';

const stage = stageForFile();
const bodyOf = (name: string) => stage.service.calls.find(({ call }) => call === name)?.body;

test('the home page leads to the work that waits longest', async () => {
  const page = await stage.open();
  await page.getByRole('link', { name: /Failed settlements/ }).click();
  await page.getByText('account closed').waitFor();
  expect(new URL(page.url()).pathname).toBe('/operator/queues/settlements');
  await page.context().close();
});

test('items are selected with the keyboard and taken over from their owner', async () => {
  const page = await stage.open({ path: '/queues/settlements' });
  await page.getByText('account closed').waitFor();
  for (const key of ['j', 'j', 'j', 'x']) await page.keyboard.press(key);
  await page.getByRole('button', { name: 'Take over from Grace Hall' }).click();
  await page.getByText('You have taken 1 item.').waitFor();
  expect(bodyOf('POST /queues/settlements/take')).toEqual({
    ids: ['stl_01sample3'],
    from: 'Grace Hall',
  });
  await page.context().close();
});

test('a person sees only the items that they have taken', async () => {
  const page = await stage.open({ path: '/queues/settlements' });
  const rows = page.locator('.work-item');
  await expect.poll(() => rows.count()).toBe(3);
  await page.getByRole('button', { name: 'Owner' }).click();
  await page.getByRole('menuitemradio', { name: 'Me' }).click();
  await expect.poll(() => rows.count()).toBe(1);
  expect(new URL(page.url()).search).toBe('?owner=me');
  await page.goto(`${stage.service.origin}/operator/queues/mails?owner=me`);
  await page.getByRole('heading', { name: 'You have taken nothing here' }).waitFor();
  await page.context().close();
});

test('items are snoozed with a reason, until a time', async () => {
  const page = await stage.open({ path: '/queues/settlements' });
  await page.getByRole('checkbox').first().check();
  await page.getByRole('button', { name: 'Snooze…' }).click();
  await page.getByRole('radio', { name: 'In a week' }).check();
  await page.getByLabel('Why can it wait?').fill('The portal is asked');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Snooze' }).click();
  await page.getByText('Snoozed 1 item.').waitFor();
  expect(bodyOf('POST /queues/settlements/snooze')).toEqual({
    ids: ['stl_01sample1'],
    until: new Date(now + 7 * 86_400_000).toISOString(),
    reason: 'The portal is asked',
  });
  await page.context().close();
});

test('a list with its filters is saved in the navigation, and removed', async () => {
  const page = await stage.open({ path: '/queues/settlements?snoozed=true' });
  await page.getByRole('button', { name: 'Save view' }).click();
  await page.getByLabel('Name').fill('Asleep');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Save' }).click();
  const link = page.getByRole('navigation').getByRole('link', { name: 'Asleep' });
  await link.waitFor();
  expect(bodyOf('POST /views')).toEqual({
    name: 'Asleep',
    address: '/queues/settlements?snoozed=true',
  });
  await page.getByRole('navigation').getByRole('link', { name: 'Home' }).click();
  await link.click();
  const current = page.getByRole('navigation').locator('[aria-current="page"]');
  await expect.poll(() => current.allInnerTexts()).toEqual(['Asleep']);
  await page.getByRole('button', { name: 'Remove view' }).click();
  await link.waitFor({ state: 'detached' });
  expect(new URL(page.url()).search).toBe('?snoozed=true');
  await page.context().close();
});

test('an auditor reads queues and changes nothing', async () => {
  const page = await stage.open({ path: '/queues/settlements', role: 'auditor' });
  await page.getByText('account closed').waitFor();
  expect(await page.getByRole('checkbox').count()).toBe(0);
  await page.context().close();
});

test('people approve only what their role could have run', async () => {
  for (const [role, buttons] of [
    ['admin', 2],
    ['finance', 1],
  ] as const) {
    const page = await stage.open({ path: '/queues/approvals', role });
    await page.getByText('wants to run "money stop"').waitFor();
    await page.waitForLoadState('networkidle');
    expect(await page.getByRole('button', { name: 'Approve a request' }).count()).toBe(buttons);
    await page.context().close();
  }
});

test('a request for a second person leads to the tenant that it is about', async () => {
  const page = await stage.open({ path: '/queues/approvals' });
  await page.getByRole('link', { name: 'pay_01sample2' }).click();
  await page.getByRole('heading', { name: 'Payment 2 of 4, $380.03, will be charged' }).waitFor();
  const { pathname, search } = new URL(page.url());
  expect(pathname + search).toBe('/operator/tenants/maple/t-split?about=pay_01sample2');
  const searches = () =>
    stage.service.calls.filter(({ call }) => call === 'POST /search').map(({ body }) => body);
  for (const words of ['pay_unknown', 'ada%20lane']) {
    await page.goto(`${stage.service.origin}/operator/find/${words}`);
    await page.getByRole('heading', { name: 'No page shows this id' }).waitFor();
  }
  // The page does not search for a name in the address.
  expect(searches()).toEqual([{ query: 'pay_01sample2' }, { query: 'pay_unknown' }]);
  await page.context().close();
});

test('a page loads without layout shifts', async () => {
  const page = await stage.open({ path: '/queues' });
  await page.getByText('Failed settlements').waitFor();
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as unknown as Shift).value);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  // The lists come after their placeholder, as on a slow connection.
  await page.route(/\/v1\/(queues\/settlements|tenants\/.*\/timeline)/, async (route) => {
    await page.locator('.rows__skeleton').first().waitFor();
    await route.continue();
  });
  for (const path of ['', '/queues', '/queues/settlements', '/tenants/maple/t-split']) {
    await page.goto(`${stage.service.origin}/operator${path}`);
    await page.locator('[data-row], .entry').first().waitFor();
    const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts);
    expect([path, shifts]).toEqual([path, []]);
  }
  await page.context().close();
});

interface Shift {
  value: number;
}
