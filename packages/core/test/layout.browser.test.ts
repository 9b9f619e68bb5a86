import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Stage, startStage } from './fixture/stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());
beforeEach(() => stage.service.reset());

test.for([
  [320, 250, 'stacked'],
  [420, 300, 'roomy'],
  [560, 300, 'columns'],
  [900, 500, 'large'],
] as const)('%i x %i is laid out %s and nothing overflows', async ([width, height, layout]) => {
  for (const balance of [152012, 9_999_999, 0]) {
    const opened = await stage.open({ slot: `width:${width}px;height:${height}px` });
    await opened.mount({ balance });
    expect(await opened.event('WIDGET_READY')).toEqual({ width, height, layout });
    const overflow = await opened.page.evaluate(() => {
      const host = window.driver.svc.createWidget();
      const inside = [...(host.shadowRoot?.querySelectorAll('*') ?? [])];
      const card = host.getBoundingClientRect();
      return inside
        .filter((element) => {
          const box = element.getBoundingClientRect();
          return (
            element.scrollWidth > element.clientWidth + 1 ||
            box.right > card.right + 1 ||
            box.bottom > card.bottom + 1
          );
        })
        .filter((element) => getComputedStyle(element).display !== 'inline')
        .map((element) => element.outerHTML);
    });
    expect(overflow).toEqual([]);
    const button = await opened.page.getByRole('button').boundingBox();
    expect(button?.height).toBeGreaterThanOrEqual(48);
    expect(await opened.types()).not.toContain('ERROR');
    await opened.close();
  }
});

test('two columns from 520 px on, one below', async () => {
  const opened = await stage.open({ slot: 'width:519px;height:300px' });
  await opened.mount();
  const besides = async () => {
    const money = await opened.page.locator('b').boundingBox();
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

test('it fills a container of any kind and rests at 250 px of height', async () => {
  const containers = {
    'display:block;width:500px': [500, 250],
    'display:flex;width:500px;height:400px': [500, 400],
    'display:flex;flex-direction:column;align-items:center;width:500px': [500, 250],
    'display:grid;place-items:center;width:500px;height:400px': [500, 400],
    'display:inline-block': [320, 250],
    'position:absolute': [320, 250],
  };
  for (const [slot, [width, height]] of Object.entries(containers)) {
    const opened = await stage.open({ slot });
    await opened.mount();
    expect([slot, await opened.event('WIDGET_READY')]).toEqual([
      slot,
      expect.objectContaining({ width, height }),
    ]);
    await opened.close();
  }
});

test('long text grows the widget instead of being cut', async () => {
  const opened = await stage.open({ slot: 'width:320px' });
  await opened.mount();
  await opened.page.evaluate(() => {
    const root = window.driver.svc.createWidget().shadowRoot;
    for (const text of root?.querySelectorAll<HTMLElement>('p, small, button') ?? []) {
      text.style.fontSize = '200%';
    }
  });
  const [card, terms] = [
    await opened.page.locator('[part=card]').boundingBox(),
    await opened.page.locator('small').boundingBox(),
  ];
  expect(card?.height).toBeGreaterThan(250);
  expect((terms?.y ?? 0) + (terms?.height ?? 0)).toBeLessThan((card?.y ?? 0) + (card?.height ?? 0));
  await opened.close();
});

test('a container that is too small is told once each time it becomes so', async () => {
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
  const told = async () =>
    (await opened.events()).filter(([, data]) => data.code === 1002).map(([, data]) => data);
  await resize(300, 200);
  await resize(200, 150);
  expect(await told()).toEqual([
    {
      code: 1002,
      error_code: 'container_too_small',
      msg: 'container too small',
      retryable: false,
    },
  ]);
  const card = await opened.page.locator('div[lang]').boundingBox();
  expect([card?.width, card?.height]).toEqual([320, 250]);
  await resize(320, 250);
  await resize(319, 250);
  expect(await told()).toHaveLength(2);
  await opened.close();
});

test('the theme is the setting, else what the page itself says', async () => {
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
  expect(style).toEqual({ color: 'rgb(255, 255, 255)', fontSize: '16px', letterSpacing: 'normal' });
  const host = await opened.page.locator('#slot > div').boundingBox();
  expect(host?.width).toBeGreaterThanOrEqual(320);
  await opened.close();
});
