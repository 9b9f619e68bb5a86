import { expect, test } from 'vitest';
import { stageForFile } from './fixture/stage-for-file.ts';

const stage = stageForFile();

test('charts can be read with the pointer, the arrow keys, and as a table', async () => {
  const page = await stage.open({ path: '/activity' });
  const chart = page.getByRole('img', { name: 'Attempts' });
  await chart.locator('.u-over').waitFor();
  await chart.focus();
  await chart.press('ArrowLeft');
  const reads = page.locator('.chart__reads').first();
  await reads.getByText('Mon, Mar 2, 08:49 AM').waitFor();
  await reads.getByText(/\d+ delivered, 0 failed/).waitFor();
  await chart.press('ArrowLeft');
  await reads.getByText('08:34 AM').waitFor();
  await chart.locator('.u-over').hover({ position: { x: 2, y: 100 } });
  await reads.getByText('Sun, Mar 1, 09:04 AM').waitFor();
  await page.getByText('Show as a table').click();
  await expect.poll(() => page.getByRole('row').count()).toBe(96 - 3 + 1);
  await page.getByText('7 days').click();
  await page.waitForURL(/days=7/);
  const asked = () => stage.service.calls.filter(({ call }) => call.endsWith('/activity')).length;
  await expect.poll(asked).toBeGreaterThan(1);
  await page.context().close();
});

test('stacked charts share their left and right edges', async () => {
  const page = await stage.open({ path: '/activity' });
  await page.locator('.u-over').nth(1).waitFor();
  const edges = await page.locator('.u-over').evaluateAll((plots) =>
    plots.map((plot) => {
      const { left, right } = plot.getBoundingClientRect();
      return [left, right];
    }),
  );
  expect(edges).toHaveLength(2);
  expect(edges[0]).toEqual(edges[1]);
  await page.getByText('p95: 95% of attempts took at most this long').waitFor();
  await page.getByText('Times are in CST.').waitFor();
  await page.context().close();
});

test('the canvas of a chart lies inside its area, under the layer that the pointer meets', async () => {
  const page = await stage.open({ path: '/activity' });
  await page.locator('.u-over').nth(1).waitFor();
  for (const chart of await page.locator('.chart__area').all()) {
    const area = await chart.boundingBox();
    const canvas = await chart.locator('canvas').boundingBox();
    const over = await chart.locator('.u-over').boundingBox();
    if (!area || !canvas || !over) throw new Error('the chart is not laid out');
    expect(canvas.y).toBe(area.y);
    expect(canvas.height).toBe(area.height);
    expect(over.y).toBeGreaterThan(canvas.y);
    expect(over.y + over.height).toBeLessThan(canvas.y + canvas.height);
  }
  await page.context().close();
});

test('the audit log shows who did what and can be filtered', async () => {
  const page = await stage.open({ path: '/activity?view=audit-log' });
  await page.getByText('Viewed the signing secret').waitFor();
  await page.getByText('Created a link to this console').waitFor();
  await page.getByText('API key …k2Qx').waitFor();
  expect(await page.getByText('<b>').count()).toBe(1);
  const byOperator = page.getByRole('listitem').filter({ hasText: 'ops-ada' });
  await byOperator.getByText('Reopened a settlement of $1,520.12').waitFor();
  await byOperator.getByText('service operator, command line').waitFor();
  // A settlement does not link to a message.
  expect(await byOperator.getByRole('link', { name: 'View message' }).count()).toBe(0);
  expect(await page.getByText('from 203.0.113.9').count()).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Endpoint' }).click();
  await page.getByRole('menuitemradio', { name: /plans.maple/ }).click();
  await page.getByText('Created a link to this console').waitFor({ state: 'detached' });
  await page.getByText('from https://plans.maple.example/hooks to').waitFor();
  await page.getByRole('button', { name: 'Remove filter Endpoint' }).click();
  await page.getByRole('link', { name: 'API key …k2Qx' }).click();
  await page.getByText('Viewed the signing secret').waitFor({ state: 'detached' });
  await page.getByText('By: API key …k2Qx').waitFor();
  await page.getByRole('button', { name: 'Remove filter By' }).click();
  await page.getByRole('button', { name: 'Action' }).click();
  await page.getByRole('menuitemradio', { name: 'Signing secrets' }).click();
  await page.getByText('Created a link to this console').waitFor({ state: 'detached' });
  await page.getByText('Viewed the signing secret').waitFor();
  await page.context().close();
});

test('charts use the theme’s colors and follow theme changes', async () => {
  const page = await stage.open({ path: '/activity', browser: { colorScheme: 'light' } });
  await page.getByRole('img', { name: 'Attempts' }).waitFor();
  const drawn = () => page.evaluate(colorsOfFirstChart);
  const token = (name: string) => page.evaluate(colorOfToken, name);
  const shown = async () => {
    const [bars, good, bad] = [await drawn(), await token('good'), await token('bad')];
    expect(good).not.toBe(bad);
    return bars.includes(good) && bars.includes(bad);
  };
  await expect.poll(shown).toBe(true);
  const light = await token('good');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(shown).toBe(true);
  expect(await token('good')).not.toBe(light);
  await page.emulateMedia({ forcedColors: 'active' });
  await expect.poll(shown).toBe(true);
  await page.emulateMedia({ forcedColors: 'none', colorScheme: 'light' });
  await page.getByRole('button', { name: 'Theme' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'More contrast' }).click();
  await expect.poll(shown).toBe(true);
  expect(await token('good')).not.toBe(light);
  await page.reload();
  await expect.poll(shown).toBe(true);
  expect(await token('good')).not.toBe(light);
  await page.context().close();
});

test('charts render when the browser reports a locale that Intl rejects', async () => {
  const page = await stage.open();
  await page.addInitScript(() => {
    const language = { configurable: true, get: () => 'en-US@posix' };
    Object.defineProperty(Navigator.prototype, 'language', language);
  });
  await page.goto(`${stage.service.origin}/portal/activity`);
  await page.locator('canvas').first().waitFor();
  expect(await page.getByText('can’t draw').count()).toBe(0);
  expect(await page.evaluate(() => navigator.language)).toBe('en-US@posix');
  await page.context().close();
});

/** All opaque colors in the first chart, in CSS notation. */
function colorsOfFirstChart(): string[] {
  const canvas = document.querySelector('canvas');
  const pixels = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data;
  const colors = new Set<string>();
  for (let at = 0; pixels && at < pixels.length; at += 4) {
    const [red, green, blue, alpha] = pixels.slice(at, at + 4);
    if (alpha === 255) colors.add(`rgb(${red}, ${green}, ${blue})`);
  }
  return [...colors];
}

/** The color as a canvas shows it: a token may be in `oklab`, the pixels of a chart are in sRGB. */
function colorOfToken(name: string): string {
  const sample = document.querySelector(`.chart__color--${name}`);
  const context = document.createElement('canvas').getContext('2d');
  if (!sample || !context) return '';
  context.fillStyle = getComputedStyle(sample).color;
  context.fillRect(0, 0, 1, 1);
  const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
  return `rgb(${red}, ${green}, ${blue})`;
}
