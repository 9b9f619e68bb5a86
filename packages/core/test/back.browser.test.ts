import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { PageOptions } from './fixture/partner.ts';
import { type Opened, type Stage, startStage } from './fixture/stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());
beforeEach(() => stage.service.reset());

declare global {
  interface Window {
    /** The locations that the page's own router has rendered, one for each popstate or hashchange. */
    routed: string[];
    router: { go(path: string): void };
  }
}

/**
 * `path` keeps its own state in each history entry and renders on popstate, as React Router and Next.js
 * do. `hash` renders on hashchange.
 */
const routers = {
  path: `history.replaceState({ __NA: true, idx: 7, key: 'rent' }, '');
    router = { go(path) { history.pushState({ __NA: true, idx: history.state.idx + 1 }, '', path); } };
    addEventListener('popstate', ({ state }) => {
      routed.push(location.pathname + ' ' + (state?.__NA ? state.idx : 'reload'));
    });`,
  hash: `location.replace('#/rent');
    router = { go(path) { location.hash = path; } };
    addEventListener('hashchange', () => routed.push(location.hash));`,
};

/** Opens a page that has an earlier history entry, and then its experience with a click. */
async function openExperience(
  { router = 'path', userAgent }: { router?: keyof typeof routers; userAgent?: string } = {},
  options: PageOptions = {},
): Promise<Opened & { inside: Frame; start: string }> {
  const before = `<script>routed = []; ${routers[router]}</script>`;
  const opened = await stage.open({ ...options, before, userAgent });
  await opened.mount({ identityCheck: 'open' });
  const start = opened.page.url();
  await opened.page.getByRole('button', { name: 'See my options' }).click();
  await opened.page.locator('iframe:not([inert])').waitFor();
  return { ...opened, start, inside: await opened.frame() };
}

const isOpen = ({ page }: Opened) => page.locator('dialog[open]').count();
async function expectClosed(opened: Opened): Promise<void> {
  await expect.poll(() => isOpen(opened)).toBe(0);
}
const countClosings = async (opened: Opened) =>
  (await opened.types()).filter((type) => type === 'EXPERIENCE_CLOSED').length;
const back = ({ page }: Opened) => page.evaluate(() => history.back());
/** Asserts that the router has rendered only the rent page's entry, with the state that it gave it. */
async function expectOnlyRent({ page }: Opened): Promise<void> {
  const routed = new Set(await page.evaluate(() => window.routed));
  const { pathname, hash } = new URL(page.url());
  expect([[], [hash || `${pathname} 7`]]).toContainEqual([...routed]);
}
/** Sends `can_go_back`, and waits for an event that is sent after it: messages arrive in order. */
async function setCanGoBack(opened: Pick<Opened, 'types'>, inside: Frame, value: boolean) {
  const approvals = async () =>
    (await opened.types()).filter((type) => type === 'USER_APPROVED').length;
  const before = await approvals();
  await inside.evaluate((value) => {
    window.say({ type: 'can_go_back', value });
    window.say({ type: 'event', event: { type: 'USER_APPROVED', data: {} } });
  }, value);
  await expect.poll(approvals).toBe(before + 1);
}
/** Leaves time for a navigation that must not happen. */
const settle = ({ page }: Opened) => page.evaluate(() => new Promise((r) => setTimeout(r, 60)));

test.for(['path', 'hash'] as const)(
  'back goes a step back in the experience, then closes it, and never leaves the page: %s router',
  async (router) => {
    const { inside, start, ...opened } = await openExperience({ router });
    await setCanGoBack(opened, inside, true);
    for (const times of [1, 2]) {
      await back(opened);
      await expect
        .poll(() =>
          inside.evaluate(() => window.received.filter((it) => it.type === 'back').length),
        )
        .toBe(times);
      await settle(opened);
      expect([await isOpen(opened), opened.page.url()]).toEqual([1, start]);
    }
    await setCanGoBack(opened, inside, false);
    await back(opened);
    await expectClosed(opened);
    expect(opened.page.url()).toBe(start);
    await expectOnlyRent(opened);
    const result = { reason: 'dismissed', last_step: 'offer' };
    expect(await opened.event('EXPERIENCE_CLOSED')).toEqual(result);
    // The focus is on the button again.
    expect(
      await opened.page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.tagName),
    ).toBe('BUTTON');
    expect(opened.faults).toEqual([]);
    await opened.close();
  },
);

test('with a frame of an older service, back closes the dialog', async () => {
  const { inside, start, ...opened } = await openExperience();
  await back(opened);
  await expectClosed(opened);
  expect(opened.page.url()).toBe(start);
  expect(await inside.evaluate(() => window.received.map(({ type }) => type))).not.toContain(
    'back',
  );
  await opened.close();
});

