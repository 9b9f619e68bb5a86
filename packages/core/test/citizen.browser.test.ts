import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Stage, startStage } from './fixture/stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());
beforeEach(() => stage.service.reset());

const quiet = { identityCheck: 'open' } as const;

test('no handler of the SDK blocks the back/forward cache', async () => {
  const opened = await stage.open({
    before: `<script>window.handlers = [];
      const add = EventTarget.prototype.addEventListener;
      EventTarget.prototype.addEventListener = function (type, ...rest) {
        handlers.push(type); return add.call(this, type, ...rest);
      };</script>`,
  });
  await opened.mount(quiet);
  await opened.page.evaluate(() => window.driver.open());
  await opened.page.locator('iframe:not([inert])').waitFor();
  const handlers = await opened.page.evaluate('handlers');
  expect(handlers).toContain('message');
  expect(handlers).not.toEqual(expect.arrayContaining([expect.stringMatching(/unload|pagehide/)]));
  expect(await opened.page.evaluate(() => [window.onunload, window.onbeforeunload])).toEqual([
    null,
    null,
  ]);
  await opened.close();
});

test('opening and closing leaves the page on its history entry, without a cookie or storage', async () => {
  const opened = await stage.open();
  await opened.mount(quiet);
  const traces = () =>
    opened.page.evaluate(async () => [
      window.history.state,
      // The browser's own key for the history entry.
      (window as unknown as { navigation: { currentEntry: { key: string } } }).navigation
        .currentEntry.key,
      document.cookie,
      localStorage.length + sessionStorage.length,
      (await caches.keys()).length,
    ]);
  const before = await traces();
  const length = await opened.page.evaluate(() => window.history.length);
  for (const token of ['svc_tt_1', 'svc_tt_2']) {
    await opened.page.evaluate((it) => window.driver.open(it), token);
    await opened.page.locator('iframe:not([inert])').waitFor();
    await opened.page.keyboard.press('Escape');
    await opened.page.locator('dialog[open]').waitFor({ state: 'detached' });
    await expect.poll(traces).toEqual(before);
  }
  // The two openings have left one forward entry.
  expect(await opened.page.evaluate(() => window.history.length)).toBe(length + 1);
  await opened.close();
});

test('a page that was offline opens once it is online again', async () => {
  const opened = await stage.open();
  await opened.mount(quiet);
  const context = opened.page.context();
  await context.route('**/experience/*', (route) => route.abort('internetdisconnected'));
  await opened.page.clock.install();
  await opened.page.evaluate(() => window.driver.open());
  await opened.page.clock.runFor(15_000);
  await opened.page.getByText('Your options didn’t load').waitFor();
  await context.unroute('**/experience/*');
  await opened.page.getByRole('button', { name: 'Try again' }).click();
  await opened.page.locator('iframe:not([inert])').waitFor();
  expect(opened.faults).toEqual([]);
  await opened.close();
});
