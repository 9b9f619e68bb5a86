import type { WidgetPayment } from '@svc/contract/frame';
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
        // Observers run as the last step before a frame is painted. The SDK's own was registered first.
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
const plan = ['Manage plan', 'The terms of your agreement apply.'];
const nothingDueTexts = ['Nothing due', 'See details', 'Check back when you have a balance.'];
const unavailable = ['See why', 'Your balance is due as usual.'];
const payments = [
  { due_on: '2026-02-01', state: 'paid' },
  { due_on: '2026-02-08', state: 'processing' },
  { due_on: '2026-02-15', state: 'due' },
] as const;
const late = [payments[0], { due_on: '2026-02-08', state: 'past_due' }, payments[2]] as const;
const failed = [payments[0], { due_on: '2026-02-08', state: 'failed' }, payments[2]] as const;
const attention = [
  'Something needs your attention',
  'We’ll show you what to do',
  'See details',
  'The terms of your agreement apply.',
];
const production = { environment: 'production' } as const;

test.for([
  ['new', {}, {}, ['Balance', ...offer], 'offer'],
  [
    'can_split',
    {},
    { ...production, productVariant: 'hoa' },
    ['Association dues', ...offer],
    'offer',
  ],
  ['can_split', {}, production, ['Balance', ...offer], 'offer'],
  // The page may know of a balance that portal_info has not reported yet.
  ['nothing_due', {}, {}, offer, 'offer'],
  ['paid_off', {}, {}, offer, 'offer'],
  ['too_early', { until: '2026-01-25' }, {}, ['You can split it starting Jan 25'], 'quiet offer'],
  ['applied', {}, {}, ['You’ve started an application', 'Continue', offer[2]], 'offer'],
  ['in_review', {}, {}, ['We’re reviewing your application', 'See status'], 'quiet offer'],
  [
    'approved',
    {},
    {},
    ['You’re approved. Choose a plan', 'Choose my plan', 'Fees and terms apply.'],
    'approved',
  ],
  ['nothing_due', {}, { balance: 0 }, ['Balance', '$0.00', ...nothingDueTexts], 'quiet'],
  ['nothing_due', {}, { balance: -500 }, ['Credit', '$5.00', ...nothingDueTexts], 'quiet'],
  ['paid_off', {}, { balance: 0 }, ['$0.00', 'Your plan is paid off'], 'quiet whole'],
  ['can_split', {}, { balance: 0 }, nothingDueTexts, 'quiet'],
  ['unavailable', {}, { balance: 0 }, nothingDueTexts, 'quiet'],
  [
    'has_plan',
    { next: '2026-02-15', payments },
    {},
    ['Balance $1,520.12', 'Next payment: Feb 15', '1 of 3 payments made', ...plan],
    'plan',
  ],
  // A service up to 0.2 sends no payments.
  [
    'has_plan',
    { next: '2026-02-15' },
    {},
    ['Next payment: Feb 15', 'You’re paying over time', ...plan],
    'quiet',
  ],
  ['has_plan', {}, {}, ['Plan active', 'You’re paying over time', ...plan], 'quiet'],
  ['has_plan', {}, { balance: 0 }, ['Balance $0.00', 'Plan active', ...plan], 'quiet'],
  ['has_plan', {}, { balance: -500 }, ['Credit $5.00', 'Plan active', ...plan], 'quiet'],
  [
    'past_due',
    { next: '2026-02-08', payments: late },
    {},
    ['A payment is late', 'It was due Feb 8', 'Pay now', plan[1]],
    'late plan',
  ],
  [
    'payment_failed',
    { next: '2026-02-08', payments: failed },
    {},
    ['Balance $1,520.12', 'A payment didn’t go through', '1 of 3 payments made', 'See details'],
    'late plan',
  ],
  ['payment_failed', {}, {}, ['A payment didn’t go through', 'You’re paying over time'], 'late'],
  [
    'starting',
    {},
    { balance: 0 },
    ['Balance $0.00', 'First payment processing', 'Your plan starts once it’s paid', 'See status'],
    'quiet',
  ],
  [
    'starting',
    { payments: [{ due_on: '2026-02-01', state: 'processing' }, late[2], payments[2]] },
    {},
    ['First payment processing', 'Your plan starts once it’s paid', 'See status'],
    'quiet plan',
  ],
  // The text is the same for every balance, and never says why.
  ['needs_attention', {}, { balance: 0 }, ['Balance $0.00', ...attention], 'late'],
  ['needs_attention', {}, {}, ['Balance $1,520.12', ...attention], 'late'],
  ['moved_out', {}, {}, ['Not available after you move out', 'See details'], 'quiet'],
  [
    'moved_out',
    {},
    { productVariant: 'hoa' },
    ['Association dues', 'No longer available for this home', 'See details'],
    'quiet',
  ],
  ['unavailable', {}, {}, ['Not available right now', ...unavailable], 'quiet'],
  [
    'unavailable',
    { until: '2026-03-03' },
    {},
    ['Not available until Mar 3', ...unavailable],
    'quiet',
  ],
] as const)('%s with %o and %o reads %o', async ([status, given, settings, lines, kind]) => {
  const {
    next,
    until,
    payments = [],
  } = given as {
    next?: string;
    until?: string;
    payments?: WidgetPayment[];
  };
  answer(status, next, until, payments);
  const opened = await stage.open();
  await opened.mount(settings);
  const expected = [...lines];
  await expect
    .poll(async () => (await read(opened)).split('\n'))
    .toEqual(expect.arrayContaining(expected));
  // A plan, a paid balance and a refusal promise nothing that an approval could still take away.
  const text = await read(opened);
  expect(text.includes('Subject to approval')).toBe(kind.includes('offer'));
  const isSandbox = !('environment' in settings);
  expect(await opened.page.getByText('Sandbox').isVisible()).toBe(isSandbox);
  const button = opened.page.getByRole('button');
  expect(await button.isEnabled()).toBe(true);
  const isFilled = await button.evaluate((it) => {
    const { backgroundColor } = getComputedStyle(it);
    return backgroundColor !== 'rgba(0, 0, 0, 0)';
  });
  expect(isFilled).toBe(['offer', 'approved', 'late plan', 'late'].includes(kind));
  const segments: Record<string, number> = {
    offer: 4,
    approved: 4,
    plan: 3,
    'late plan': 3,
    'quiet plan': 3,
    'quiet whole': 1,
  };
  expect(await opened.page.locator('.svc-payments i').count()).toBe(segments[kind] ?? 0);
  await opened.close();
});

