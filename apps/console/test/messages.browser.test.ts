import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { delivery, message, now } from './fixture/samples.ts';
import { stageForFile } from './fixture/stage-for-file.ts';

const stage = stageForFile();

const writes = () => stage.service.writes();
const rows = (page: Page) => page.locator('.message-row');
const search = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

test('filters are chips, are stored in the URL, and can be removed', async () => {
  const page = await stage.open({ path: '/messages' });
  await page.getByRole('button', { name: 'State' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Retrying or failed' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.message-row').length === 2);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Event type' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'settlement.created' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.message-row').length === 1);
  expect(search(page)).toEqual({ state: 'failed', event_type: 'settlement.created' });
  await page.reload();
  await page.waitForFunction(() => document.querySelectorAll('.message-row').length === 1);
  await page.getByRole('button', { name: 'Remove filter State' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.message-row').length > 1);
  expect(search(page)).toEqual({ event_type: 'settlement.created' });
  await page.goBack();
  await page.waitForFunction(() => document.querySelectorAll('.message-row').length === 1);
  await page.context().close();
});

test('a numeric tenant ID stays unquoted in the URL', async () => {
  const page = await stage.open({ path: '/messages' });
  await rows(page).first().waitFor();
  await page.getByRole('button', { name: 'Tenant' }).click();
  await page.getByLabel('Tenant id').fill('100');
  await page.keyboard.press('Enter');
  await page.getByText('No messages match').waitFor();
  expect(new URL(page.url()).search).toBe('?external_id=100');
  await page.context().close();
});

