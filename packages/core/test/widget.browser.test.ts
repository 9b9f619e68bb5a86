import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { es } from '../src/locales/es.ts';
import { answerOf, refusalOf } from './fixture/service.ts';
import { type Opened, type Stage, startStage } from './fixture/stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());
beforeEach(() => stage.service.reset());

function answer(...how: Parameters<typeof answerOf>): void {
  stage.service.widgetAnswer = answerOf(...how);
}

/** The widget's text, line by line. */
const read = ({ page }: Opened) => page.locator('[part=card]').innerText();

test('the balance is painted at once, before any request', async () => {
  const opened = await stage.open();
  const [text, requests] = await opened.page.evaluate(() => {
    let requests = 0;
    window.fetch = () => {
      requests += 1;
      return Promise.reject(new Error('not in this test'));
    };
    window.driver.mount();
    return [window.driver.svc.createWidget().shadowRoot?.textContent, requests];
  });
  expect(text).toContain('$1,520.12');
  expect(requests).toBe(0);
  await opened.event('WIDGET_READY');
  expect(opened.faults).toEqual([]);
  await opened.close();
});

test('the request is sent after the widget is painted', async () => {
  const opened = await stage.open();
  const order = await opened.page.evaluate(
    () =>
      new Promise((resolve) => {
        const order: string[] = [];
        window.fetch = () => {
          resolve([...order, 'request']);
          return new Promise(() => {});
        };
        window.driver.mount();
        // The last step of a frame before its paint; the SDK's own observer was there first.
        new ResizeObserver(() => order.push('rendered')).observe(window.driver.svc.createWidget());
      }),
  );
  expect(order).toEqual(['rendered', 'request']);
  await opened.close();
});

test('createWidget returns the same element twice', async () => {
  const opened = await stage.open();
  await opened.mount();
  const same = await opened.page.evaluate(() => {
    const again = window.driver.svc.createWidget();
    return document.getElementById('slot')?.firstChild === again;
  });
  expect(same).toBe(true);
  await opened.close();
});

const offer = [
  'Split it into 2, 3 or 4 payments',
  'See my options',
  'Fees and terms apply. Subject to approval.',
];
const plan = ['See my plan', 'The terms of your agreement apply.'];
const nothing = ['Nothing due', 'See details', 'Check back when you have a balance.'];
const unavailable = ['See why', 'Your balance is due as usual.'];
const production = { environment: 'production' } as const;

test.for([
  ['new', {}, {}, ['Balance Sandbox', ...offer], true],
  ['can_split', {}, { ...production, productVariant: 'hoa' }, ['Association dues', ...offer], true],
  ['can_split', {}, production, ['Balance', ...offer], true],
  // The page may know of a balance that portal_info has not reported yet.
  ['nothing_due', {}, {}, offer, true],
  ['nothing_due', {}, { balance: 0 }, ['Balance Sandbox', '$0.00', ...nothing], false],
  ['nothing_due', {}, { balance: -500 }, ['Credit Sandbox', '$5.00', ...nothing], false],
  ['can_split', {}, { balance: 0 }, nothing, false],
  ['unavailable', {}, { balance: 0 }, nothing, false],
  ['has_plan', { next: '2026-02-15' }, {}, ['Next payment on Feb 15', ...plan], false],
  ['has_plan', {}, {}, ['Your plan is active', ...plan], false],
  ['has_plan', {}, { balance: 0 }, ['$0.00', 'Your plan is active', ...plan], false],
  ['has_plan', {}, { balance: -500 }, ['Credit Sandbox', '$5.00', ...plan], false],
  ['unavailable', {}, {}, ['Not available right now', ...unavailable], false],
  [
    'unavailable',
    { until: '2026-03-03' },
    {},
    ['Not available until Mar 3', ...unavailable],
    false,
  ],
  // A state of a service that is newer than this SDK.
  ['paused' as 'new', {}, {}, ['Not available right now', ...unavailable], false],
] as const)('%s with %o and %o reads %o', async ([state, dates, settings, lines, isOffer]) => {
  const { next = null, until = null } = { ...dates } as { next?: string; until?: string };
  answer(state, next, until);
  const opened = await stage.open();
  await opened.mount(settings);
  const expected = [...lines];
  await expect
    .poll(async () => (await read(opened)).split('\n'))
    .toEqual(expect.arrayContaining(expected));
  const text = await read(opened);
  expect(text.includes('Subject to approval')).toBe(isOffer);
  const isSandbox = !('environment' in settings);
  expect(await opened.page.getByText('Sandbox').isVisible()).toBe(isSandbox);
  const button = opened.page.getByRole('button');
  expect(await button.isEnabled()).toBe(true);
  const isFilled = await button.evaluate((it) => {
    const { backgroundColor } = getComputedStyle(it);
    return backgroundColor !== 'rgba(0, 0, 0, 0)';
  });
  expect(isFilled).toBe(isOffer);
  expect(await opened.page.locator('.svc-payments').isVisible()).toBe(isOffer);
  await opened.close();
});

