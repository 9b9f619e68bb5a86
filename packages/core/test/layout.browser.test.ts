import { widgetSessionOf, widgetStatuses } from '@svc/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { SvcLocale, SvcSettings } from '../src/index.ts';
import { es } from '../src/locales/es.ts';
import { type Opened, type Stage, startStage } from './fixture/stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());
beforeEach(() => stage.service.reset());

/** Returns the elements that overflow their card or their box, and the buttons lower than 48 px. */
const misfits = ({ page }: Opened) =>
  page.evaluate(() => {
    const host = window.driver.svc.createWidget();
    const card = host.getBoundingClientRect();
    return [...(host.shadowRoot?.querySelectorAll('*') ?? [])]
      .filter((element) => {
        const { right, bottom, left, height, width } = element.getBoundingClientRect();
        // Details that do not fit are not visible: they wrap into a column to the right of the list.
        const list = element.closest('.svc-details')?.getBoundingClientRect();
        if (width === 0 || (list && left >= list.right)) return false;
        return (
          (element.scrollWidth > element.clientWidth + 1 &&
            element.tagName !== 'UL' &&
            getComputedStyle(element).display !== 'inline') ||
          right > card.right + 1 ||
          bottom > card.bottom + 1 ||
          left < card.left - 1 ||
          (element.tagName === 'BUTTON' && height < 48)
        );
      })
      .map((element) => element.outerHTML);
  });

/** Replaces the page's widget with one in a container of this style. Returns the data of WIDGET_READY. */
async function remount(opened: Opened, slot: string, settings: Partial<SvcSettings> = {}) {
  await opened.page.evaluate((css) => {
    window.driver.svc?.destroy();
    window.driver.events.length = 0;
    (document.getElementById('slot') as HTMLElement).style.cssText = css;
  }, slot);
  await opened.mount({ identityCheck: 'open', ...settings });
  return opened.event('WIDGET_READY');
}

const wordy: SvcLocale = {
  ...es,
  'Split it into 2, 3 or 4 payments': 'Aufteilungsmöglichkeiten '.repeat(6),
  'See my options': 'Meine Möglichkeiten ansehen und vergleichen',
};

test.for([
  [320, 250, 'stacked'],
  [420, 300, 'roomy'],
  [560, 300, 'columns'],
  [900, 500, 'large'],
  [1200, 800, 'large'],
] as const)('%i x %i is laid out %s and nothing overflows', async ([width, height, layout]) => {
  const opened = await stage.open({ slot: '', viewport: { width: 1300, height: 900 } });
  const slot = `width:${width}px;height:${height}px`;
  for (const settings of [{}, { balance: 9_999_999 }, { balance: 0 }]) {
    expect(await remount(opened, slot, settings)).toEqual({ width, height, layout });
    expect([settings, await misfits(opened)]).toEqual([settings, []]);
    // 48 px at most, with a line height of 1.2: the amount stays on one line.
    const amount = await opened.page.locator('[part=amount]').boundingBox();
    expect(amount?.height).toBeLessThan(60);
  }
  expect(await opened.types()).not.toContain('ERROR');
  for (const locale of [es, wordy]) {
    await remount(opened, slot.replace('height', 'min-height'), { locale });
    expect(await misfits(opened)).toEqual([]);
  }
  await opened.close();
});

const payments = (['paid', 'failed', 'due', 'due'] as const).map((state, index) => ({
  due_on: `2026-02-${10 + index}`,
  state,
}));