test('several states can be selected while the menu stays open', async () => {
  const page = await stage.open({ path: '/messages' });
  await page.getByRole('button', { name: 'State' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Failed', exact: true }).click();
  await page.waitForFunction(() => document.querySelectorAll('.message-row').length === 1);
  await page.getByRole('menuitemcheckbox', { name: 'Skipped' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.message-row').length === 2);
  expect(search(page)).toEqual({ state: 'exhausted,skipped' });
  await page.getByRole('button', { name: 'State: Failed, Skipped' }).waitFor();
  await page.getByRole('menuitemcheckbox', { name: 'Failed', exact: true }).click();
  await page.waitForURL(/state=skipped$/);
  await page.context().close();
});

test('free text searches bodies, is stored in the URL, and can be cleared', async () => {
  const page = await stage.open({ path: '/messages' });
  await rows(page).first().waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('T-104');
  await page.keyboard.press('Enter');
  await page.waitForURL(/q=T-104/);
  await rows(page).filter({ hasNotText: 't-104' }).first().waitFor({ state: 'detached' });
  await rows(page).filter({ hasText: 't-104' }).first().waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  expect(await focused()).toBe('Search messages');
  expect(await rows(page).filter({ hasNotText: 't-104' }).count()).toBe(0);
  await page.reload();
  await rows(page).first().waitFor();
  expect(await page.getByLabel('Search messages').inputValue()).toBe('T-104');
  await page.getByLabel('Search messages').fill('');
  await page.waitForURL((url) => url.search === '');
  await page.context().close();
});

test('a search loads further pages until it finds the oldest message', async () => {
  stage.service.state.searchedPerPage = 10;
  const oldest = stage.service.state.partner.messages.at(-1);
  const page = await stage.open({ path: '/event-types' });
  // Late timers let pages arrive before React has rendered that they are loading.
  await page.addInitScript(() => {
    const real = window.setTimeout;
    window.setTimeout = ((run: () => void, wait = 0) => real(run, wait + 100)) as never;
  });
  await page.goto(`${stage.service.origin}/portal/messages?q=${oldest?.id}`);
  await expect.poll(() => rows(page).count()).toBe(1);
  const asked = stage.service.calls.filter(({ call }) => call === 'GET /webhooks/messages');
  expect(asked.length).toBe(Math.ceil(stage.service.state.partner.messages.length / 10));
  expect(await page.getByText('Searched back to').count()).toBe(0);
  await page.context().close();
});

test('a search shows its progress and can be canceled and resumed', async () => {
  stage.service.state.searchedPerPage = 10;
  const { messages } = stage.service.state.partner;
  const page = await stage.open({ path: '/messages' });
  await rows(page).first().waitFor();
  let release = () => {};
  const released = new Promise<void>((done) => {
    release = done;
  });
  await page.route(/cursor=30/, async (route) => {
    await released;
    await route.continue().catch(() => undefined);
  });
  await page.getByLabel('Search messages').fill('nowhere at all');
  await page.keyboard.press('Enter');
  const reached = page.locator('.search-progress time');
  await expect.poll(() => reached.getAttribute('datetime')).toBe(messages[29]?.created_at);
  expect(await reached.textContent()).toMatch(/2026, \d\d:\d\d:\d\d [AP]M CST/);
  await page.getByRole('status').getByText('Searching older messages.').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('status').getByText('Search canceled.').waitFor();
  const asked = () =>
    stage.service.calls.filter(({ call }) => call === 'GET /webhooks/messages').length;
  const before = asked();
  release();
  await page.getByRole('button', { name: 'Continue searching' }).click();
  await page.getByText('No messages match these filters').waitFor();
  expect(asked()).toBeGreaterThan(before);
  await page.context().close();
});

test('a failed search shows the error and continues after a retry', async () => {
  stage.service.state.searchedPerPage = 10;
  const page = await stage.open({ path: '/messages' });
  await rows(page).first().waitFor();
  await page.route(/cursor=30/, (route) => route.abort());
  await page.getByLabel('Search messages').fill('nowhere at all');
  await page.keyboard.press('Enter');
  await page.getByText('Older messages could not be searched').waitFor();
  await page.unroute(/cursor=30/);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('No messages match these filters').waitFor();
  await page.context().close();
});

test('a list filtered by endpoint links to a replay for it', async () => {
  const page = await stage.open({ path: '/messages?endpoint_id=ep_01sample2' });
  await page.getByRole('link', { name: 'Replay messages' }).click();
  await page.waitForURL(/replays\/new\?endpoint_id=ep_01sample2/);
  await page.goto(`${stage.service.origin}/portal/messages`);
  await rows(page).first().waitFor();
  expect(await page.getByRole('link', { name: 'Replay messages' }).count()).toBe(0);
  await page.context().close();
});

test('searching for a message ID opens the message', async () => {
  const page = await stage.open({ path: '/messages' });
  await page.getByLabel('Search messages').fill('evt_01sample0003');
  await page.keyboard.press('Enter');
  await page.getByText('all eight attempts failed').waitFor();
  expect(new URL(page.url()).pathname).toBe('/portal/messages/evt_01sample0003');
  await page.context().close();
});

test('the open message is next to the list, or replaces it on phones', async () => {
  const page = await stage.open({ path: '/messages?state=failed' });
  await rows(page).first().click();
  await page.getByText('Delivered to 1 of 3 endpoints; 1 retrying, next in 30 min').waitFor();
  expect(await rows(page).first().isVisible()).toBe(true);
  expect(search(page)).toEqual({ state: 'failed' });
  await page.setViewportSize({ width: 390, height: 844 });
  await rows(page).first().waitFor({ state: 'hidden' });
  await page.locator('.detail__back').click();
  await rows(page).first().waitFor();
  expect(search(page)).toEqual({ state: 'failed' });
  await page.context().close();
});

test('the timeline shows past, next, and planned attempts with a countdown', async () => {
  const page = await stage.open({ path: '/messages/evt_01sample0002' });
  const card = page.getByRole('region', { name: /plans\.maple/ });
  const steps = card.getByRole('list', { name: 'The eight attempts' }).getByRole('listitem');
  await card.getByText('29:44').waitFor();
  expect(await steps.count()).toBe(8);
  const states = await steps
    .locator('[data-state]')
    .evaluateAll((dots) => dots.map((dot) => dot.getAttribute('data-state')));
  expect(states).toEqual([
    'failed',
    'failed',
    'failed',
    'next',
    'planned',
    'planned',
    'planned',
    'planned',
  ]);
  await page.clock.setFixedTime(now + 60_000);
  await card.getByText('28:44').waitFor();
  const places = await steps.evaluateAll((items) =>
    items.map((item) => item.getBoundingClientRect().left),
  );
  expect(places).toEqual([...places].sort((a, b) => a - b));
  await page.context().close();
});

test('selecting an attempt in the timeline shows its details and updates the URL', async () => {
  const page = await stage.open({ path: '/messages/evt_01sample0002' });
  const story = page.getByRole('article', { name: /^Attempt/ });
  await story.getByText('database is locked').waitFor();
  await page.getByRole('button', { name: /^Attempt 1 of 8: failed, Timed out/ }).click();
  await story.getByText('No status line within 15 seconds').waitFor();
  const titles = await story.getByRole('heading').allTextContents();
  expect(titles).toEqual(['Request', 'Timing', 'Response', 'What it means', 'What to do']);
  await page.reload();
  await story.getByText('No status line within 15 seconds').waitFor();
  await page.context().close();
});

test('sending now shows the result without a reload', async () => {
  const page = await stage.open({ path: '/messages/evt_01sample0002' });
  await page.getByRole('button', { name: 'Send now' }).click();
  await page.getByText('Delivered to 2 of 3 endpoints; 1 held').waitFor();
  await page.getByRole('button', { name: /^Sent manually: 200/ }).waitFor();
  expect(writes().map(({ call, body }) => ({ call, body }))).toEqual([
    {
      call: 'POST /webhooks/messages/evt_01sample0002/replay',
      body: { endpoint_id: 'ep_01sample2' },
    },
  ]);
  await page.context().close();
});

test('a message without deliveries can be sent to an endpoint', async () => {
  const page = await stage.open({ path: '/messages/evt_01sample0006' });
  await page.getByRole('button', { name: 'Send to another endpoint' }).click();
  await page.getByRole('menuitem', { name: 'https://maple.example/webhooks/svc' }).click();
  await page.getByText('Delivered.', { exact: true }).waitFor();
  expect(writes().map(({ body }) => body)).toEqual([{ endpoint_id: 'ep_01sample1' }]);
  await page.context().close();
});

test('retrying after a lost response publishes a custom event only once', async () => {
  const page = await stage.open({ path: '/testing?way=publish&event_type=plan.created' });
  stage.service.faults.set('POST /webhooks/messages', 'drop');
  await page.getByLabel('Tenant id').fill('t-1');
  await page.getByRole('button', { name: 'Publish event' }).click();
  await page.getByRole('alert').getByText('could not be reached').waitFor();
  stage.service.faults.clear();
  await page.getByRole('button', { name: 'Publish event' }).click();
  await page.getByRole('link', { name: 'View the message' }).click();
  await page.getByRole('article').getByRole('link', { name: 't-1', exact: true }).waitFor();
  const keys = writes().map(({ key }) => key);
  expect(keys.length).toBeGreaterThan(1);
  expect(new Set(keys).size).toBe(1);
  await page.context().close();
});

test('an event published to a channel reaches its endpoints and can be filtered by it', async () => {
  Object.assign(stage.service.state.partner.endpoints[1] ?? {}, { channels: ['blue', 'green'] });
  const page = await stage.open({ path: '/testing?way=publish&event_type=plan.created' });
  await page.getByText('It will go to 1 endpoint').waitFor();
  await page.getByLabel('Channels').fill('green, é');
  await page.getByText('é can’t be a channel').waitFor();
  await page.getByRole('button', { name: 'Publish event' }).click();
  await page.getByLabel('Channels').fill('green');
  await page.getByText('It will go to 2 endpoints').waitFor();
  await page.getByRole('button', { name: 'Publish event' }).click();
  await page.getByRole('link', { name: 'View the message' }).click();
  await page.getByRole('article').getByRole('link', { name: 'green' }).click();
  await page.waitForURL(/messages\?channel=green$/);
  await expect.poll(() => rows(page).count()).toBe(1);
  await page.getByRole('button', { name: 'Channel: green' }).click();
  await page.locator('datalist option[value="blue"]').waitFor({ state: 'attached' });
  await page.getByRole('combobox', { name: 'Channel' }).fill('red');
  await page.keyboard.press('Enter');
  await page.getByText('No messages match').waitFor();
  expect(writes().map(({ body }) => (body as { channels?: string[] }).channels)).toEqual([
    ['green'],
  ]);
  await page.context().close();
});

test('new messages are buffered while the list is hovered', async () => {
  const page = await stage.open({ path: '/messages' });
  await rows(page).first().hover();
  const { messages, endpoints } = stage.service.state.partner;
  const fresh = message(7777, 'plan.created', -1, { external_id: 't-new' });
  if (endpoints[0]) delivery(fresh, endpoints[0], 'pending');
  messages.unshift(fresh);
  await page.getByRole('button', { name: 'Show 1 new message' }).waitFor();
  expect(await rows(page).first().textContent()).not.toContain('t-new');
  await page.getByRole('button', { name: 'Show 1 new message' }).click();
  await page.waitForFunction(() =>
    document.querySelector('.message-row')?.textContent?.includes('t-new'),
  );
  await page.context().close();
});

test('older messages load page by page', async () => {
  const page = await stage.open({ path: '/messages' });
  await rows(page).first().waitFor();
  expect(await rows(page).count()).toBe(50);
  await page.getByRole('button', { name: 'Show older messages' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.message-row').length === 67);
  await page.context().close();
});

test('untrusted text is never interpreted', async () => {
  const page = await stage.open({ path: '/messages/evt_01sample0005' });
  await page.getByText('truncated at 16 KiB').waitFor();
  for (const path of ['/endpoints', '/endpoints/ep_01sample3', '/messages/evt_01sample0005']) {
    await page.goto(`${stage.service.origin}/portal${path}`);
    await page.getByText('onerror').first().waitFor();
    expect(await page.title()).toContain('Console');
    expect(await page.locator('main img, main script, main body').count()).toBe(0);
    await expect.poll(() => page.locator('main').innerText()).toContain('\\u202e');
    const text = await page.locator('main').innerText();
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters must not appear.
    expect(text).not.toMatch(/[\u0000-\u0008\u001b\u200b\u202a-\u202e]/);
  }
  await page.context().close();
});

test('a payload is erased after its pending deliveries are canceled', async () => {
  const page = await stage.open({ path: '/messages/evt_01sample0002' });
  await page.getByRole('button', { name: 'Erase the payload' }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'Erase the payload' }).click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel('Cancel deliveries that are still pending').check();
  await dialog.getByRole('button', { name: 'Erase the payload' }).click();
  await page.getByText('The payload was erased').waitFor();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('canceled when its payload was erased').waitFor();
  expect(await page.getByRole('button', { name: /Send|Erase|Copy payload/ }).count()).toBe(0);
  await page.context().close();
});

test('state and times of a message with many endpoints are never cut off', async () => {
  const [message] = stage.service.state.partner.messages;
  const [share] = message?.deliveries ?? [];
  if (!message || !share) throw new Error('the fixture has no message with a delivery');
  message.deliveries = Array.from({ length: 50 }, (_, index) => ({
    ...share,
    id: `dlv_${index}`,
    state: index === 0 ? ('delivered' as const) : ('retrying' as const),
  }));
  message.created_at = new Date(now - 59 * 60_000).toISOString();
  const page = await stage.open({ path: '/messages' });
  const cutAt = async (width: number) => {
    await page.setViewportSize({ width, height: 900 });
    await page.getByText('49 of 50 retrying').first().waitFor();
    return page
      .locator('.message-row :is(.state-mark, .state-mark__word, .row__time, .when__relative)')
      .evaluateAll((parts) =>
        parts
          .filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth)
          .map((part) => part.textContent),
      );
  };
  for (const width of [320, 390, 820, 1101, 1440]) {
    expect.soft(await cutAt(width), `the list at ${width} px`).toEqual([]);
  }
  await page.getByText('49 of 50 retrying').first().click();
  await page.getByRole('heading', { name: message.event_type }).waitFor();
  // On narrower screens the open message replaces the list.
  for (const width of [1101, 1280, 1440]) {
    expect.soft(await cutAt(width), `the list beside a message at ${width} px`).toEqual([]);
  }
  await page.context().close();
});
