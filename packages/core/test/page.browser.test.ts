import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { violationsOf } from '../../../scripts/test/axe.ts';
import { bundleSdk, type Stage, startStage } from './fixture/stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage({ 'svc.iife.js': await bundleSdk('iife') });
});
afterAll(() => stage.close());
beforeEach(() => stage.service.reset());

test('both bundles are at most 5.3 kB gz, and an unused import leaves nothing of it', async () => {
  const code = await bundleSdk();
  // 5,291 and 5,297 by Node 20; another's zlib may differ by a few.
  for (const bundle of [code, await bundleSdk('iife')]) {
    expect(gzipSync(bundle, { level: 9 }).length).toBeLessThanOrEqual(5305);
  }
  const built = await build({
    configFile: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'page',
        resolveId: (id) => (id === 'page' || id === '@svc/core' ? id : null),
        load: (id) =>
          id === 'page'
            ? "import '@svc/core'; export const own = 1;"
            : id === '@svc/core'
              ? code
              : null,
      },
    ],
    build: { write: false, rolldownOptions: { input: 'page', preserveEntrySignatures: 'strict' } },
  });
  const [bundle] = Array.isArray(built) ? built : [built];
  if (!bundle || !('output' in bundle)) throw new Error('no bundle');
  expect(bundle.output[0].code).not.toMatch(/svc|sandbox|dialog/i);
});

test('the bundle is imported without a browser', async () => {
  const code = await bundleSdk();
  const sdk = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  expect(sdk.Environment).toEqual({ Sandbox: 'sandbox', Production: 'production' });
  expect(() => sdk.Svc({})).toThrow('balance: got nothing');
});

test('by a script tag the global is the factory and carries the rest', async () => {
  const opened = await stage.open({ after: '<script src="/svc.iife.js"></script>' });
  const seen = await opened.page.evaluate(() => {
    const { Svc } = window as unknown as { Svc: typeof window.sdk.Svc & { Environment: object } };
    document.getElementById('slot')?.append(Svc(window.driver.settings).createWidget());
    return [Svc.Environment, document.querySelector('#slot > div')?.shadowRoot?.textContent];
  });
  expect(seen).toEqual([
    { Sandbox: 'sandbox', Production: 'production' },
    expect.stringContaining('$1,520.12'),
  ]);
  expect(opened.faults).toEqual([]);
  await opened.close();
});

test('under a strict policy everything works, with no violation', async () => {
  const opened = await stage.open({
    csp: [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'none'",
      "connect-src 'none'",
      "trusted-types 'none'",
      "require-trusted-types-for 'script'",
      'img-src data:',
      `frame-src ${stage.service.origin}`,
    ].join(';'),
  });
  await opened.mount({
    identityCheck: 'open',
    appearance: { theme: 'dark', variables: { accent: 'purple' } },
  });
  await opened.page.getByRole('button').click();
  await opened.page.locator('iframe:not([inert])').waitFor();
  await opened.page.keyboard.press('Escape');
  await opened.event('EXPERIENCE_CLOSED');
  expect(await opened.page.evaluate(() => window.violations)).toEqual([]);
  expect(await opened.types()).not.toContain('ERROR');
  const color = await opened.page
    .locator('[part=button]')
    .first()
    .evaluate((it) => getComputedStyle(it).backgroundColor);
  expect(color).toBe('rgb(128, 0, 128)');
  expect(opened.faults).toEqual([]);
  await opened.close();
});

test("a policy that forbids the widget's request costs the check, not the widget", async () => {
  const opened = await stage.open({
    csp: "default-src 'none'; script-src 'self'; img-src data:; connect-src 'none'",
  });
  await opened.mount();
  expect(await opened.event('ERROR')).toMatchObject({ code: 1200 });
  expect(await opened.page.getByRole('button').isEnabled()).toBe(true);
  await opened.close();
});

test('destroy at any moment leaves nothing behind and breaks nothing', async () => {
  const moments = [
    '() => {}',
    '() => driver.svc.createWidget()',
    '() => document.querySelector("#slot > div").shadowRoot.querySelector("button").click()',
    '() => driver.open()',
    '() => { driver.open(); driver.open("svc_tt_2"); }',
    'async () => { driver.open(); await new Promise((go) => setTimeout(go, 30)); }',
    'async () => { driver.svc.on("WIDGET_READY", () => driver.svc.destroy()); await new Promise(requestAnimationFrame); }',
    'async () => { driver.svc.on("EXPERIENCE_OPENED", () => driver.svc.destroy()); driver.open(); }',
    'async () => { driver.svc.on("WIDGET_CLICKED", () => driver.svc.destroy()); document.querySelector("#slot > div").shadowRoot.querySelector("button").click(); }',
  ];
  for (const moment of moments) {
    const opened = await stage.open();
    await opened.page.evaluate(async (code) => {
      window.driver.mount();
      await window.driver.from<() => Promise<void>>(code)();
      window.driver.svc.destroy();
      window.driver.svc.destroy();
    }, moment);
    await opened.page.waitForLoadState('networkidle');
    expect([
      moment,
      await opened.page.locator('#slot *, dialog, body > div:not(#slot)').count(),
    ]).toEqual([moment, 0]);
    const { results, sheets, opens, closes } = await opened.page.evaluate(() => ({
      results: window.driver.results,
      sheets: document.adoptedStyleSheets.length,
      opens: window.driver.events.filter(([type]) => type === 'EXPERIENCE_OPENED').length,
      closes: window.driver.events.filter(([type]) => type === 'EXPERIENCE_CLOSED').length,
    }));
    expect([moment, sheets, closes]).toEqual([moment, 0, opens]);
    for (const result of results) expect(result).toMatchObject({ reason: 'destroyed' });
    expect(opened.faults).toEqual([]);
    await opened.close();
  }
});

