import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Opened, type Stage, startStage } from './fixture/stage.ts';
import { approved, stateOf } from './fixture/states.ts';
import { manageScenes } from './manage-scenes.ts';

const browser = { forcedColors: 'active', reducedMotion: 'reduce' } as const;

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

/** The colors of an element as painted, from top to bottom, `x` pixels from its left. */
async function columnOf({ page }: Opened, element: Locator, x: number): Promise<string[]> {
  const png = await element.screenshot();
  return page.evaluate(
    async ([base64, x]) => {
      const bytes = Uint8Array.from(atob(base64), (it) => it.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
      canvas?.drawImage(image, 0, 0);
      const data = canvas?.getImageData(x, 0, 1, image.height).data ?? [];
      return Array.from({ length: image.height }, (_, y) => data.slice(4 * y, 4 * y + 4).join());
    },
    [png.toString('base64'), x] as const,
  );
}

/** The color in the middle of that column. */
async function paintedAt(opened: Opened, element: Locator, x: number): Promise<string> {
  const column = await columnOf(opened, element, x);
  return column[Math.floor(column.length / 2)] ?? '';
}

/** The color of each tile's inner edge, which is drawn only if the tile is selected. */
async function edgesOf(opened: Opened, tiles: Locator): Promise<string[]> {
  const edges: string[] = [];
  for (const tile of await tiles.all()) {
    edges.push(await paintedAt(opened, tile, 2));
  }
  return edges;
}

test('the selected number of payments looks different from the others', async () => {
  const opened = await stage.open({ state: stateOf(approved), browser });
  const tiles = opened.frame.locator('.option--tile');
  for (const chosen of [0, 1]) {
    await tiles.nth(chosen).click();
    const edges = await edgesOf(opened, tiles);
    expect(edges.length).toBeGreaterThan(1);
    expect(edges.filter((edge) => edge === edges[chosen])).toHaveLength(1);
  }
  await opened.close();
});

test('the selected day looks different from the others', async () => {
  const scene = manageScenes.find(({ name }) => name.endsWith('move'));
  if (!scene) throw new Error('the scene of the move screen has another name');
  const opened = await stage.open({ ...scene.open, browser });
  await scene.play(opened);
  const days = opened.frame.locator('.options--days .option');
  await days.nth(1).click();
  const edges = await edgesOf(opened, days);
  expect(edges.length).toBeGreaterThan(2);
  expect(edges.filter((edge) => edge === edges[1])).toHaveLength(1);
  await opened.close();
});

test('progress and payment bars are visible, and done differs from open', async () => {
  const opened = await stage.open({ state: stateOf(), browser });
  const parts = opened.frame.locator('section > .split-bar i');
  const today = await paintedAt(opened, parts.nth(0), 10);
  const later = await paintedAt(opened, parts.nth(1), 10);
  expect(today).not.toBe(later);
  // A later payment is an outline: its border differs from its inside.
  expect(new Set(await columnOf(opened, parts.nth(1), 10)).size).toBeGreaterThan(1);
  await opened.frame.locator('.footer button').last().click();
  const bars = opened.frame.locator('.progress__bars i');
  await bars.first().waitFor();
  expect(await paintedAt(opened, bars.first(), 10)).not.toBe(
    await paintedAt(opened, bars.last(), 10),
  );
  expect(new Set(await columnOf(opened, bars.last(), 10)).size).toBeGreaterThan(1);
  await opened.close();
});

test('a tab that is not selected has no visible line', async () => {
  const opened = await stage.open({ state: stateOf(), browser });
  const colors = await opened.frame.evaluate(() => {
    document.body.insertAdjacentHTML(
      'beforeend',
      `<a class="svc-tabs__tab">One</a><a class="svc-tabs__tab" aria-current="page">Two</a>`,
    );
    return [...document.querySelectorAll('.svc-tabs__tab')].map(
      (tab) => getComputedStyle(tab).borderBottomColor,
    );
  });
  expect(colors[0]).not.toBe(colors[1]);
  await opened.close();
});