test('after the close button the page’s history is as before, and forward is harmless', async () => {
  const { inside: _, start, ...opened } = await openExperience();
  expect(await opened.page.evaluate(() => history.state)).toMatchObject({ __NA: true, idx: 7 });
  await opened.page.getByRole('button', { name: 'Close' }).click();
  await opened.event('EXPERIENCE_CLOSED');
  const rent = { __NA: true, idx: 7, key: 'rent' };
  expect(await opened.page.evaluate(() => history.state)).toEqual(rent);
  await expectOnlyRent(opened);
  const count = await opened.page.evaluate(() => window.routed.length);
  await opened.page.evaluate(() => history.forward());
  await expect.poll(() => opened.page.evaluate(() => window.routed)).toHaveLength(count + 1);
  // The router finds the state of its own entry, and renders the same page again.
  await expectOnlyRent(opened);
  expect([await isOpen(opened), opened.page.url()]).toEqual([0, start]);
  // An experience that is opened from this entry uses it again.
  const length = await opened.page.evaluate(() => history.length);
  await opened.page.getByRole('button', { name: 'See my options' }).click();
  await opened.page.locator('iframe:not([inert])').waitFor();
  expect(await opened.page.evaluate(() => history.length)).toBe(length);
  await back(opened);
  await expectClosed(opened);
  expect(opened.page.url()).toBe(start);
  await expectOnlyRent(opened);
  await opened.close();
});

test('a page that navigates when it hears of the close arrives, and back leads to the rent page', async () => {
  const { inside, start, ...opened } = await openExperience();
  await opened.page.evaluate(() => {
    window.driver.svc.on('EXPERIENCE_CLOSED', () => window.router.go('/thanks'));
  });
  await inside.evaluate(() =>
    window.say({ type: 'close', reason: 'completed', last_step: 'done' }),
  );
  await expect.poll(() => opened.page.url()).toContain('/thanks');
  await settle(opened);
  expect(opened.page.url()).toContain('/thanks');
  await back(opened);
  await expect.poll(() => opened.page.url()).toBe(start);
  expect(await opened.page.evaluate(() => history.state)).toEqual({
    __NA: true,
    idx: 7,
    key: 'rent',
  });
  await opened.close();
});

test('a page that navigates while the experience is open, and destroys it, stays where it went', async () => {
  for (const order of ['navigate, destroy', 'destroy, navigate'] as const) {
    const { inside: _, start: __, ...opened } = await openExperience();
    await opened.page.evaluate((order) => {
      if (order === 'navigate, destroy') window.router.go('/elsewhere');
      window.driver.svc.destroy();
      if (order === 'destroy, navigate') window.router.go('/elsewhere');
    }, order);
    await settle(opened);
    expect([order, opened.page.url()]).toEqual([order, expect.stringContaining('/elsewhere')]);
    expect(await opened.page.evaluate(() => history.state.idx)).toBe(8);
    expect(opened.faults).toEqual([]);
    await opened.close();
  }
});

test('destroy removes the entry, and a page elsewhere in its history keeps its popstate', async () => {
  const { inside: _, start, ...opened } = await openExperience();
  await opened.page.evaluate(() => window.driver.svc.destroy());
  await expect
    .poll(() => opened.page.evaluate(() => history.state))
    .toEqual({ __NA: true, idx: 7, key: 'rent' });
  await opened.page.evaluate(() => window.router.go('/elsewhere'));
  const count = await opened.page.evaluate(() => window.routed.length);
  await back(opened);
  await expect.poll(() => opened.page.evaluate(() => window.routed.length)).toBe(count + 1);
  expect(opened.page.url()).toBe(start);
  await opened.close();
});

test('a jump to an earlier entry closes the experience and reaches the router', async () => {
  const before = `<script>routed = []; ${routers.path}</script>`;
  const opened = await stage.open({ before });
  await opened.page.evaluate(() => window.router.go('/rent'));
  await opened.mount({ identityCheck: 'open' });
  await opened.page.getByRole('button', { name: 'See my options' }).click();
  await opened.page.locator('iframe:not([inert])').waitFor();
  await opened.page.evaluate(() => history.go(-2));
  await expectClosed(opened);
  await expect.poll(() => opened.page.evaluate(() => window.routed)).toHaveLength(1);
  expect(opened.page.url()).not.toContain('/rent');
  expect(await countClosings(opened)).toBe(1);
  await opened.close();
});