test('a payment that was moved is drawn as moved, also where it comes next', async () => {
  const session = {
    state: 'has_plan',
    status: 'has_plan',
    next_payment_on: '2026-02-20',
    payments: [
      payments[0],
      { due_on: '2026-02-20', state: 'due', moved: true },
      { due_on: '2026-02-27', state: 'due' },
    ],
  };
  stage.service.widgetAnswer = { status: 200, body: { error: null, data: session } };
  const opened = await stage.open();
  await opened.mount();
  await expect.poll(() => read(opened)).toContain('Next payment: Feb 20');
  const segments = opened.page.locator('.svc-payments i');
  const names = await segments.evaluateAll((all) => all.map(({ className }) => className));
  expect(names).toEqual(['svc-paid', 'svc-next-moved', 'svc-due']);
  await opened.close();
});

test('a payment that was moved, and one that a credit has paid, have their own segments', async () => {
  const session = {
    state: 'has_plan',
    status: 'has_plan',
    next_payment_on: '2026-02-15',
    payments: [
      payments[0],
      { due_on: '2026-02-15', state: 'due' },
      { due_on: '2026-02-27', state: 'due', moved: true },
    ],
    credited_on: ['2026-02-22'],
  };
  stage.service.widgetAnswer = { status: 200, body: { error: null, data: session } };
  const opened = await stage.open();
  await opened.mount();
  await expect.poll(() => read(opened)).toContain('1 of 3 payments made');
  const segments = opened.page.locator('.svc-payments i');
  const names = await segments.evaluateAll((all) => all.map(({ className }) => className));
  expect(names).toEqual(['svc-paid', 'svc-next', 'svc-credited', 'svc-moved']);
  await opened.close();
});

test.for([
  // A service that is newer than this SDK: its state says what to show.
  [{ state: 'has_plan', status: 'paused', next_payment_on: '2026-02-15' }, 'Next payment: Feb 15'],
  [{ state: 'paused', status: 'paused' }, 'Not available right now'],
  // A service that is older than this SDK.
  [{ state: 'can_split', next_payment_on: null, available_on: null }, 'Split it into'],
  [
    { state: 'unavailable', next_payment_on: null, available_on: '2026-03-03' },
    'Not available until Mar 3',
  ],
])('the session %o of another version reads "%s"', async ([data, text]) => {
  stage.service.widgetAnswer = { status: 200, body: { error: null, data } };
  const opened = await stage.open();
  await opened.mount();
  await expect.poll(() => read(opened)).toContain(text);
  expect(opened.faults).toEqual([]);
  await opened.close();
});

