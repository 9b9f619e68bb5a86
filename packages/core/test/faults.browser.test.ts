import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Opened, type Stage, startStage } from './fixture/stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());
beforeEach(() => stage.service.reset());

const quiet = { identityCheck: 'open' } as const;
const shown = ({ page }: Opened) => page.locator('iframe:not([inert])').waitFor();
const results = ({ page }: Opened) => page.evaluate(() => window.driver.results);
const failure = ({ page }: Opened) => page.getByText('Your options didn’t load');
const tokensOf = (frame: Frame) =>
  frame.evaluate(() => window.received.map(({ token }) => token).filter(Boolean));

test('a frame that never responds is replaced by a message within 15 s, with a retry that adds no history entry', async () => {
  stage.service.frame = 'dead';
  const opened = await stage.open();
  await opened.mount(quiet);
  await opened.page.clock.install();
  await opened.page.evaluate(() => window.driver.open());
  // This count includes the dialog's own entry.
  const entries = await opened.page.evaluate(() => window.history.length);
  await opened.page.clock.runFor(15_000);
  await failure(opened).waitFor();
  expect(await opened.event('ERROR')).toMatchObject({
    code: 1300,
    error_code: 'frame_timeout',
    retryable: true,
  });
  stage.service.frame = 'lively';
  await opened.page.getByRole('button', { name: 'Try again' }).click();
  await shown(opened);
  expect(await failure(opened).count()).toBe(0);
  expect(await tokensOf(await opened.frame())).toEqual(['svc_tt_1']);
  expect(await opened.page.evaluate(() => window.history.length)).toBe(entries);
  expect(opened.faults).toEqual([]);
  await opened.close();
});

test('closing while the message is shown is an error, and a late response still shows the frame', async () => {
  stage.service.frame = 'silent';
  const opened = await stage.open();
  await opened.mount(quiet);
  await opened.page.clock.install();
  await opened.page.evaluate(() => window.driver.open());
  const inside = await opened.frame();
  await opened.page.clock.runFor(15_000);
  await failure(opened).waitFor();
  await inside.evaluate(() => window.say({ type: 'ready' }));
  await shown(opened);
  await opened.page.evaluate(() => window.driver.open('svc_tt_1'));
  await opened.page.keyboard.press('Escape');
  await expect.poll(() => results(opened)).toHaveLength(2);
  stage.service.frame = 'dead';
  await opened.page.evaluate(() => {
    window.driver.svc.update({ externalId: 't-200' });
    window.driver.open('svc_tt_3');
  });
  await opened.page.clock.runFor(15_000);
  await failure(opened).waitFor();
  await opened.page.keyboard.press('Escape');
  await expect.poll(() => results(opened)).toHaveLength(3);
  expect((await results(opened))[2]).toEqual({ reason: 'error', last_step: null });
  await opened.close();
});

test('a service that answers nothing at all is named as the cause, with the missing baseUrl', async () => {
  stage.service.frame = 'dead';
  stage.service.widgetAnswer = { status: 502, body: 'Bad gateway' };
  const opened = await stage.open();
  await opened.mount({});
  expect(await opened.event('ERROR')).toMatchObject({ code: 1200, error_code: 'network' });
  await opened.page.clock.install();
  await opened.page.evaluate(() => window.driver.open());
  await opened.page.clock.runFor(15_000);
  await failure(opened).waitFor();
  const errors = await opened.page.evaluate(() =>
    window.driver.events.flatMap(([type, data]) => (type === 'ERROR' ? [data] : [])),
  );
  expect(errors[1]).toMatchObject({
    error_code: 'frame_timeout',
    msg: expect.stringContaining(`${stage.service.origin} does not answer.`),
  });
  expect(JSON.stringify(errors[1])).not.toContain('allowed_origins');
  await opened.close();
});

test('a frame that reloads and then sends nothing is replaced by the message', async () => {
  const opened = await stage.open();
  await opened.mount(quiet);
  await opened.page.clock.install();
  await opened.page.evaluate(() => window.driver.open());
  await shown(opened);
  stage.service.frame = 'silent';
  const inside = await opened.frame();
  await inside.evaluate(() => location.reload());
  await opened.page.locator('iframe[inert]').waitFor();
  await opened.page.clock.runFor(15_000);
  await failure(opened).waitFor();
  await opened.close();
});

