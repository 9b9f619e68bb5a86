import { widgetSessionOf } from '@svc/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Opened, type Stage, startStage } from './fixture/stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());
beforeEach(() => stage.service.reset());

/** Opens a page whose widget has this callback, given as source text: functions cannot cross to the page. */
async function openWith(callback: string, settings = {}): Promise<Opened> {
  const opened = await stage.open();
  await opened.page.evaluate(
    ([code, more]) => {
      window.driver.mount({
        identityCheck: 'open',
        onWidgetClickCallback: window.driver.from(code),
        ...(more as object),
      });
    },
    [callback, settings] as const,
  );
  await opened.event('WIDGET_READY');
  return opened;
}

const button = ({ page }: Opened) => page.getByRole('button', { name: 'See my options' });
const isBusy = (opened: Opened) => button(opened).getAttribute('aria-busy');
const isShown = ({ page }: Opened) => page.locator('dialog').evaluate((it) => it.matches(':modal'));

test('a click is reported, shows the busy state, runs the callback, and opens with the token', async () => {
  const opened = await openWith(
    `() => new Promise((resolve) => { window.bring = () => { driver.open('svc_tt_9'); resolve(); }; })`,
  );
  await button(opened).click();
  expect(await opened.types()).toEqual(['WIDGET_READY', 'WIDGET_CLICKED']);
  expect(await isBusy(opened)).toBe('true');
  expect(await opened.page.locator('[part=card]').innerText()).toContain('Opening…');
  const frame = await opened.frame();
  await frame.waitForFunction(() => window.received.length === 1);
  expect(await frame.evaluate(() => window.received)).toMatchObject([
    { type: 'init', token: null },
  ]);
  expect(await isShown(opened)).toBe(false);
  await opened.page.evaluate('bring()');
  await opened.event('EXPERIENCE_OPENED');
  expect(await isBusy(opened)).toBe('false');
  await frame.waitForFunction(() => window.received.length === 2);
  expect(await frame.evaluate(() => window.received[1])).toEqual({
    svc: 1,
    type: 'token',
    token: 'svc_tt_9',
  });
  expect(opened.faults).toEqual([]);
  await opened.close();
});

test('busy is shown in the task of the click, and the dialog in the task that opens it', async () => {
  const opened = await openWith('() => {}');
  const shown = await opened.page.evaluate(() => {
    const root = window.driver.svc.createWidget().shadowRoot;
    root?.querySelector('button')?.click();
    const text = root?.querySelector('.svc-status')?.textContent;
    window.driver.open();
    const shell = document.documentElement.lastElementChild?.shadowRoot;
    return [text, shell?.querySelector('dialog')?.matches(':modal')];
  });
  expect(shown).toEqual(['Opening…', true]);
  await opened.close();
});

test('the preloading frame does not make the page taller', async () => {
  const opened = await openWith('() => {}');
  const height = () => opened.page.evaluate(() => document.documentElement.scrollHeight);
  const before = await height();
  await button(opened).hover();
  await opened.frame();
  expect(await height()).toBe(before);
  await opened.close();
});

test('a second click while busy does nothing', async () => {
  const opened = await openWith(`() => { window.calls = (window.calls ?? 0) + 1; }`);
  await button(opened).dblclick();
  await button(opened).click();
  expect(await opened.page.evaluate('calls')).toBe(1);
  expect((await opened.types()).filter((type) => type === 'WIDGET_CLICKED')).toHaveLength(1);
  await opened.close();
});

test('a callback may return the token, or a promise of it', async () => {
  for (const callback of [`() => 'svc_tt_2'`, `async () => 'svc_tt_2'`]) {
    const opened = await openWith(callback);
    await button(opened).click();
    const frame = await opened.frame();
    await frame.waitForFunction(() => window.received.some((it) => it.token));
    expect(await frame.evaluate(() => window.received.at(-1)?.token)).toBe('svc_tt_2');
    await opened.close();
  }
});

test.for(['() => { throw new Error("no backend"); }', '() => Promise.reject(new Error("no"))'])(
  'a callback that fails ends the busy state with ERROR 1400: %s',
  async (callback) => {
    const opened = await openWith(callback);
    await button(opened).click();
    expect(await opened.event('ERROR')).toEqual({
      code: 1400,
      error_code: 'callback_threw',
      msg: 'onWidgetClickCallback threw an error. See the console for it.',
      retryable: true,
    });
    expect(await isBusy(opened)).toBe('false');
    expect(await opened.page.locator('[part=card]').innerText()).toContain('Try again');
    expect(opened.faults).toEqual([]);
    await opened.close();
  },
);

test('a callback that never settles ends after 30 s with ERROR 1400, and a click works again', async () => {
  const opened = await openWith('() => new Promise((resolve) => { window.bring ??= resolve; })');
  await opened.page.clock.install();
  await button(opened).click();
  await opened.page.clock.runFor(29_000);
  expect(await isBusy(opened)).toBe('true');
  expect(await opened.types()).not.toContain('ERROR');
  await opened.page.clock.runFor(1000);
  expect(await opened.event('ERROR')).toMatchObject({
    code: 1400,
    error_code: 'callback_opened_nothing',
  });
  expect(await isBusy(opened)).toBe('false');
  await button(opened).click();
  await opened.page.evaluate(`bring('svc_tt_late')`);
  expect(await isBusy(opened)).toBe('true');
  expect(await opened.types()).not.toContain('EXPERIENCE_OPENED');
  await opened.close();
});

