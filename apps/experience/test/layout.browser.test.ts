import type { Frame } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  agree,
  chooseLanguage,
  fillApplication,
  openApplication,
  pickBank,
  press,
  waitForTitle,
} from './fixture/actions.ts';
import { smallTargets, tooWide } from './fixture/layout-faults.ts';
import { playScene } from './fixture/play-scene.ts';
import { type Opened, type Stage, startStage } from './fixture/stage.ts';
import { approved, stateOf } from './fixture/states.ts';
import { watchMotion } from './fixture/watch-motion.ts';
import { watchShifts } from './fixture/watch-shifts.ts';
import { halfway, withPlan } from './manage-scenes.ts';
import { scenes } from './scenes.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

const planPages = ['manage', 'manage-pay', 'manage-move', 'manage-receipt'];
const narrow = [
  'offer',
  'application',
  'account',
  'choice',
  'choice-paydays',
  'consent',
  'declined',
  ...planPages,
];

test.for(scenes.filter(({ name }) => narrow.includes(name)))(
  '$name needs no sideways scrolling on a narrow phone, nor with large text',
  async (scene) => {
    const opened = await playScene(stage, scene);
    await opened.page.setViewportSize({ width: 320, height: 640 });
    await opened.frame.waitForFunction(() => innerWidth === 320);
    for (const language of ['English', 'Español'] as const) {
      if (language !== 'English') await chooseLanguage(opened, language);
      expect(await smallTargets(opened.frame), language).toEqual([]);
      for (const size of ['100%', '200%']) {
        await opened.frame.evaluate((it) => {
          document.documentElement.style.fontSize = it;
        }, size);
        expect(await tooWide(opened.frame), `${language} ${size}`).toEqual([]);
      }
    }
    await opened.close();
  },
);

/** The delay of each response, in milliseconds. Late responses show what moves when they arrive. */
const responseDelayMs = 200;
afterEach(() => {
  stage.service.latency = 0;
});

test('from the first screen to the receipt nothing shifts, the bar only moves and fades, and no CSP is violated', async () => {
  stage.service.latency = responseDelayMs;
  const errors: string[] = [];
  const opened = await stage.open({ state: stateOf(), token: null });
  opened.page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  opened.page.on('pageerror', (error) => errors.push(error.message));
  const shifts = await watchShifts(opened.frame);
  const animated = await watchMotion(opened.frame);
  stage.service.tokens.set('shift', opened.tenant);
  await opened.send({ type: 'token', token: 'shift' });
  await waitForTitle(opened, /^Split your/);
  await press(opened, 'Start my application');
  await fillApplication(opened);
  await press(opened, 'Send my application');
  for (const count of [2, 3, 4]) {
    await opened.frame.getByLabel(new RegExp(`^${count} payments`)).check();
  }
  await press(opened, /^Continue with/);
  await pickBank(opened);
  await agree(opened);
  await waitForTitle(opened, 'Your rent is split');
  expect(await shifts()).toEqual([]);
  // Both run on the compositor: animating anything else would lay out or paint each frame.
  expect(await animated()).toEqual(['opacity', 'transform']);
  expect(errors).toEqual([]);
  await opened.close();
});

test('the pages of a plan cause no layout shifts, from the skeleton to a payment', async () => {
  stage.service.latency = responseDelayMs;
  const opened = await stage.open({ state: withPlan(halfway), token: null });
  const shifts = await watchShifts(opened.frame);
  stage.service.tokens.set('home', opened.tenant);
  await opened.send({ type: 'token', token: 'home' });
  await waitForTitle(opened, /^Your next payment/);
  for (const action of [/^Pay early/, /^Move a payment/, /^Autopay/, /^Your agreement/]) {
    await press(opened, action);
    await press(opened, 'Back');
  }
  await press(opened, /^Pay early/);
  await opened.frame.getByRole('checkbox', { name: /Due Wednesday, February 25/ }).check();
  await press(opened, 'Pay $760.06 now');
  await waitForTitle(opened, 'Your plan is paid off');
  expect(await shifts()).toEqual([]);
  await opened.close();
});

test('a printed page has the content without the buttons, on white even in the dark theme', async () => {
  const opened = await stage.open({ state: withPlan(halfway), theme: 'dark' });
  await press(opened, /^Receipt for .*410/);
  await opened.page.emulateMedia({ media: 'print' });
  expect(await opened.frame.getByRole('button').count()).toBe(0);
  expect(await opened.frame.getByText('Bank account ending in 0000').isVisible()).toBe(true);
  const paper = () =>
    opened.frame.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  expect(await paper()).toBe('rgb(255, 255, 255)');
  await opened.close();
});

