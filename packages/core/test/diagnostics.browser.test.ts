import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { SvcSettings } from '../src/index.ts';
import type { PageOptions } from './fixture/partner.ts';
import { answerOf, refusalOf } from './fixture/service.ts';
import {
  bundleDiagnostics,
  bundleExtra,
  type Opened,
  type Stage,
  startStage,
} from './fixture/stage.ts';

let stage: Stage;
let environment: 'sandbox' | 'production';
beforeAll(async () => {
  const [file, element] = await Promise.all([
    bundleDiagnostics(),
    bundleExtra('src/tag/define-svc-widget.ts'),
  ]);
  stage = await startStage({ 'element.js': element }, (request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    if (request.url === '/sdk/diagnostics.js') {
      response.setHeader('content-type', 'text/javascript');
      response.end(file);
    } else {
      response.end(JSON.stringify({ environment, release: '0.1.0-1' }));
    }
  });
});
afterAll(() => stage.close());
beforeEach(() => {
  stage.service.reset();
  environment = 'sandbox';
});

type OpenedWithLines = Opened & { lines: string[] };

/** Opens a page, and collects the lines that the SDK writes to its console. */
async function open(options: PageOptions = {}): Promise<OpenedWithLines> {
  const opened = await stage.open(options);
  const lines: string[] = [];
  opened.page.on('console', (message) => {
    const text = message.text();
    if (text.startsWith('Svc ')) lines.push(`${message.type()}: ${text}`);
  });
  return { ...opened, lines };
}

/** Waits for a line, and asserts that it is the only one and contains these parts. */
async function onlyLine({ lines }: OpenedWithLines, ...parts: string[]): Promise<void> {
  await expect.poll(() => lines).toHaveLength(1);
  for (const part of parts) expect(lines[0]).toContain(part);
  const code = /^\w+: Svc (?:\d+ )?(\w+): /.exec(lines[0] ?? '')?.[1];
  expect(lines[0]).toContain(`${stage.service.origin}/docs/errors#${code}`);
}

const policy = (...directives: string[]) =>
  ["default-src 'none'", "script-src 'self'", 'img-src data:', ...directives].join('; ');

interface Mistake {
  what: string;
  /** Prepares the service. */
  given?: () => void;
  settings?: Partial<SvcSettings>;
  page?: () => PageOptions;
  says: () => string[];
}

/** The mistakes of the review's table that show when the widget is mounted. */
const mistakes: Mistake[] = [
  {
    what: 'a wrong signature',
    given: () => {
      stage.service.widgetAnswer = refusalOf(401, 'signature_invalid');
    },
    says: () => [
      'error: Svc 1001 signature_invalid: ',
      'pms + "+" + externalId',
      '/v1/partner/doctor',
    ],
  },
  {
    what: 'an id that is signed in another form than it is passed',
    given: () => {
      stage.service.widgetAnswer = refusalOf(401, 'signature_invalid');
    },
    settings: { externalId: 'unit%204' },
    says: () => ['Svc 1001 signature_invalid: ', 'externalId looks percent-encoded'],
  },
  {
    what: 'a wrong portal name',
    given: () => {
      stage.service.widgetAnswer = refusalOf(401, 'portal_unknown');
    },
    says: () => ['error: Svc 1001 portal_unknown: ', 'has no portal named "maple"'],
  },
  {
    what: 'the environment of another service',
    given: () => {
      environment = 'production';
      stage.service.widgetAnswer = refusalOf(401, 'signature_invalid');
    },
    says: () => [
      'error: Svc 1001 wrong_environment: ',
      `${stage.service.origin} is a production service`,
    ],
  },
  {
    what: 'an origin that is not allowed',
    given: () => {
      stage.service.widgetAnswer = refusalOf(403, 'origin_not_allowed');
    },
    says: () => [
      'error: Svc 1300 origin_not_allowed: ',
      'Add http://127.0.0.1',
      'PUT /v1/partner/allowed_origins',
    ],
  },
  {
    what: 'a window that is not open yet',
    given: () => {
      stage.service.widgetAnswer = answerOf('too_early', null, '2026-11-24');
    },
    says: () => ['warning: Svc tenant_too_early: The tenant can split from 2026-11-24 on'],
  },
  {
    what: 'a balance without charges',
    given: () => {
      stage.service.widgetAnswer = answerOf('nothing_due');
    },
    says: () => ['warning: Svc tenant_nothing_due: ', 'Send portal_info with the charges'],
  },
  {
    what: 'a policy that blocks the request',
    page: () => ({ csp: policy(`frame-src ${stage.service.origin}`) }),
    says: () => [
      'error: Svc 1200 connect_blocked: ',
      `The policy needs "connect-src ${stage.service.origin}". http`,
    ],
  },
  {
    what: 'a policy that lists another service',
    page: () => ({ csp: policy("connect-src 'self' https://api.example.com") }),
    says: () => [
      `The policy needs "connect-src 'self' https://api.example.com ${stage.service.origin}". `,
    ],
  },
  {
    what: 'a policy whose fallback has words that only scripts use',
    page: () => ({
      csp: "default-src 'self' 'unsafe-inline' 'nonce-a' https://api.example.com",
    }),
    says: () => [
      `The policy needs "connect-src 'self' https://api.example.com ${stage.service.origin}". `,
    ],
  },
  {
    what: 'a service that fails',
    given: () => {
      stage.service.widgetAnswer = refusalOf(500, 'internal_error');
    },
    says: () => ['error: Svc 1500 internal_error: '],
  },
  {
    what: 'a proxy that answers instead of the service',
    given: () => {
      stage.service.widgetAnswer = { status: 502, body: '<h1>Bad gateway</h1>' };
    },
    says: () => ['error: Svc 1200 network: ', 'answers, but gave'],
  },
  {
    what: 'a container that is too small',
    page: () => ({ slot: 'width:300px;height:200px' }),
    says: () => ['error: Svc 1002 container_too_small: The widget is 300 × '],
  },
];

