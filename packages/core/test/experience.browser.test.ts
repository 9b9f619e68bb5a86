import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { SvcSettings } from '../src/index.ts';
import type { PageOptions } from './fixture/partner.ts';
import { answerOf } from './fixture/service.ts';
import { type Opened, type Stage, startStage } from './fixture/stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());
beforeEach(() => stage.service.reset());

const quiet: Partial<SvcSettings> = { identityCheck: 'open' };

/** A page whose experience is open and shows its first screen. */
async function openExperience(
  options: PageOptions = {},
  settings = quiet,
): Promise<Opened & { inside: Frame }> {
  const opened = await stage.open(options);
  await opened.mount(settings);
  await opened.page.getByRole('button').click();
  await opened.event('EXPERIENCE_OPENED');
  const inside = await opened.frame();
  await shown(opened);
  return { ...opened, inside };
}

const shown = ({ page }: Opened) => page.locator('iframe:not([inert])').waitFor();
const isOpen = ({ page }: Opened) => page.locator('dialog').evaluate((it) => it.matches(':modal'));
const results = ({ page }: Opened) => page.evaluate(() => window.driver.results);
/** Closes from inside the frame, and waits until the page knows. */
async function pressEscape(opened: Opened): Promise<void> {
  const before = (await results(opened)).length;
  await opened.page.keyboard.press('Escape');
  await expect.poll(() => results(opened)).toHaveLength(before + 1);
}
const tokensOf = (frame: Frame) =>
  frame.evaluate(() => window.received.map(({ token }) => token).filter(Boolean));

test('the frame receives the tenant over the port, and its URL contains only the partner', async () => {
  const { inside, ...opened } = await openExperience({}, { ...quiet, locale: 'es-MX' });
  expect(inside.url()).toBe(`${stage.service.origin}/experience/maple`);
  expect(await inside.evaluate(() => window.received[0])).toMatchObject({
    svc: 1,
    type: 'init',
    pms: 'maple',
    externalId: 't-100',
    signature: '5'.repeat(64),
    productVariant: 'rent',
    theme: 'normal',
    locale: 'es-MX',
  });
  expect(await tokensOf(inside)).toEqual(['svc_tt_1']);
  expect(opened.faults).toEqual([]);
  await opened.close();
});

test('a call while the experience is open returns the same result', async () => {
  const { inside, ...opened } = await openExperience();
  await opened.page.evaluate(() => window.driver.open('svc_tt_other'));
  await inside.evaluate(() =>
    window.say({ type: 'close', reason: 'completed', last_step: 'done' }),
  );
  const result = { reason: 'completed', last_step: 'done' };
  await expect.poll(() => results(opened)).toEqual([result, result]);
  expect(await tokensOf(inside)).toEqual(['svc_tt_1']);
  expect((await opened.types()).filter((type) => type.startsWith('EXPERIENCE'))).toEqual([
    'EXPERIENCE_OPENED',
    'EXPERIENCE_CLOSED',
  ]);
  expect(await opened.event('EXPERIENCE_CLOSED')).toEqual(result);
  await opened.close();
});

test('reopened with the same token, the frame is as the tenant left it', async () => {
  const { inside, ...opened } = await openExperience();
  await inside.evaluate(() => {
    document.title = 'left here';
  });
  await opened.page.getByRole('button', { name: 'Close' }).click();
  expect(await isOpen(opened)).toBe(false);
  await opened.page.evaluate(() => window.driver.open('svc_tt_1'));
  await shown(opened);
  expect(await isOpen(opened)).toBe(true);
  expect(await inside.evaluate(() => document.title)).toBe('left here');
  expect(await tokensOf(inside)).toEqual(['svc_tt_1']);
  await opened.close();
});

test('another token is sent to the same frame and replaces the session', async () => {
  const { inside, ...opened } = await openExperience();
  await pressEscape(opened);
  await opened.page.evaluate(() => window.driver.open('svc_tt_2'));
  await shown(opened);
  expect(await tokensOf(inside)).toEqual(['svc_tt_1', 'svc_tt_2']);
  await opened.close();
});