test.for([
  [
    'declined',
    ['unavailable', null, '2026-05-23'],
    'Not available right now',
    'Not available until May 23',
  ],
  ['done', ['has_plan', '2026-02-15', null], 'Plan active', 'Next payment: Feb 15'],
  ['manage', ['has_plan', '2026-03-01', null], 'Plan active', 'Next payment: Mar 1'],
  ['offer', ['can_split', null, null], 'Split it into', 'Split it into'],
  ['manage', ['needs_attention', null, null], 'Plan active', 'Something needs your attention'],
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
    // At first, the request after the close gets no response.
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

test('a debt stays on the widget after the tenant has looked at the closed plan', async () => {
  answer('needs_attention');
  const opened = await stage.open();
  await opened.mount();
  await expect.poll(() => read(opened)).toContain('Something needs your attention');
  await opened.page.evaluate(() => window.driver.open());
  await opened.page.locator('iframe:not([inert])').waitFor();
  const frame = await opened.frame();
  stage.service.widgetAnswer = null;
  await frame.evaluate(() =>
    window.say({ type: 'close', reason: 'dismissed', last_step: 'manage' }),
  );
  await opened.event('EXPERIENCE_CLOSED');
  expect(await read(opened)).toContain('Something needs your attention');
  await opened.close();
});

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
  const lines = ['Saldo', '$1,520.12', 'Próximo pago: 15 feb', 'Administrar plan'];
  await expect.poll(() => read(opened)).toContain('Próximo pago');
  for (const line of lines) expect(await read(opened)).toContain(line);
  expect(await opened.page.locator('div[lang]').getAttribute('lang')).toBe('es-US');
  await opened.page.evaluate(() => window.driver.open());
  const frame = await opened.frame();
  await frame.waitForFunction(() => window.received.length > 0);
  expect(await frame.evaluate(() => window.received[0]?.locale)).toBe('es-US');
  expect(await opened.page.locator('dialog').getAttribute('aria-label')).toBe('Opciones de pago');
  await opened.page.evaluate(() =>
    window.driver.svc.update({ locale: { language: 'en-GB', 'Manage plan': 'Show my plan' } }),
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
  await expect.poll(() => read(opened)).toContain('Plan active');
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
        // Unlike a real body, this one can be read immediately.
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
    return window.driver.svc.createWidget().shadowRoot?.querySelector('.svc-amount')?.textContent;
  });
  expect(said).toBe('Plan active');
  await opened.close();
});

test.for([
  'width:320px;min-height:250px',
  'width:420px;height:300px',
  'width:520px;min-height:250px',
  'width:560px;height:300px',
  'width:900px;height:500px',
])('neither an answer nor a new balance moves anything, and no layout shifts: %s', async (slot) => {
  answer('has_plan', '2026-02-15', null, [...payments]);
  const opened = await stage.open({ slot, after: '<p id="below">Below</p>' });
  await opened.mount();
  const before = await opened.page.locator('[part=card] *').evaluateAll(tops);
  await expect.poll(() => read(opened)).toContain('Next payment');
  expect(await opened.page.locator('[part=card] *').evaluateAll(tops)).toEqual(before);
  await opened.page.evaluate(() => window.driver.svc.update({ balance: 9_999_999 }));
  const places = await opened.page.locator('[part=card] *').evaluateAll(tops);
  // A longer amount widens its column into free space, so widths are not compared.
  expect(places.map((place) => place.slice(0, 3))).toEqual(
    before.map((place) => place.slice(0, 3)),
  );
  expect(await opened.page.evaluate(() => window.shifts)).toBe(0);
  await opened.close();

  /**
   * Returns the tag, top, left and width of each element, except the rows of the details and the segments
   * of the bar: those are replaced, not moved.
   */
  function tops(elements: Element[]): [string, number, number, number][] {
    return elements
      .filter((it) => !['SPAN', 'LI', 'I', 'B'].includes(it.tagName))
      .map((it) => {
        const { top, left, width } = it.getBoundingClientRect();
        return [it.tagName, top, left, width];
      });
  }
});