test.each(mistakes)('in the sandbox, one line names $what', async (mistake) => {
  mistake.given?.();
  const opened = await open(mistake.page?.());
  await opened.mount(mistake.settings ?? {});
  await onlyLine(opened, ...mistake.says());
  expect(opened.faults).toEqual([]);
  await opened.close();
});

test('in production, mistakes are events and no line, and nothing more is loaded', async () => {
  const opened = await open({ slot: 'width:300px;height:200px' });
  stage.service.widgetAnswer = refusalOf(401, 'signature_invalid');
  await opened.mount({ environment: 'production' });
  await expect
    .poll(async () => (await opened.events()).map(([, data]) => data.error_code))
    .toEqual(expect.arrayContaining(['container_too_small', 'signature_invalid']));
  // Waits for one more task after the last event: a line would have been written by then.
  await opened.page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
  expect(opened.lines).toEqual([]);
  expect(stage.service.requests).toEqual(['POST /v1/widget/session']);
  await opened.close();
});

test('a service that is down has another line than a policy that blocks it', async () => {
  const opened = await open();
  // Nothing listens on port 9 of this machine.
  await opened.mount({ baseUrl: 'http://localhost:9' });
  await expect.poll(() => opened.lines).toHaveLength(1);
  expect(opened.lines[0]).toContain('Svc 1200 network: No usable answer from http://localhost:9.');
  expect(opened.lines[0]).toContain('http://localhost:9/docs/errors#network');
  await opened.close();
});

test('a page whose policy allows no script of the service still gets its line', async () => {
  stage.service.widgetAnswer = refusalOf(401, 'signature_invalid');
  const opened = await open({ csp: policy(`connect-src ${stage.service.origin}`) });
  await opened.mount();
  await onlyLine(opened, 'error: Svc 1001 signature_invalid: It is signature_invalid.');
  await opened.close();
});

test('ten widgets with one mistake are one line', async () => {
  stage.service.widgetAnswer = refusalOf(401, 'portal_unknown');
  const opened = await open();
  await opened.page.evaluate(() => {
    for (let at = 0; at < 10; at += 1) window.driver.mount();
  });
  await expect
    .poll(async () => (await opened.types()).filter((it) => it === 'ERROR'))
    .toHaveLength(10);
  await onlyLine(opened, 'portal_unknown');
  await opened.close();
});

test('a policy that blocks the frame fails at once, with the directive that it needs', async () => {
  const { origin } = stage.service;
  const opened = await open({ csp: policy(`connect-src ${origin}`, "frame-src 'none'") });
  await opened.mount({ identityCheck: 'open' });
  await opened.page.evaluate(() => window.driver.open());
  await opened.page.getByText('Your options didn’t load').waitFor();
  const needs = `The policy needs "frame-src ${origin}".`;
  expect(await opened.event('ERROR')).toMatchObject({
    code: 1300,
    error_code: 'frame_blocked',
    msg: expect.stringContaining(needs),
  });
  await onlyLine(opened, 'error: Svc 1300 frame_blocked: ', needs);
  // A retry fails again immediately, and writes no second line.
  await opened.page.getByRole('button', { name: 'Try again' }).click();
  await expect
    .poll(async () => (await opened.types()).filter((it) => it === 'ERROR'))
    .toHaveLength(2);
  expect(opened.lines).toHaveLength(1);
  await opened.close();
});

test.each([
  ['origin_not_allowed', 403, 'Add http://127.0.0.1'],
  ['portal_unknown', 401, 'has no portal named "maple"'],
] as const)('a frame that never answers because of %s says so', async (code, status, part) => {
  stage.service.frame = 'dead';
  stage.service.widgetAnswer = refusalOf(status, code);
  const opened = await open();
  await opened.mount({ identityCheck: 'open' });
  await opened.page.clock.install();
  await opened.page.evaluate(() => window.driver.open());
  await opened.page.clock.runFor(15_000);
  await onlyLine(opened, `Svc 1300 ${code}: `, part);
  await opened.close();
});