test.for([
  [280, 250],
  [320, 250],
  [390, 260],
  [560, 250],
  [760, 260],
  [1200, 400],
] as const)(
  'at %i x %i, no answer of the service moves or cuts anything',
  async ([width, height]) => {
    const slot = `width:${width}px;height:${height}px`;
    const opened = await stage.open({ slot, viewport: { width: 1300, height: 900 } });
    const { page } = opened;
    const session = (status: (typeof widgetStatuses)[number]) =>
      widgetSessionOf(
        status,
        status === 'starting' || status.startsWith('pa') || status === 'has_plan'
          ? '2026-02-12'
          : null,
        ['too_early', 'unavailable'].includes(status) ? '2026-05-02' : null,
        ['starting', 'has_plan', 'payment_failed', 'past_due'].includes(status) ? payments : [],
      );
    for (const locale of [{}, { locale: es }]) {
      for (const status of widgetStatuses) {
        stage.service.reset();
        stage.service.widgetAnswer = null;
        await opened.mount({ ...locale, balance: status === 'paid_off' ? 0 : 152_012 });
        const tops = () =>
          page.evaluate(() => {
            const root = window.driver.svc.createWidget().shadowRoot;
            const parts = ['.svc-label', '.svc-amount', '.svc-status', '.svc-payments', 'button'];
            return parts.map((it) => [it, root?.querySelector(it)?.getBoundingClientRect().top]);
          });
        const before = await tops();
        await page.evaluate((data) => {
          window.fetch = (async () => ({ json: async () => ({ error: null, data }) })) as never;
          window.driver.svc.update({ signature: '6'.repeat(64) });
        }, session(status));
        await expect
          .poll(() => page.evaluate(() => window.driver.svc.diagnose().status))
          .toBe(status);
        expect([status, locale, await tops()]).toEqual([status, locale, before]);
        expect([status, locale, await misfits(opened)]).toEqual([status, locale, []]);
        await page.evaluate(() => window.driver.svc.destroy());
      }
    }
    await opened.close();
  },
);

test('from 520 px on, each payment has its day and state under its segment', async () => {
  const opened = await stage.open({ slot: 'width:560px;height:250px' });
  stage.service.widgetAnswer = {
    status: 200,
    body: { error: null, data: widgetSessionOf('payment_failed', '2026-02-11', null, payments) },
  };
  await opened.mount();
  const rows = opened.page.locator('.svc-details li');
  await expect.poll(() => rows.allInnerTexts()).toContain('Feb 11\nFailed');
  const edges = (selector: string) =>
    opened.page
      .locator(selector)
      .evaluateAll((all) => all.map((it) => Math.round(it.getBoundingClientRect().left)));
  expect(await edges('.svc-details li')).toEqual(await edges('.svc-payments i'));
  await opened.close();
});

test('two columns at 520 px or more, one below', async () => {
  const opened = await stage.open({ slot: 'width:519px;height:300px' });
  await opened.mount();
  const besides = async () => {
    const money = await opened.page.locator('[part=amount]').boundingBox();
    const button = await opened.page.getByRole('button').boundingBox();
    return (button?.x ?? 0) > (money?.x ?? 0) + (money?.width ?? 0);
  };
  expect(await besides()).toBe(false);
  await opened.page.locator('#slot').evaluate((slot) => {
    slot.style.width = '520px';
  });
  expect(await besides()).toBe(true);
  await opened.close();
});

test('it fills any kind of container, and is 320 x 250 by default', async () => {
  const opened = await stage.open({ slot: '' });
  for (const [slot, width, height] of [
    ['display:block;width:500px', 500, 250],
    ['display:flex;width:500px;height:400px', 500, 400],
    ['display:flex;flex-direction:column;align-items:center;width:500px', 500, 250],
    ['display:flex;align-items:center;justify-content:center;width:500px;height:400px', 500, 400],
    ['display:grid;width:500px;height:400px', 500, 400],
    ['display:grid;place-items:center;width:500px;height:400px', 500, 400],
    ['display:inline-block', 320, 250],
    ['display:table-cell', 320, 250],
    ['width:fit-content', 320, 250],
    ['position:absolute', 320, 250],
    ['width:50%;height:50vh', 484, 400],
  ] as const) {
    expect([slot, await remount(opened, slot)]).toMatchObject([slot, { width, height }]);
    expect([slot, await misfits(opened)]).toEqual([slot, []]);
  }
  await opened.close();
});

test('in a container that is hidden at first, it is ready and complete once shown', async () => {
  const opened = await stage.open({ slot: 'display:none;width:600px;height:300px' });
  await opened.page.evaluate(async () => {
    window.driver.mount({ identityCheck: 'open' });
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  });
  expect(await opened.types()).toEqual([]);
  await opened.page.locator('#slot').evaluate((slot) => {
    slot.style.display = 'block';
  });
  expect(await opened.event('WIDGET_READY')).toEqual({
    width: 600,
    height: 300,
    layout: 'columns',
  });
  expect(await opened.types()).toEqual(['WIDGET_READY']);
  await opened.close();
});