test('two experiences: back closes the upper one, then the lower one', async () => {
  const { inside: _, start, ...opened } = await openExperience();
  await opened.page.evaluate(() => {
    const lower = window.driver.svc;
    window.driver.mount({ identityCheck: 'open', externalId: 't-200' });
    window.driver.open('svc_tt_2');
    window.driver.svc.on('EXPERIENCE_CLOSED', () => window.driver.events.push(['upper', {}]));
    lower.on('EXPERIENCE_CLOSED', () => window.driver.events.push(['lower', {}]));
  });
  await opened.page.locator('iframe:not([inert])').nth(1).waitFor();
  for (const left of [1, 0]) {
    await back(opened);
    await expect.poll(() => isOpen(opened)).toBe(left);
    await settle(opened);
    expect(opened.page.url()).toBe(start);
  }
  const order = (await opened.types()).filter((type) => /upper|lower/.test(type));
  expect(order).toEqual(['upper', 'lower']);
  await expectOnlyRent(opened);
  await opened.close();
});

test('opened again while the history entry is being removed, it has an entry again', async () => {
  const { inside: _, start, ...opened } = await openExperience();
  await opened.page.evaluate(() => {
    document
      .querySelector<HTMLElement>('html > div')
      ?.shadowRoot?.querySelector<HTMLElement>('.svc-close')
      ?.click();
    window.driver.open('svc_tt_1');
  });
  await expect
    .poll(async () => (await opened.types()).filter((type) => type.startsWith('EXPERIENCE')))
    .toEqual(['EXPERIENCE_OPENED', 'EXPERIENCE_CLOSED', 'EXPERIENCE_OPENED']);
  await settle(opened);
  expect(await isOpen(opened)).toBe(1);
  await back(opened);
  await expectClosed(opened);
  expect(opened.page.url()).toBe(start);
  await opened.close();
});

test('closed and opened again while a step back is still being undone, it has an entry again', async () => {
  const { inside, start, ...opened } = await openExperience();
  await setCanGoBack(opened, inside, true);
  await opened.page.evaluate(() => {
    const go = history.go.bind(history);
    history.go = (delta = 0) => {
      if (delta > 0) setTimeout(() => go(delta), 500);
      else go(delta);
    };
  });
  await inside.evaluate(() => {
    const timer = setInterval(() => {
      if (!window.received.some(({ type }) => type === 'back')) return;
      clearInterval(timer);
      window.say({ type: 'close', reason: 'dismissed', last_step: 'offer' });
    }, 1);
  });
  await back(opened);
  await opened.page.locator('dialog[open]').waitFor({ state: 'detached' });
  await opened.page.evaluate(() => window.driver.open('svc_tt_1'));
  const openings = async () =>
    (await opened.types()).filter((type) => type === 'EXPERIENCE_OPENED').length;
  await expect.poll(openings).toBe(2);
  const hasEntry = () => opened.page.evaluate(() => (history.state?.svcGuards ?? []).length === 1);
  await expect.poll(hasEntry).toBe(true);
  await settle(opened);
  expect([await isOpen(opened), await hasEntry(), opened.page.url()]).toEqual([1, true, start]);
  await opened.close();
});

test.for(['turbo', 'turbolinks', 'htmx', 'alpine'])(
  'a page that %s loads again at each popstate to its entries is not loaded',
  async (loader) => {
    const opened = await stage.open();
    await opened.mount({ identityCheck: 'open' });
    await opened.page.evaluate((loader) => {
      history.replaceState({ [loader]: { id: 1 } }, '');
      window.routed = [];
      addEventListener('popstate', ({ state }) => {
        if (state?.[loader]) window.routed.push('loads the page again');
      });
    }, loader);
    for (const leave of ['close', 'back'] as const) {
      await opened.page.getByRole('button', { name: 'See my options' }).click();
      await opened.page.locator('iframe:not([inert])').waitFor();
      // If the loader goes to another page now, back leads to this entry.
      expect(await opened.page.evaluate(() => history.state)).toMatchObject({
        [loader]: { id: 1 },
      });
      if (leave === 'back') await back(opened);
      else await opened.page.getByRole('button', { name: 'Close' }).click();
      await expectClosed(opened);
      await settle(opened);
      expect(await opened.page.evaluate(() => [history.state, window.routed])).toEqual([
        { [loader]: { id: 1 } },
        [],
      ]);
    }
    await opened.close();
  },
);

test.for<[string, () => unknown]>([
  ['its scroll position', () => history.replaceState({ ...history.state, scroll: 40 }, '')],
  ['another state', () => history.replaceState({ idx: 9 }, '')],
  ['no state', () => history.replaceState(null, '')],
  ['a state that is no object', () => history.replaceState('theirs', '')],
])(
  'a page that writes %s into the entry of the experience has its own entry back',
  async ([, write]) => {
    const { inside, start, ...opened } = await openExperience();
    await opened.page.evaluate(write);
    // After a step back in the experience, the page is on the same entry again.
    await setCanGoBack(opened, inside, true);
    await back(opened);
    await expect
      .poll(() => inside.evaluate(() => window.received.some((it) => it.type === 'back')))
      .toBe(true);
    await settle(opened);
    expect([await isOpen(opened), opened.page.url()]).toEqual([1, start]);
    await opened.page.getByRole('button', { name: 'Close' }).click();
    await opened.event('EXPERIENCE_CLOSED');
    expect(opened.page.url()).toBe(start);
    const rent = { __NA: true, idx: 7, key: 'rent' };
    expect(await opened.page.evaluate(() => history.state)).toEqual(rent);
    expect(opened.faults).toEqual([]);
    await opened.close();
  },
);