test('a destroyed instance opens nothing and makes no widget', async () => {
  const opened = await stage.open();
  const outcome = await opened.page.evaluate(async () => {
    window.driver.mount();
    const { svc } = window.driver;
    svc.destroy();
    const result = await svc.openExperienceAndSetToken('svc_tt_1');
    try {
      svc.createWidget();
    } catch (error) {
      return [result, (error as { error_code: string }).error_code];
    }
  });
  expect(outcome).toEqual([{ reason: 'destroyed', last_step: null }, 'destroyed']);
  await opened.close();
});

test('ten widgets and two copies of the SDK live on one page', async () => {
  const opened = await stage.open();
  await opened.page.evaluate(async () => {
    // Vitest rewrites a dynamic import, and the page would not know its helper.
    const other = (await window.driver.from("import('/copy.js')")) as typeof window.sdk;
    for (let index = 0; index < 10; index += 1) {
      const { Svc } = index % 2 ? other : window.sdk;
      const svc = Svc({ ...window.driver.settings, identityCheck: 'open', balance: index * 100 });
      document.getElementById('slot')?.append(svc.createWidget());
      if (index > 7) void svc.openExperienceAndSetToken(`svc_tt_${index}`);
    }
  });
  await opened.page.locator('iframe:not([inert])').nth(1).waitFor();
  expect(await opened.page.getByText('$7.00').count()).toBe(1);
  expect(await opened.page.evaluate(() => document.adoptedStyleSheets.length)).toBe(2);
  expect(opened.faults).toEqual([]);
  await opened.close();
});

test('1,000 widgets come and go without a trace', async () => {
  const opened = await stage.open();
  const session = await opened.page.context().newCDPSession(opened.page);
  const counters = async () => {
    await session.send('HeapProfiler.collectGarbage');
    return session.send('Memory.getDOMCounters');
  };
  const cycle = (count: number) =>
    opened.page.evaluate((times) => {
      for (let index = 0; index < times; index += 1) {
        window.driver.mount({ identityCheck: 'open' });
        window.driver.svc.destroy();
      }
    }, count);
  await cycle(10);
  const before = await counters();
  await cycle(1000);
  const after = await counters();
  expect(after.nodes - before.nodes).toBeLessThanOrEqual(50);
  expect(after.jsEventListeners - before.jsEventListeners).toBeLessThanOrEqual(10);
  await opened.close();
});

test('axe finds nothing in the dialog, loading and failed, light or dark', async () => {
  stage.service.frame = 'silent';
  const opened = await stage.open({
    htmlAttributes: 'style="color-scheme:light dark"',
    before: '<main><h1>Portal</h1>',
    after: '</main>',
  });
  const found = async () => {
    const both = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      // A color on its way has another contrast.
      await opened.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      both.push(await violationsOf(opened.page));
    }
    return both;
  };
  await opened.mount({ identityCheck: 'open' });
  await opened.page.emulateMedia({ reducedMotion: 'reduce' });
  await opened.page.clock.install();
  await opened.page.evaluate(() => window.driver.open());
  await opened.page.clock.resume();
  expect(await found()).toEqual([[], []]);
  await opened.page.clock.fastForward(15_000);
  await opened.page.getByText('Your options didn’t load').waitFor();
  expect(await found()).toEqual([[], []]);
  await opened.close();
});

test('nothing is asked of the service before the tenant shows intent, and then only the frame', async () => {
  const opened = await stage.open();
  await opened.mount({ identityCheck: 'open' });
  await opened.page.waitForLoadState('networkidle');
  expect(stage.service.requests).toEqual([]);
  await opened.page.getByRole('button').hover();
  await expect.poll(() => stage.service.requests).toEqual(['GET /experience/maple']);
  await opened.page.getByRole('button').click();
  await opened.page.locator('iframe:not([inert])').waitFor();
  expect(stage.service.requests).toEqual(['GET /experience/maple']);
  await opened.close();
});