test.for([
  [
    'declined',
    ['unavailable', null, '2026-05-23'],
    'Not available right now',
    'Not available until May 23',
  ],
  ['done', ['has_plan', '2026-02-15', null], 'Your plan is active', 'Next payment on Feb 15'],
  ['manage', ['has_plan', '2026-03-01', null], 'Your plan is active', 'Next payment on Mar 1'],
  ['offer', ['can_split', null, null], 'Split it into', 'Split it into'],
  ['blocked', ['unavailable', null, null], 'Split it into', 'Not available right now'],
] as const)(
  'after closing at %s the widget changes at once, and again with the answer of the service',
  async ([step, session, atOnce, answered]) => {
    const opened = await stage.open();
    await opened.mount();
    await expect.poll(() => stage.service.widgetBodies).toHaveLength(1);
    await opened.page.evaluate(() => window.driver.open());
    await opened.page.locator('iframe:not([inert])').waitFor();
    const frame = await opened.frame();
    // The request after the close is left without an answer first.
    stage.service.widgetAnswer = null;
    await frame.evaluate(
      (step) => window.say({ type: 'close', reason: 'dismissed', last_step: step }),
      step,
    );
    await opened.event('EXPERIENCE_CLOSED');
    expect(await read(opened)).toContain(atOnce);
    await expect.poll(() => stage.service.widgetBodies).toHaveLength(2);
    const [state, next, until] = session;
    answer(state, next, until);
    await opened.page.evaluate(() => window.driver.open());
    await opened.page.keyboard.press('Escape');
    await expect.poll(() => stage.service.widgetBodies).toHaveLength(3);
    await expect.poll(() => read(opened)).toContain(answered);
    await opened.close();
  },
);

test("with identityCheck 'open' the last step alone changes the widget, without a request", async () => {
  const opened = await stage.open();
  await opened.mount({ identityCheck: 'open' });
  await opened.page.evaluate(() => window.driver.open());
  await opened.page.locator('iframe:not([inert])').waitFor();
  const frame = await opened.frame();
  await frame.evaluate(() =>
    window.say({ type: 'close', reason: 'dismissed', last_step: 'declined' }),
  );
  await expect.poll(() => read(opened)).toContain('Not available right now');
  expect(stage.service.widgetBodies).toEqual([]);
  await opened.close();
});

test('a locale changes the widget’s words, dates and money in place', async () => {
  answer('has_plan', '2026-02-15');
  const opened = await stage.open();
  await opened.mount({ locale: es });
  const lines = ['Saldo', '$1,520.12', 'Próximo pago: 15 feb', 'Ver mi plan'];
  await expect.poll(() => read(opened)).toContain('Próximo pago');
  for (const line of lines) expect(await read(opened)).toContain(line);
  expect(await opened.page.locator('div[lang]').getAttribute('lang')).toBe('es-US');
  await opened.page.evaluate(() => window.driver.open());
  const frame = await opened.frame();
  await frame.waitForFunction(() => window.received.length > 0);
  expect(await frame.evaluate(() => window.received[0]?.locale)).toBe('es-US');
  expect(await opened.page.locator('dialog').getAttribute('aria-label')).toBe('Opciones de pago');
  await opened.page.evaluate(() =>
    window.driver.svc.update({ locale: { language: 'en-GB', 'See my plan': 'Show my plan' } }),
  );
  expect(await read(opened)).toContain('Show my plan');
  expect(await read(opened)).toContain('US$1,520.12');
  await opened.close();
});

test('the request identifies the tenant by signature and contains nothing else', async () => {
  const opened = await stage.open();
  await opened.mount({ productVariant: 'hoa' });
  await expect
    .poll(() => stage.service.widgetBodies)
    .toEqual([
      { pms: 'maple', external_id: 't-100', signature: '5'.repeat(64), product_variant: 'hoa' },
    ]);
  expect(stage.service.requests).toEqual(['POST /v1/widget/session']);
  await opened.close();
});

test.for([
  [401, 'signature_invalid', 1001, false],
  [403, 'origin_not_allowed', 1300, false],
  [422, 'validation_failed', 1000, false],
  [429, 'rate_limited', 1500, true],
  [503, 'unavailable', 1500, true],
] as const)('%i %s is ERROR %i', async ([status, error_code, code, retryable]) => {
  stage.service.widgetAnswer = refusalOf(status, error_code);
  const opened = await stage.open();
  await opened.mount();
  expect(await opened.event('ERROR')).toEqual({
    code,
    error_code,
    msg: `It is ${error_code}.`,
    request_id: 'req_1',
    retryable,
  });
  const button = opened.page.getByRole('button');
  await expect.poll(() => button.isDisabled()).toBe(!retryable);
  if (!retryable) expect(await read(opened)).toContain('Not available right now');
  await opened.close();
});