test('Escape closes from inside and outside the frame, and the result has the last step', async () => {
  const { inside, ...opened } = await openExperience();
  await inside.evaluate(() => window.say({ type: 'step', step: 'consent' }));
  await inside.locator('#first').press('Escape');
  await expect.poll(() => results(opened)).toEqual([{ reason: 'dismissed', last_step: 'consent' }]);
  expect(await isOpen(opened)).toBe(false);
  await opened.page.evaluate(() => window.driver.open('svc_tt_1'));
  await opened.page.getByRole('button', { name: 'Close' }).focus();
  await opened.page.keyboard.press('Escape');
  await expect.poll(() => results(opened)).toHaveLength(2);
  expect(await isOpen(opened)).toBe(false);
  await opened.close();
});

test('closing on the last step is a completion', async () => {
  const { inside, ...opened } = await openExperience();
  await inside.evaluate(() => window.say({ type: 'step', step: 'done' }));
  await inside.locator('#first').press('Escape');
  await expect.poll(() => results(opened)).toEqual([{ reason: 'completed', last_step: 'done' }]);
  await opened.close();
});

test('after a plan was made the widget requests the tenant’s state again', async () => {
  const { inside, ...opened } = await openExperience({}, {});
  await expect.poll(() => stage.service.widgetBodies).toHaveLength(1);
  stage.service.widgetAnswer = answerOf('has_plan', '2026-02-15');
  await inside.evaluate(() =>
    window.say({ type: 'close', reason: 'completed', last_step: 'done' }),
  );
  await opened.page.getByText('Next payment: Feb 15').waitFor();
  expect(stage.service.widgetBodies).toHaveLength(2);
  await opened.close();
});

test('focus moves into the frame and returns to the button', async () => {
  const { inside: _, ...opened } = await openExperience();
  const focused = () =>
    opened.page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.tagName);
  expect(await focused()).toBe('IFRAME');
  await opened.page.getByRole('button', { name: 'Close' }).click();
  expect(await focused()).toBe('BUTTON');
  expect(
    await opened.page.evaluate(() => document.activeElement === window.driver.svc.createWidget()),
  ).toBe(true);
  await opened.close();
});

test('Tab cycles through every control, forward and backward', async () => {
  const { inside, ...opened } = await openExperience();
  const where = async () => {
    const outer = await opened.page.evaluate(() => {
      const active = document.activeElement?.shadowRoot?.activeElement;
      return active?.ariaLabel ?? active?.tagName;
    });
    return outer === 'IFRAME' ? inside.evaluate(() => document.activeElement?.id ?? '') : outer;
  };
  await inside.locator('#first').focus();
  for (const key of ['Tab', 'Shift+Tab']) {
    const lap = new Set<string | undefined>();
    await expect
      .poll(async () => {
        await opened.page.keyboard.press(key);
        return [...lap.add(await where())];
      })
      .toEqual(expect.arrayContaining(['first', 'last', 'Close']));
  }
  await opened.close();
});

test('the page behind does not scroll or shift, and is restored', async () => {
  const tall = '<div style="height:3000px">tall</div>';
  const opened = await stage.open({ after: tall });
  await opened.mount(quiet);
  await opened.page.evaluate(() => scrollTo(0, 500));
  const place = () =>
    opened.page.evaluate(() => [scrollY, document.body.getBoundingClientRect().width]);
  const before = await place();
  await opened.page.evaluate(() => window.driver.open());
  await shown(opened);
  expect(await place()).toEqual(before);
  await opened.page.mouse.move(5, 5);
  await opened.page.mouse.wheel(0, 300);
  expect(await place()).toEqual(before);
  await pressEscape(opened);
  await opened.page.evaluate(() => scrollBy(0, 100));
  expect(await place()).toEqual([600, before[1]]);
  expect(await opened.page.evaluate(() => window.shifts)).toBe(0);
  expect(await opened.page.evaluate(() => document.adoptedStyleSheets.length)).toBe(0);
  await opened.close();
});

