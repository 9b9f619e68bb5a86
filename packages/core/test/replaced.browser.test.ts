import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Opened, type Stage, startStage } from './fixture/stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());
beforeEach(() => stage.service.reset());

const shown = 'iframe:not([inert])';
const quiet = { identityCheck: 'open' } as const;
/** Makes the page long enough to scroll. */
const tall = '<div style="height:3000px"></div>';

/** Opens a page that is long enough to scroll, and its experience. */
async function openPage(options: Parameters<Stage['open']>[0] = {}): Promise<Opened> {
  const opened = await stage.open({ after: tall, ...options });
  await opened.mount(quiet);
  await opened.page.evaluate(() => window.driver.open());
  await opened.page.locator(shown).waitFor();
  return opened;
}

/** Returns what the SDK has left in the page, and how far the page scrolls. */
function remains({ page }: Opened) {
  return page.evaluate(() => {
    if (!document.body) document.documentElement.append(document.createElement('body'));
    document.body.style.height = '3000px';
    scrollTo(0, 0);
    scrollBy(0, 100);
    const inPage = [...document.querySelectorAll('*')];
    return {
      scrolled: scrollY,
      sheets: document.adoptedStyleSheets.length,
      dialogs: inPage.filter((it) => it.shadowRoot?.querySelector('dialog')).length,
      guards: history.state?.svcGuards,
      closed: window.driver.events.filter(([type]) => type === 'EXPERIENCE_CLOSED'),
      results: window.driver.results,
    };
  });
}

const result = { reason: 'destroyed', last_step: 'offer' };
const nothingDue = {
  scrolled: 100,
  sheets: 0,
  dialogs: 0,
  guards: undefined,
  closed: [['EXPERIENCE_CLOSED', result]],
  results: [result],
};

test.for<[string, () => unknown]>([
  [
    'with innerHTML',
    () => {
      document.body.innerHTML = '<h1>Next page</h1>';
    },
  ],
  ['with replaceChildren', () => document.body.replaceChildren()],
  [
    'with another body, as Turbo does',
    () => {
      const body = document.createElement('body');
      body.append('Next page');
      document.body.replaceWith(body);
    },
  ],
  [
    'with its whole document',
    () => {
      document.documentElement.replaceChildren(document.createElement('body'));
    },
  ],
  [
    'with document.write',
    () => {
      document.open();
      document.write('<!doctype html><title>Next page</title><p>Next page');
      document.close();
    },
  ],
  [
    'except for an element that stays',
    () => {
      const chat = document.createElement('aside');
      document.body.append(chat);
      const body = document.createElement('body');
      body.append(chat);
      document.body.replaceWith(body);
    },
  ],
])('a page that replaces itself %s ends the open experience', async ([, replace]) => {
  const opened = await openPage();
  await opened.page.evaluate(replace);
  await expect.poll(() => remains(opened)).toEqual(nothingDue);
  expect(opened.faults).toEqual([]);
  await opened.close();
});

test('a page that is replaced in the task that opens the experience is left clean', async () => {
  const opened = await stage.open({ after: tall });
  await opened.mount(quiet);
  await opened.page.evaluate(() => {
    window.driver.open();
    document.body.innerHTML = '<h1>Next page</h1>';
  });
  const early = { reason: 'destroyed', last_step: null };
  const expected = { ...nothingDue, closed: [['EXPERIENCE_CLOSED', early]], results: [early] };
  await expect.poll(() => remains(opened)).toEqual(expected);
  await opened.close();
});

test('without a widget, a replaced page ends the experience too, and a re-rendered part does not', async () => {
  const opened = await stage.open({ after: tall });
  await opened.page.evaluate(() => {
    window.driver.svc = window.sdk.Svc({ ...window.driver.settings, identityCheck: 'open' });
    window.driver.open();
  });
  await opened.page.locator(shown).waitFor();
  await opened.page.evaluate(() => document.getElementById('slot')?.remove());
  expect(await opened.types()).not.toContain('EXPERIENCE_CLOSED');
  await opened.page.evaluate(() => document.body.replaceChildren());
  await expect.poll(() => remains(opened)).toEqual(nothingDue);
  await opened.close();
});

test.for<[string, () => unknown]>([
  [
    'removes the widget',
    () => document.getElementById('slot')?.replaceChildren('We are moving your balance'),
  ],
  [
    'moves the widget',
    () => document.querySelector('main')?.append(document.querySelector('#slot > div') as Element),
  ],
  [
    'morphs its body into what the server sends',
    () => {
      // A morph keeps the elements that it finds in the new page, and removes all others.
      for (const element of document.body.querySelectorAll('*')) {
        if (!element.matches('main, main > *, #slot')) element.remove();
      }
      document.body.removeAttribute('style');
    },
  ],
  ['replaces its head', () => document.head.replaceWith(document.createElement('head'))],
  [
    'changes the style of html and body',
    () => {
      document.documentElement.style.cssText = 'overflow: scroll';
      document.body.style.cssText = 'overflow: auto; position: relative';
    },
  ],
])('the experience stays open while the page %s', async ([, change]) => {
  const opened = await openPage({ before: '<main><p>Rent</p></main>' });
  await opened.page.evaluate(change);
  await opened.page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
  expect(await opened.page.locator('dialog:modal').count()).toBe(1);
  const { scrolled } = await remains(opened);
  // A script can scroll the page even while the user cannot.
  expect(scrolled).toBe(100);
  const inside = await opened.frame();
  expect(await inside.evaluate(() => window.ports)).toBe(1);
  // An update finds the page's colors, although the widget may be gone.
  await opened.page.evaluate(() => window.driver.svc.update({ balance: 1 }));
  await opened.page.getByRole('button', { name: 'Close' }).click();
  const dismissed = { reason: 'dismissed', last_step: 'offer' };
  await expect
    .poll(() => remains(opened))
    .toMatchObject({
      ...nothingDue,
      dialogs: 1,
      closed: [['EXPERIENCE_CLOSED', dismissed]],
      results: [dismissed],
    });
  expect(opened.faults).toEqual([]);
  await opened.close();
});