test.for([
  [502, '<h1>Bad gateway</h1>'],
  [401, { error: { code: 'expired', message: 'A proxy says so.' }, data: null }],
] as const)('an answer %i that is not ours leaves the widget usable', async ([status, body]) => {
  stage.service.widgetAnswer = { status, body };
  const opened = await stage.open();
  await opened.mount();
  expect(await opened.event('ERROR')).toMatchObject({ code: 1200, retryable: true });
  expect(await opened.page.getByRole('button').isEnabled()).toBe(true);
  await opened.close();
});

test("with identityCheck 'open' nothing is requested", async () => {
  const opened = await stage.open();
  await opened.mount({ identityCheck: 'open' });
  await opened.page.waitForLoadState('networkidle');
  expect(stage.service.requests).toEqual([]);
  await opened.close();
});

test('any setting changes in place, and wrong ones change nothing', async () => {
  const opened = await stage.open();
  await opened.mount();
  await expect.poll(() => stage.service.widgetBodies.length).toBe(1);
  const node = await opened.page.locator('[part=card]').elementHandle();
  await opened.page.evaluate(() => window.driver.svc.update({ balance: 99 }));
  expect(await read(opened)).toContain('$0.99');
  expect(stage.service.widgetBodies).toHaveLength(1);
  const message = await opened.page.evaluate(() => {
    try {
      window.driver.svc.update({ balance: 0.5, productVariant: 'hoa' });
    } catch (error) {
      return String(error);
    }
  });
  expect(message).toContain('balance: 0.5 is not an integer');
  expect(await read(opened)).toContain('Balance');
  answer('unavailable');
  await opened.page.evaluate(() => window.driver.svc.update({ signature: 'a'.repeat(64) }));
  await expect.poll(() => read(opened)).toContain('Not available right now');
  expect(stage.service.widgetBodies).toHaveLength(2);
  expect(await node?.evaluate((it) => it.isConnected)).toBe(true);
  await opened.close();
});

test('settings that change together are one change: one request, with all of them', async () => {
  const opened = await stage.open();
  await opened.mount();
  await expect.poll(() => stage.service.widgetBodies.length).toBe(1);
  answer('has_plan');
  await opened.page.evaluate(() =>
    window.driver.svc.update({
      balance: 700,
      externalId: 't-200',
      signature: 'b'.repeat(64),
      productVariant: 'hoa',
    }),
  );
  await expect.poll(() => read(opened)).toContain('Your plan is active');
  for (const text of ['$7.00', 'Association dues']) expect(await read(opened)).toContain(text);
  expect(stage.service.widgetBodies.slice(1)).toEqual([
    { pms: 'maple', external_id: 't-200', signature: 'b'.repeat(64), product_variant: 'hoa' },
  ]);
  await opened.close();
});

test('a response about a tenant who is no longer shown is ignored', async () => {
  const opened = await stage.open();
  const said = await opened.page.evaluate(async () => {
    const answers: ((state: string) => void)[] = [];
    window.fetch = () =>
      new Promise((resolve) => {
        // Read at once, unlike a real one.
        const json = async (state: string) => ({ error: null, data: { state } });
        answers.push((state) => resolve({ json: () => json(state) } as never));
      });
    const turn = () => new Promise((resolve) => setTimeout(resolve));
    window.driver.mount();
    while (answers.length < 1) await turn();
    window.driver.svc.update({ externalId: 't-200' });
    answers[1]?.('has_plan');
    await turn();
    answers[0]?.('unavailable');
    await turn();
    return window.driver.svc.createWidget().shadowRoot?.querySelector('[role=status]')?.textContent;
  });
  expect(said).toBe('Your plan is active');
  await opened.close();
});

test.for([
  'width:320px;min-height:250px',
  'width:420px;height:300px',
  'width:520px;min-height:250px',
  'width:560px;height:300px',
  'width:900px;height:500px',
])('neither an answer nor a new balance moves anything, and no layout shifts: %s', async (slot) => {
  answer('has_plan', '2026-02-15');
  const opened = await stage.open({ slot, after: '<p id="below">Below</p>' });
  await opened.mount();
  const before = await opened.page.locator('[part=card] *').evaluateAll(tops);
  await expect.poll(() => read(opened)).toContain('Next payment');
  expect(await opened.page.locator('[part=card] *').evaluateAll(tops)).toEqual(before);
  await opened.page.evaluate(() => window.driver.svc.update({ balance: 9_999_999 }));
  const places = await opened.page.locator('[part=card] *').evaluateAll(tops);
  // Of a longer amount the column is wider, as far as nothing else is there.
  expect(places.map((place) => place.slice(0, 3))).toEqual(
    before.map((place) => place.slice(0, 3)),
  );
  expect(await opened.page.evaluate(() => window.shifts)).toBe(0);
  await opened.close();

  function tops(elements: Element[]): [string, number, number, number][] {
    return elements
      .filter((it) => it.tagName !== 'SPAN')
      .map((it) => {
        const { top, left, width } = it.getBoundingClientRect();
        return [it.tagName, top, left, width];
      });
  }
});