test('a frame that reloads connects again and requests a new token', async () => {
  const { inside, ...opened } = await openExperience();
  await inside.evaluate(() => location.reload());
  await expect.poll(() => inside.evaluate(() => window.ports).catch(() => 0)).toBe(1);
  await inside.waitForFunction(() => window.received.length > 0);
  expect(await inside.evaluate(() => window.received[0])).toMatchObject({
    type: 'init',
    token: 'svc_tt_1',
  });
  await shown(opened);
  await opened.close();
});

test('events of the frame reach onEvent, including unknown ones', async () => {
  const { inside, ...opened } = await openExperience();
  await inside.evaluate(() => {
    window.say({ type: 'event', event: { type: 'USER_APPROVED', data: {} } });
    window.say({ type: 'event', event: { type: 'FROM_TOMORROW', data: { more: true } } });
    window.say({ type: 'from_tomorrow_too' });
    window.say({ type: 'event' });
  });
  expect(await opened.event('FROM_TOMORROW')).toEqual({ more: true });
  expect(await opened.types()).toContain('USER_APPROVED');
  expect(opened.faults).toEqual([]);
  await opened.close();
});

test('another tenant releases the open experience', async () => {
  const { inside, ...opened } = await openExperience();
  await opened.page.evaluate(() => window.driver.svc.update({ externalId: 't-200' }));
  await expect.poll(() => results(opened)).toEqual([{ reason: 'dismissed', last_step: 'offer' }]);
  expect(inside.isDetached()).toBe(true);
  await opened.close();
});

test('the frame has the theme of the page around the widget', async () => {
  for (const [head, theme] of [
    [':root{color-scheme:dark}', 'dark'],
    [':root{color-scheme:light dark}', 'light dark'],
    ['', 'normal'],
  ] as const) {
    const { inside, ...opened } = await openExperience({ head: `<style>${head}</style>` });
    expect(await inside.evaluate(() => window.received[0]?.theme)).toBe(theme);
    await opened.close();
  }
});

test('the page’s accent, radius and font reach the frame, by the setting or by CSS around the widget', async () => {
  const head = `<style>
    :root { --brand: oklch(0.45 0.2 264) }
    #slot { --svc-accent: var(--brand); --svc-radius: 0.25rem; --svc-font: Acme, Georgia }
  </style>`;
  const { inside, ...opened } = await openExperience({ head });
  const last = () => inside.evaluate(() => window.received.at(-1));
  const sent = () => inside.evaluate(() => window.received[0]);
  expect(await sent()).toMatchObject({
    appearance: { accent: '#1745c2', radius: 4, font: 'Acme, Georgia', hasTheme: false },
  });
  const update = async (variables: Record<string, string>) => {
    const before = await inside.evaluate(() => window.received.length);
    await opened.page.evaluate(
      (variables) => window.driver.svc.update({ appearance: { theme: 'light', variables } }),
      variables,
    );
    await inside.waitForFunction((before) => window.received.length > before, before);
  };
  await update({ accent: 'red', radius: '12px', font: 'Verdana' });
  expect(await last()).toMatchObject({
    appearance: { accent: '#ff0000', radius: 12, font: 'Verdana', hasTheme: true },
  });
  await update({ accent: 'no color', radius: 'round' });
  expect(await last()).toMatchObject({ appearance: { accent: null } });
  await opened.close();
});

test('a page without a brand sends none', async () => {
  const { inside, ...opened } = await openExperience();
  expect(await inside.evaluate(() => window.received[0])).toMatchObject({
    appearance: { accent: null, radius: null, font: null, hasTheme: false },
  });
  await opened.close();
});

test('a changed theme or language reaches the open frame in place', async () => {
  const { inside, ...opened } = await openExperience();
  await opened.page.evaluate(() =>
    window.driver.svc.update({ appearance: { theme: 'dark' }, locale: 'es' }),
  );
  await inside.waitForFunction(() => window.received.some(({ type }) => type === 'appearance'));
  expect(await inside.evaluate(() => window.received.at(-1))).toMatchObject({
    theme: 'dark',
    locale: 'es',
  });
  const dialog = opened.page.getByRole('dialog');
  expect(await dialog.evaluate((it) => getComputedStyle(it).colorScheme)).toBe('dark');
  await opened.close();
});