test('a widget that is in no page after five seconds is one line, in the sandbox only', async () => {
  const opened = await open();
  await opened.page.clock.install();
  await opened.page.evaluate(() => {
    const { driver, sdk } = window;
    sdk.Svc({ ...driver.settings, environment: 'production' }).createWidget();
    // These two are not mistakes: a widget that is destroyed early, and one in a hidden tab panel.
    const removed = sdk.Svc(driver.settings);
    removed.createWidget();
    removed.destroy();
    driver.mount();
    document.getElementById('slot')?.setAttribute('hidden', '');
    // This one is the mistake.
    sdk.Svc(driver.settings).createWidget();
  });
  await opened.page.clock.runFor(4_900);
  expect(opened.lines).toEqual([]);
  await opened.page.clock.runFor(200);
  await onlyLine(opened, 'warning: Svc widget_not_attached: ', 'Append the element to a container');
  await opened.close();
});

test('an error of the page’s callback is in the same line', async () => {
  const opened = await open();
  await opened.page.evaluate(() =>
    window.driver.mount({
      identityCheck: 'open',
      onWidgetClickCallback: () => {
        throw new Error('no backend');
      },
    }),
  );
  await opened.event('WIDGET_READY');
  await opened.page.getByRole('button', { name: 'See my options' }).click();
  await onlyLine(opened, 'error: Svc 1400 callback_threw: ', 'Error: no backend');
  await opened.close();
});

test('a token that is none says what was passed', async () => {
  const opened = await open();
  await opened.mount({ identityCheck: 'open' });
  await opened.page.evaluate(() => window.driver.open({}));
  await onlyLine(opened, 'error: Svc 1100 token_not_a_string: ', 'got object');
  await opened.close();
});

test('a token that the service refuses is one line, and a session that ends later is none', async () => {
  stage.service.frame = 'refusing';
  const refused = await open();
  await refused.mount({ identityCheck: 'open' });
  await refused.page.evaluate(() => window.driver.open());
  await onlyLine(refused, 'error: Svc 1100 token_refused: ', 'Call portal_info for each click');
  await refused.close();

  stage.service.frame = 'lively';
  const ended = await open();
  await ended.mount({ identityCheck: 'open' });
  await ended.page.evaluate(() => window.driver.open());
  const inside = await ended.frame();
  await ended.page.locator('dialog iframe:not([inert])').waitFor();
  await inside.evaluate(() => window.say({ type: 'step', step: 'consent' }));
  await inside.evaluate(() => window.say({ type: 'token_needed' }));
  await ended.event('TOKEN_EXPIRED');
  await ended.page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
  expect(ended.lines).toEqual([]);
  await ended.close();
});

test('<svc-widget> with a wrong setting shows a note in the box, and in production none', async () => {
  const tag = (more: string) =>
    `<svc-widget balance="1520.12" pms="maple" external-id="t-100" signature="${'5'.repeat(64)}" base-url="${stage.service.origin}/v1" environment="${more}"></svc-widget>`;
  const define = async ({ page }: OpenedWithLines) =>
    page.evaluate(async () => {
      type Element = { defineSvcWidget(): void };
      const element = await window.driver.from<Promise<Element>>("import('/element.js')");
      element.defineSvcWidget();
      // A task later, the tag has made its widget or has said why not.
      await new Promise((resolve) => setTimeout(resolve));
    });
  const opened = await open({ content: tag('sandbox') });
  await define(opened);
  const note = opened.page.getByRole('note');
  await note.waitFor();
  expect(await note.innerText()).toContain('balance: 1520.12 is not an integer.');
  await onlyLine(opened, 'error: Svc 1000 invalid_settings: balance: 1520.12');
  await opened.page.evaluate(() =>
    document.querySelector('svc-widget')?.setAttribute('balance', '152012'),
  );
  await opened.page.getByText('$1,520.12').waitFor();
  expect(await note.count()).toBe(0);
  await opened.close();

  const production = await open({ content: tag('production') });
  await define(production);
  expect(await production.page.getByRole('note').count()).toBe(0);
  expect(production.lines).toEqual([]);
  await production.close();
});

test('diagnose() returns what the doctor needs, and no token', async () => {
  stage.service.widgetAnswer = refusalOf(401, 'portal_unknown');
  const opened = await open();
  await opened.mount({ token: 'svc_tt_secret' });
  await opened.event('ERROR');
  const diagnosis = await opened.page.evaluate(() => window.driver.svc.diagnose());
  expect(diagnosis).toEqual({
    page_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/page\/\d+$/),
    service: stage.service.origin,
    environment: 'sandbox',
    pms: 'maple',
    external_id: 't-100',
    signature: '5'.repeat(64),
    balance: 152012,
    container: { width: 420, height: 300 },
    status: 'unavailable',
    blocked_by: [],
    problems: [
      {
        code: 1001,
        error_code: 'portal_unknown',
        msg: 'It is portal_unknown.',
        request_id: 'req_1',
      },
    ],
  });
  await opened.close();
});