test('an open experience that the page moves is a modal dialog again', async () => {
  const opened = await stage.open({ before: '<dialog id="theirs"></dialog>' });
  await opened.mount(quiet);
  await opened.page.evaluate(() => {
    const theirs = document.getElementById('theirs') as HTMLDialogElement;
    theirs.append(document.getElementById('slot') as HTMLElement);
    theirs.showModal();
    window.driver.open();
  });
  await opened.page.locator(shown).waitFor();
  await opened.page.evaluate(() => {
    const theirs = document.getElementById('theirs') as HTMLDialogElement;
    const wrapper = document.createElement('div');
    wrapper.append(...theirs.childNodes);
    theirs.append(wrapper);
  });
  await opened.page.locator(`dialog:modal ${shown}`).waitFor();
  await opened.page.keyboard.press('Escape');
  await opened.event('EXPERIENCE_CLOSED');
  expect(opened.faults).toEqual([]);
  await opened.close();
});

test('the experience closes with the dialog of the page that it is in', async () => {
  const opened = await stage.open({ before: '<dialog id="theirs"></dialog>', after: tall });
  await opened.mount(quiet);
  await opened.page.evaluate(() => {
    const theirs = document.getElementById('theirs') as HTMLDialogElement;
    theirs.append(document.getElementById('slot') as HTMLElement);
    theirs.showModal();
    window.driver.open();
  });
  await opened.page.locator(shown).waitFor();
  await opened.page.evaluate(() => document.querySelector<HTMLDialogElement>('#theirs')?.close());
  expect(await opened.event('EXPERIENCE_CLOSED')).toMatchObject({ reason: 'dismissed' });
  expect(await remains(opened)).toMatchObject({ scrolled: 100, sheets: 0, guards: undefined });
  await opened.close();
});

test.for<[string, () => unknown, number]>([
  [
    'replaces its style sheets',
    () => {
      document.adoptedStyleSheets = [new CSSStyleSheet()];
    },
    1,
  ],
  [
    'adds a style sheet and removes it',
    () => {
      const sheet = new CSSStyleSheet();
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((it) => it !== sheet);
    },
    0,
  ],
  [
    'adds its own style sheet',
    () => {
      document.adoptedStyleSheets = [new CSSStyleSheet(), ...document.adoptedStyleSheets];
    },
    1,
  ],
  [
    'keeps a list of its style sheets and sets it later',
    () => {
      const list = [...document.adoptedStyleSheets, new CSSStyleSheet()];
      window.driver.svc.on('EXPERIENCE_CLOSED', () => {
        document.adoptedStyleSheets = list;
      });
    },
    2,
  ],
])('a page that %s while the experience is open keeps them, and scrolls', async ([, act, left]) => {
  const opened = await openPage();
  await opened.page.evaluate(act);
  await opened.page.keyboard.press('Escape');
  await opened.event('EXPERIENCE_CLOSED');
  expect(await opened.page.evaluate(() => document.adoptedStyleSheets.length)).toBe(left);
  const overflow = () => getComputedStyle(document.documentElement).overflow;
  expect(await opened.page.evaluate(overflow)).toBe('visible');
  await opened.close();
});

const sizes = [
  { width: 1000, height: 800 },
  { width: 390, height: 844 },
  { width: 740, height: 360 },
];
test.for(
  ['html', 'body'].flatMap((element) =>
    ['0.8', '1.25', '2'].flatMap((zoom) => sizes.map((viewport) => ({ element, zoom, viewport }))),
  ),
)(
  'with zoom $zoom on $element the dialog fits into $viewport.width × $viewport.height',
  async ({ element, zoom, viewport }) => {
    const head = `<style>${element} { zoom: ${zoom} }</style>`;
    const opened = await stage.open({ head, viewport, after: tall });
    await opened.mount(quiet);
    const widthOfPage = () => document.body.getBoundingClientRect().width;
    const before = await opened.page.evaluate(widthOfPage);
    await opened.page.evaluate(() => window.driver.open());
    await opened.page.locator(shown).waitFor();
    expect(await opened.page.evaluate(widthOfPage)).toBe(before);
    for (const part of ['dialog', '.svc-close', 'iframe']) {
      const box = await opened.page.locator(part).boundingBox();
      if (!box) throw new Error(`${part} is not shown`);
      expect(box.x).toBeGreaterThanOrEqual(0);
      expect(box.y).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width).toBeLessThanOrEqual(viewport.width + 0.5);
      expect(box.y + box.height).toBeLessThanOrEqual(viewport.height + 0.5);
    }
    await opened.page.getByRole('button', { name: 'Close' }).click();
    await opened.event('EXPERIENCE_CLOSED');
    await opened.close();
  },
);
