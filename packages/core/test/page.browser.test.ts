import { deriveAccent } from '@svc/contract/accent';
import { build } from 'vite';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { paintedFill } from './fixture/painted-fill.ts';
import { bundleSdk, type Stage, startStage } from './fixture/stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage({ 'svc.iife.js': await bundleSdk('iife') });
});
afterAll(() => stage.close());
beforeEach(() => stage.service.reset());

const shown = 'iframe:not([inert])';

test('an unused import of the package leaves nothing in the bundle', async () => {
  const code = await bundleSdk();
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
  expect(() => sdk.Svc({})).toThrow('balance: missing');
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
  // The accent is set, and brightened because the theme is dark. The pointer is still on the button.
  const fill = await paintedFill(opened.page.locator('[part=button]'));
  expect(fill).toBe(deriveAccent('#800080').dark.hover);
  expect(opened.faults).toEqual([]);
  await opened.close();
});

test('the style sheet derives the same accent colors as @svc/contract, light and dark', async () => {
  const opened = await stage.open();
  await opened.mount({ identityCheck: 'open' });
  await opened.page.getByRole('button').hover();
  const steps = ['00', '55', '99', 'ff'];
  const grid = steps.flatMap((r) => steps.flatMap((g) => steps.map((b) => `#${r}${g}${b}`)));
  const accents = [...grid, '#fde047', '#0a0a0a', '#0b1f4b', '#0f766e', '#777777'];
  const shown = await opened.page.evaluate((accents) => {
    const { svc } = window.driver;
    const button = svc.createWidget().shadowRoot?.querySelector('.svc-button');
    if (!button) throw new Error('the widget has no button');
    const probe = button.appendChild(document.createElement('i'));
    probe.className = 'svc-failed';
    return accents.flatMap((accent) =>
      (['light', 'dark'] as const).map((theme) => {
        svc.update({ appearance: { theme, variables: { accent } } });
        return ['accent', 'on-accent', 'accent-hover', 'late'].map((name) => {
          probe.style.color = `color-mix(in srgb, var(--${name}), var(--${name}))`;
          const parts = getComputedStyle(probe).color.match(/[\d.e-]+/g) ?? [];
          return parts.slice(0, 3).map((part) => Number(part) * 255);
        });
      }),
    );
  }, accents);
  const derived = accents.flatMap((accent) => {
    const { light, dark } = deriveAccent(accent);
    return [light, dark].map(({ accent, onAccent, hover, bad }) => [accent, onAccent, hover, bad]);
  });
  expect(shown).toHaveLength(derived.length);
  // Both round to bytes, so a channel may differ by one.
  const different = derived.flatMap((colors, at) =>
    colors.flatMap((hex, index) => {
      const bytes = shown[at]?.[index] ?? [];
      const isEqual = [1, 3, 5].every((digit, channel) => {
        const byte = Number.parseInt(hex.slice(digit, digit + 2), 16);
        return Math.abs(Math.min(255, Math.max(0, bytes[channel] ?? Number.NaN)) - byte) <= 1;
      });
      return isEqual ? [] : [{ accent: accents[at >> 1], isDark: at % 2 === 1, hex, bytes }];
    }),
  );
  expect(different).toEqual([]);
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

test.for<[string, string]>([
  ['a dialog', '<dialog id="theirs"></dialog>'],
  [
    'what calls itself one',
    '<div id="theirs" role="dialog" aria-modal="true" tabindex="-1"></div>',
  ],
])(
  'the dialog opens over %s of the page, with a focus trap and all else inert',
  async ([, before]) => {
    const opened = await stage.open({ before });
    await opened.mount({ identityCheck: 'open' });
    await opened.page.evaluate(() => {
      const theirs = document.getElementById('theirs') as HTMLDialogElement;
      theirs.append(document.getElementById('slot') as HTMLElement);
      theirs.showModal?.();
      document.body.style.pointerEvents = 'none';
      for (const other of document.body.children) (other as HTMLElement).inert = other !== theirs;
      addEventListener('focusin', (event) => {
        if (!theirs.contains(event.target as Node)) theirs.focus();
      });
      window.driver.open();
    });
    await opened.page.locator(shown).waitFor();
    const inside = await opened.frame();
    await inside.locator('#first').click();
    expect(await inside.evaluate(() => document.activeElement?.id)).toBe('first');
    await opened.page.getByRole('button', { name: 'Close' }).click();
    await opened.event('EXPERIENCE_CLOSED');
    expect(
      await opened.page.evaluate(() => document.getElementById('theirs')?.matches(':modal, div')),
    ).toBe(true);
    await opened.close();
  },
);

test('in an inert page the dialog can be used', async () => {
  const opened = await stage.open();
  await opened.mount({ identityCheck: 'open' });
  await opened.page.evaluate(() => {
    document.body.inert = true;
    window.driver.open();
  });
  await opened.page.locator(shown).waitFor();
  const inside = await opened.frame();
  await inside.locator('#first').click();
  expect(await inside.evaluate(() => document.activeElement?.id)).toBe('first');
  await opened.page.keyboard.press('Escape');
  await opened.event('EXPERIENCE_CLOSED');
  await opened.close();
});

test('a page that removes the dialog can scroll and open again', async () => {
  const opened = await stage.open();
  await opened.mount({ identityCheck: 'open' });
  await opened.page.evaluate(() => window.driver.open());
  await opened.page.locator(shown).waitFor();
  await opened.page.evaluate(() => {
    document.querySelector('html > div')?.remove();
    window.driver.open('svc_tt_2');
  });
  await opened.page.locator(shown).waitFor();
  await opened.page.keyboard.press('Escape');
  await expect.poll(() => opened.page.evaluate(() => window.driver.results)).toHaveLength(2);
  expect(await opened.page.evaluate(() => document.adoptedStyleSheets.length)).toBe(0);
  await opened.close();
});

test('ten widgets and two copies of the SDK work on one page', async () => {
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

test('no request is sent before the tenant shows intent, and then only the frame’s', async () => {
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