test('a page that replaces its URL while the experience is open stays where it is', async () => {
  for (const leave of ['close', 'destroy', 'replace the page'] as const) {
    const { inside: _, start, ...opened } = await openExperience();
    await opened.page.evaluate(() => history.replaceState({ ...history.state }, '', '?month=3'));
    if (leave === 'close') await opened.page.getByRole('button', { name: 'Close' }).click();
    if (leave === 'destroy') await opened.page.evaluate(() => window.driver.svc.destroy());
    if (leave === 'replace the page') {
      await opened.page.evaluate(() => document.body.replaceChildren());
    }
    const rent = { __NA: true, idx: 7, key: 'rent' };
    await expect.poll(() => opened.page.evaluate(() => history.state)).toEqual(rent);
    expect([leave, opened.page.url()]).toEqual([leave, `${start}?month=3`]);
    expect(await opened.page.evaluate(() => window.routed)).toEqual([]);
    expect(await countClosings(opened)).toBe(1);
    await opened.close();
  }
});

test('without a click, or with a state that is not the SDK’s to copy, history is left alone', async () => {
  const opened = await stage.open();
  // A script of the test counts as a click.
  await opened.page.evaluate(() => {
    const value = { hasBeenActive: false, isActive: false };
    Object.defineProperty(navigator, 'userActivation', { value, configurable: true });
  });
  await opened.mount({ identityCheck: 'open' });
  const length = () => opened.page.evaluate(() => history.length);
  const before = await length();
  await opened.page.evaluate(() => window.driver.open());
  await opened.page.locator('iframe:not([inert])').waitFor();
  expect(await length()).toBe(before);
  await opened.page.getByRole('button', { name: 'Close' }).click();
  await expectClosed(opened);
  await opened.page.evaluate(() => {
    const value = { hasBeenActive: true, isActive: true };
    Object.defineProperty(navigator, 'userActivation', { value });
    history.replaceState('theirs', '');
  });
  await opened.page.getByRole('button', { name: 'See my options' }).click();
  await opened.page.locator('dialog[open]').waitFor();
  expect(await length()).toBe(before);
  expect(await opened.page.evaluate(() => history.state)).toBe('theirs');
  expect(opened.faults).toEqual([]);
  await opened.close();
});

test('the close request of Android goes a step back and then closes; Escape elsewhere closes', async () => {
  for (const [userAgent, goesBack] of [
    ['Mozilla/5.0 (Linux; Android 10; K) Chrome/140.0.0.0 Mobile', true],
    ['Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0', false],
  ] as const) {
    const { inside, start, ...opened } = await openExperience({ userAgent });
    await setCanGoBack(opened, inside, true);
    // A click is what browsers ask for before a page may hold back a close request.
    await inside.locator('h1').click();
    await opened.page.getByRole('button', { name: 'Close' }).focus();
    await opened.page.keyboard.press('Escape');
    if (goesBack) {
      const received = () => inside.evaluate(() => window.received.map(({ type }) => type));
      await expect.poll(received).toContain('back');
    } else {
      await expectClosed(opened);
    }
    expect(await isOpen(opened)).toBe(goesBack ? 1 : 0);
    expect(opened.page.url()).toBe(start);
    await opened.close();
  }
});

test('an on-screen keyboard makes the dialog smaller instead of covering it', async () => {
  const opened = await stage.open({ viewport: { width: 390, height: 844 } });
  await opened.mount({ identityCheck: 'open' });
  await opened.page.evaluate(() => window.driver.open());
  await opened.page.locator('iframe:not([inert])').waitFor();
  const box = () => opened.page.locator('dialog').boundingBox();
  expect(await box()).toMatchObject({ x: 0, y: 0, width: 390, height: 844 });
  const keyboard = (height: number) =>
    opened.page.evaluate((height) => {
      const viewport = window.visualViewport as VisualViewport;
      Object.defineProperty(viewport, 'height', { value: height, configurable: true });
      viewport.dispatchEvent(new Event('resize'));
    }, height);
  await keyboard(500);
  expect(await box()).toMatchObject({ y: 0, height: 500 });
  await keyboard(844);
  expect(await box()).toMatchObject({ y: 0, height: 844 });
  await opened.close();
});