test.for(['width:320px', 'width:560px'])(
  'text at 200 % grows the widget instead of being cut: %s',
  async (slot) => {
    const opened = await stage.open({ slot });
    await opened.mount({ identityCheck: 'open' });
    await opened.page.evaluate(() => {
      const root = window.driver.svc.createWidget().shadowRoot;
      const texts = [...(root?.querySelectorAll<HTMLElement>('p, .svc-sandbox, button') ?? [])];
      const sizes = texts.map((it) => Number.parseFloat(getComputedStyle(it).fontSize));
      for (const [index, text] of texts.entries())
        text.style.fontSize = `${2 * (sizes[index] ?? 0)}px`;
    });
    expect(await misfits(opened)).toEqual([]);
    const card = await opened.page.locator('[part=card]').boundingBox();
    expect(card?.height).toBeGreaterThan(250);
    await opened.close();
  },
);

test('a container that is too small is reported once each time it becomes so', async () => {
  const opened = await stage.open({ slot: 'width:400px;height:300px' });
  await opened.mount();
  const resize = async (width: number, height: number) => {
    await opened.page.locator('#slot').evaluate(
      (slot, size) => {
        slot.style.width = `${size.width}px`;
        slot.style.height = `${size.height}px`;
      },
      { width, height },
    );
    await opened.page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))),
    );
  };
  const reported = async () =>
    (await opened.events()).filter(([, data]) => data.code === 1002).map(([, data]) => data);
  await resize(300, 200);
  await resize(200, 150);
  expect(await reported()).toEqual([
    {
      code: 1002,
      error_code: 'container_too_small',
      msg: 'The widget is 300 × 200 px. Give its container at least 320 × 250 px.',
      retryable: false,
    },
  ]);
  const card = await opened.page.locator('div[lang]').boundingBox();
  expect([card?.width, card?.height]).toEqual([280, 250]);
  await resize(320, 250);
  await resize(319, 250);
  expect(await reported()).toHaveLength(2);
  await opened.close();
});

test.for([
  [320, 16, 288],
  [312, 16, 280],
] as const)(
  'a page of %i px with %i px of padding does not scroll: the widget is laid out in %i px',
  async ([width, padding, inner]) => {
    const opened = await stage.open({
      slot: 'min-height:250px',
      viewport: { width, height: 640 },
      head: `<style>body{margin:0!important;padding:${padding}px!important}</style>`,
    });
    for (const settings of [{}, { balance: 9_999_999 }, { balance: 0 }, { locale: es }]) {
      expect(await remount(opened, 'min-height:250px', settings)).toMatchObject({ width: inner });
      expect([settings, await misfits(opened)]).toEqual([settings, []]);
      expect(await opened.page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      const reported = (await opened.events()).filter(([, data]) => data.code === 1002);
      expect(reported).toHaveLength(1);
    }
    await opened.close();
  },
);

test('the theme is the setting, or else the page’s', async () => {
  const background = async (head: string, settings = {}) => {
    const opened = await stage.open({ head: `<style>${head}</style>`, colorScheme: 'dark' });
    await opened.mount(settings);
    const color = await opened.page
      .locator('div[lang]')
      .evaluate((it) => getComputedStyle(it).backgroundColor);
    await opened.close();
    return color;
  };
  const [white, dark] = ['rgb(255, 255, 255)', 'rgb(22, 27, 38)'];
  expect(await background('')).toBe(white);
  expect(await background(':root{color-scheme:light dark}')).toBe(dark);
  expect(await background('', { appearance: { theme: 'dark' } })).toBe(dark);
  expect(await background(':root{color-scheme:dark}', { appearance: { theme: 'light' } })).toBe(
    white,
  );
  expect(await background('', { appearance: { variables: { surface: 'rgb(1, 2, 3)' } } })).toBe(
    'rgb(1, 2, 3)',
  );
  expect(await background('#slot{--svc-surface:rgb(4, 5, 6)}')).toBe('rgb(4, 5, 6)');
});

test("the page's own styles do not reach inside", async () => {
  const hostile = `*{all:unset!important;display:inline!important;color:red!important;font-size:40px!important}
    #slot{display:block!important;width:420px!important;height:300px!important;letter-spacing:9px!important}`;
  const opened = await stage.open({ head: `<style>${hostile}</style>` });
  await opened.mount();
  const style = await opened.page.locator('button span').evaluate((it) => {
    const { color, fontSize, letterSpacing } = getComputedStyle(it);
    return { color, fontSize, letterSpacing };
  });
  expect(style).toEqual({
    color: 'rgb(255, 255, 255)',
    fontSize: '16px',
    letterSpacing: 'normal',
  });
  const host = await opened.page.locator('#slot > div').boundingBox();
  expect(host?.width).toBeGreaterThanOrEqual(320);
  await opened.close();
});