test.for([
  ['standard dates', null, 'Wed, Feb 25'],
  ['the paydays of the last rent', { frequency: 'biweekly', payday: '2026-01-09' }, 'Fri, Feb 20'],
] as const)(
  'with %s the layout is the same before and after the quotes load',
  async ([, paydays, last]) => {
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    stage.service.delays.set('GET /quotes', gate);
    const opened = await stage.open({
      state: stateOf(approved),
      token: null,
      browser: { reducedMotion: 'reduce' },
    });
    opened.tenant.paydays = paydays;
    const token = `layout-${last}`;
    stage.service.tokens.set(token, opened.tenant);
    await opened.send({ type: 'token', token });
    await opened.frame.locator('.skeleton-schedule').waitFor();
    const before = await boxesOf(opened.frame);
    release();
    await opened.frame.getByText(last).first().waitFor();
    stage.service.delays.clear();
    expect(await boxesOf(opened.frame)).toEqual(before);
    await opened.close();
  },
);

/** The positions and sizes of the screen's boxes. */
function boxesOf(frame: Frame): Promise<string[]> {
  return frame.evaluate(() =>
    [
      ...document.querySelectorAll(
        'h1, h2, fieldset, .svc-card, .fold, .help, .footer, .svc-button',
      ),
    ]
      // A closed fold hides what is in it.
      .filter((element) => element.checkVisibility())
      .map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return `${element.className} ${x} ${y} ${width} ${height}`;
      }),
  );
}

test('each screen after the first one focuses its title', async () => {
  const opened = await stage.open({ state: stateOf() });
  const focused = () => opened.frame.evaluate(() => document.activeElement?.tagName);
  expect(await focused()).toBe('BODY');
  await press(opened, 'Start my application');
  await waitForTitle(opened, 'Two quick questions');
  await expect.poll(focused).toBe('H1');
  await press(opened, 'Back');
  await waitForTitle(opened, /^Split your/);
  await expect.poll(focused).toBe('H1');
  await opened.close();
});

test('a field keeps the focus that it gets as soon as its screen appears', async () => {
  const opened = await stage.open({ state: stateOf() });
  await waitForTitle(opened, /^Split your/);
  const focused = await opened.frame.evaluate(async () => {
    document.querySelector<HTMLElement>('.footer button')?.click();
    // The next task: the screen has rendered, and effects that follow a paint have not run.
    await new Promise((resolve) => setTimeout(resolve));
    document.getElementById('date_of_birth')?.focus();
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    await new Promise((resolve) => setTimeout(resolve));
    return document.activeElement?.id;
  });
  expect(focused).toBe('date_of_birth');
  await opened.close();
});

test('the page’s theme takes precedence over the system’s', async () => {
  const ground = ({ frame }: Opened) =>
    frame.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await stage.open({
    state: stateOf(),
    theme: 'light',
    browser: { colorScheme: 'dark' },
  });
  expect(await ground(light)).toBe('rgb(255, 255, 255)');
  await light.close();
  const dark = await stage.open({
    state: stateOf(),
    theme: 'dark',
    browser: { colorScheme: 'light' },
  });
  expect(await ground(dark)).toBe('rgb(12, 17, 29)');
  await dark.close();
  const auto = await stage.open({ state: stateOf(), browser: { colorScheme: 'dark' } });
  expect(await ground(auto)).toBe('rgb(12, 17, 29)');
  await auto.close();
});

test('with reduced motion there are no animations', async () => {
  const opened = await stage.open({
    state: stateOf(),
    browser: { reducedMotion: 'reduce' },
  });
  await openApplication(opened);
  expect(await opened.frame.evaluate(() => document.getAnimations().length)).toBe(0);
  await opened.close();
});

test('on a small phone, in Spanish, a choice and its button are both visible', async () => {
  const scene = scenes.find(({ name }) => name === 'choice');
  if (scene === undefined) throw new Error('There is no scene "choice"');
  const opened = await playScene(stage, scene);
  await opened.page.setViewportSize({ width: 320, height: 568 });
  await chooseLanguage(opened, 'Español');
  await opened.frame.evaluate(() => scrollTo(0, 0));
  const boxOf = (selector: string) => opened.frame.locator(selector).first().boundingBox();
  const [tile, footer] = [await boxOf('.option'), await boxOf('.footer')];
  if (tile === null || footer === null) throw new Error('The choice is not shown');
  expect(tile.y + tile.height).toBeLessThanOrEqual(footer.y);
  expect(footer.y + footer.height).toBeLessThanOrEqual(568);
  await opened.close();
});