test('a promise that settles without opening lets the tenant click again at once', async () => {
  const opened = await openWith('async () => {}');
  await opened.page.clock.install();
  await button(opened).click();
  await expect.poll(() => isBusy(opened)).toBe('false');
  expect(await opened.types()).not.toContain('ERROR');
  await opened.page.clock.runFor(30_000);
  expect(await opened.event('ERROR')).toMatchObject({ code: 1400 });
  await opened.close();
});

test('an invalid token is ERROR 1100, and the result has the reason error', async () => {
  const opened = await openWith('() => driver.open(null)');
  await button(opened).click();
  expect(await opened.event('ERROR')).toMatchObject({ code: 1100, retryable: true });
  await expect
    .poll(() => opened.page.evaluate(() => window.driver.results))
    .toEqual([{ reason: 'error', last_step: null }]);
  expect(await isBusy(opened)).toBe('false');
  expect(opened.faults).toEqual([]);
  await opened.close();
});

test('a preloaded token opens at once, and a callback that opens it too gets the same result', async () => {
  const opened = await openWith(`async () => { driver.open('svc_tt_late'); }`, {
    token: 'svc_tt_early',
  });
  await button(opened).click();
  await opened.event('EXPERIENCE_OPENED');
  const frame = await opened.frame();
  await opened.page.locator('iframe:not([inert])').waitFor();
  await opened.page.keyboard.press('Escape');
  await expect
    .poll(() => opened.page.evaluate(() => window.driver.results))
    .toEqual([{ reason: 'dismissed', last_step: 'offer' }]);
  const tokens = await frame.evaluate(() => window.received.map((it) => it.token).filter(Boolean));
  expect(tokens).toEqual(['svc_tt_early']);
  const types = await opened.types();
  expect(types.filter((type) => type === 'EXPERIENCE_OPENED')).toHaveLength(1);
  await opened.close();
});

test('a preloaded token needs nothing from the callback', async () => {
  const opened = await openWith('() => {}', { token: 'svc_tt_early' });
  await opened.page.clock.install();
  await button(opened).click();
  await opened.event('EXPERIENCE_OPENED');
  await opened.page.clock.runFor(31_000);
  expect(await opened.types()).not.toContain('ERROR');
  await opened.close();
});

test('an onEvent that throws or rejects stops nothing', async () => {
  const opened = await stage.open();
  await opened.page.evaluate(() => {
    window.driver.mount({
      onEvent: (...[type]) => {
        window.driver.events.push([type, {}]);
        if (type === 'WIDGET_CLICKED') throw new Error('broken');
        return Promise.reject(new Error('broken')) as never;
      },
    });
    window.driver.svc.on('WIDGET_CLICKED', () => {
      throw new Error('broken as well');
    });
    window.driver.svc.on('EXPERIENCE_OPENED', () => window.driver.events.push(['heard', {}]));
  });
  await button(opened).click();
  await opened.event('heard');
  expect(opened.faults).toEqual([]);
  await opened.close();
});

test('a listener receives its type until it is removed', async () => {
  const opened = await openWith('() => {}');
  const heard = await opened.page.evaluate(() => {
    const data: unknown[] = [];
    const off = window.driver.svc.on('ERROR', (error) => data.push(error.code));
    window.driver.open(0);
    off();
    window.driver.open(0);
    return data;
  });
  expect(heard).toEqual([1100]);
  await opened.close();
});

test('the latest callback and the latest onEvent are used', async () => {
  const opened = await openWith('() => { window.called = "old"; }');
  await opened.page.evaluate(() => {
    window.driver.svc.update({
      onWidgetClickCallback: () => window.driver.events.push(['new callback', {}]),
      onEvent: (...[type]) => window.driver.events.push([`new ${type}`, {}]),
    });
  });
  await button(opened).click();
  expect((await opened.types()).slice(1)).toEqual(['new WIDGET_CLICKED', 'new callback']);
  await opened.close();
});

test.each([
  ['async () => null', 'returned null'],
  ['() => null', 'returned null'],
  [`async () => ({ token: 'svc_tt_1' })`, 'an object with a token'],
])(
  'a callback that answers something else than a token is an error at once: %s',
  async (callback, msg) => {
    const opened = await openWith(callback);
    await button(opened).click();
    expect(await opened.event('ERROR')).toMatchObject({
      code: 1400,
      error_code: 'callback_opened_nothing',
      msg: expect.stringContaining(msg),
    });
    expect(await isBusy(opened)).toBe('false');
    await opened.close();
  },
);

test('a callback that ends without a token says so in the console, and may still open', async () => {
  const opened = await openWith('async () => {}');
  const lines: string[] = [];
  opened.page.on('console', (message) => lines.push(message.text()));
  await button(opened).click();
  await expect.poll(() => lines.join()).toContain('returned no token and opened nothing');
  expect(await opened.types()).not.toContain('ERROR');
  await opened.page.evaluate(() => window.driver.open());
  await opened.event('EXPERIENCE_OPENED');
  await opened.close();
});

test('a production page that points to a sandbox is an error, and its widget stays usable', async () => {
  stage.service.widgetAnswer = {
    status: 200,
    body: { error: null, data: { ...widgetSessionOf('can_split'), environment: 'sandbox' } },
  };
  const opened = await openWith('() => {}', { environment: 'production', identityCheck: 'mount' });
  expect(await opened.event('ERROR')).toMatchObject({
    code: 1001,
    error_code: 'wrong_environment',
    retryable: false,
  });
  expect(await button(opened).isEnabled()).toBe(true);
  await opened.close();
});
