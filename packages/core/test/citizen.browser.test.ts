import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Stage, startStage } from './fixture/stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());
beforeEach(() => stage.service.reset());

const quiet = { identityCheck: 'open' } as const;

test('no handler of the SDK keeps the page out of the back/forward cache', async () => {
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

test('opening and closing adds no history entry, no cookie and no storage', async () => {
  const opened = await stage.open();
  await opened.mount(quiet);
  const left = () =>
    opened.page.evaluate(async () => [
      window.history.length,
      document.cookie,
      localStorage.length + sessionStorage.length,
      (await caches.keys()).length,
    ]);
  const before = await left();
  for (const token of ['svc_tt_1', 'svc_tt_2']) {
    await opened.page.evaluate((it) => window.driver.open(it), token);
    await opened.page.locator('iframe:not([inert])').waitFor();
    await opened.page.keyboard.press('Escape');
    await opened.page.locator('dialog[open]').waitFor({ state: 'detached' });
  }
  expect(await left()).toEqual(before);
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

test('1,000 widgets that came and went leave less than a megabyte', async () => {
  const opened = await stage.open();
  const session = await opened.page.context().newCDPSession(opened.page);
  await session.send('HeapProfiler.enable');
  const heap = async () => {
    await session.send('HeapProfiler.collectGarbage');
    return (await session.send('Runtime.getHeapUsage')).usedSize;
  };
  const cycle = (count: number) =>
    opened.page.evaluate((times) => {
      for (let index = 0; index < times; index += 1) {
        window.driver.mount({ identityCheck: 'open' });
        window.driver.svc.destroy();
      }
      window.driver.events.length = 0;
    }, count);
  await cycle(50);
  const before = await heap();
  await cycle(1000);
  expect((await heap()) - before).toBeLessThan(1_000_000);
  await opened.close();
});

test('random moments of mounting, opening, updating and destroying never reject', async () => {
  const opened = await stage.open();
  await opened.page.evaluate(async () => {
    // A fixed sequence, so that a failure can be repeated.
    let seed = 20_260_101;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % below;
    };
    const acts: (() => unknown)[] = [
      () => window.driver.mount({ identityCheck: random(2) ? 'open' : 'mount' }),
      () => window.driver.open(`svc_tt_${random(3)}`),
      () => window.driver.open(null),
      () => window.driver.svc.destroy(),
      () => window.driver.svc.update({ balance: random(9) }),
      () => window.driver.svc.update({ externalId: `t-${random(3)}` }),
      () => document.querySelector('#slot > div')?.shadowRoot?.querySelector('button')?.click(),
      () => new Promise((resolve) => setTimeout(resolve, random(4))),
    ];
    window.driver.mount();
    for (let step = 0; step < 300; step += 1) await acts[random(acts.length)]?.();
    document.getElementById('slot')?.replaceChildren();
    window.driver.svc.destroy();
  });
  await opened.page.waitForLoadState('networkidle');
  expect(opened.faults).toEqual([]);
  await opened.close();
});