test('a page whose CSP forbids the frame shows the message', async () => {
  const opened = await stage.open({
    csp: "default-src 'none'; script-src 'self'; frame-src 'none'; img-src data:",
  });
  await opened.mount(quiet);
  await opened.page.clock.install();
  await opened.page.evaluate(() => window.driver.open());
  await opened.page.clock.runFor(15_000);
  await failure(opened).waitFor();
  expect(await opened.event('ERROR')).toMatchObject({ code: 1300 });
  await opened.close();
});

test('an ended session is renewed by fetchToken without a click', async () => {
  const opened = await stage.open();
  await opened.page.evaluate(() =>
    window.driver.mount({ identityCheck: 'open', fetchToken: async () => 'svc_tt_fresh' }),
  );
  await opened.page.evaluate(() => window.driver.open());
  await shown(opened);
  const inside = await opened.frame();
  await inside.evaluate(() => window.say({ type: 'token_needed' }));
  await inside.waitForFunction(() => window.received.some((it) => it.token === 'svc_tt_fresh'));
  await shown(opened);
  expect(await opened.event('TOKEN_EXPIRED')).toEqual({ renewable: true });
  expect(await opened.types()).not.toContain('ERROR');
  await opened.close();
});

test('without fetchToken the frame says that the session ended, and its button runs the click callback', async () => {
  const opened = await stage.open();
  await opened.mount({ ...quiet });
  await opened.page.evaluate(() =>
    window.driver.svc.update({ onWidgetClickCallback: () => window.driver.open('svc_tt_again') }),
  );
  await opened.page.evaluate(() => window.driver.open());
  await shown(opened);
  const inside = await opened.frame();
  await inside.evaluate(() => window.say({ type: 'token_needed' }));
  expect(await opened.event('TOKEN_EXPIRED')).toEqual({ renewable: false });
  await shown(opened);
  expect(await failure(opened).count()).toBe(0);
  await inside.evaluate(() => window.say({ type: 'token_needed' }));
  await inside.waitForFunction(() => window.received.some((it) => it.token === 'svc_tt_again'));
  await shown(opened);
  expect((await opened.types()).filter((type) => type === 'TOKEN_EXPIRED')).toHaveLength(1);
  expect(await tokensOf(inside)).toEqual(['svc_tt_1', 'svc_tt_again']);
  await opened.close();
});

test('a refused first token without fetchToken shows the message at once, and is an error', async () => {
  stage.service.frame = 'refusing';
  const opened = await stage.open();
  await opened.mount(quiet);
  await opened.page.evaluate(() => window.driver.open());
  await failure(opened).waitFor();
  expect(await opened.event('TOKEN_EXPIRED')).toEqual({ renewable: false });
  expect(await opened.event('ERROR')).toMatchObject({ code: 1100, error_code: 'token_refused' });
  await opened.close();
});

test('a fresh token that is refused too shows the message instead of a loop', async () => {
  stage.service.frame = 'refusing';
  const opened = await stage.open();
  await opened.page.evaluate(() => {
    window.driver.mount({
      identityCheck: 'open',
      fetchToken: async () => {
        window.driver.events.push(['fetched', {}]);
        return `svc_tt_${window.driver.events.length}`;
      },
    });
    window.driver.open();
  });
  await failure(opened).waitFor();
  expect(await opened.event('ERROR')).toMatchObject({ code: 1100, error_code: 'token_refused' });
  expect((await opened.types()).filter((type) => type === 'fetched')).toHaveLength(1);
  await opened.close();
});

test.for(['async () => { throw new Error("no backend"); }', 'async () => undefined'])(
  'a fetchToken without a token ends in the message: %s',
  async (fetchToken) => {
    const opened = await stage.open();
    await opened.page.evaluate((code) => {
      window.driver.mount({ identityCheck: 'open', fetchToken: window.driver.from(code) });
      window.driver.open();
    }, fetchToken);
    await shown(opened);
    const inside = await opened.frame();
    await opened.page.clock.install();
    await inside.evaluate(() => window.say({ type: 'token_needed' }));
    await expect.poll(() => opened.types()).toContain('TOKEN_EXPIRED');
    await opened.page.clock.runFor(15_000);
    await failure(opened).waitFor();
    expect(await opened.types()).toContain('ERROR');
    expect(opened.faults).toEqual([]);
    await opened.close();
  },
);
