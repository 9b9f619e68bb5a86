import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium } from 'playwright-core';
import { expect, test } from 'vitest';
import { chromiumLaunchOptions } from './chromium.mjs';

test('starts, renders text and enforces the same-origin policy', async () => {
  const other = createServer((_, response) => response.end('secret'));
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  const browser = await chromium.launch(await chromiumLaunchOptions());
  try {
    const page = await browser.newPage();
    await page.goto(`http://localhost:${port}/`);
    await page.setContent('<span>Maple Residents</span>');
    const width = await page.locator('span').evaluate((span) => span.getBoundingClientRect().width);
    expect(width).toBeGreaterThan(50);
    const read = await page.evaluate(
      (url) =>
        fetch(url).then(
          (answer) => answer.text(),
          (error: Error) => error.name,
        ),
      `http://127.0.0.1:${port}/`,
    );
    expect(read).toBe('TypeError');
  } finally {
    await browser.close();
    await new Promise((resolve) => other.close(resolve));
  }
});

test('CHROMIUM takes precedence over every other browser', async () => {
  const before = process.env.CHROMIUM;
  process.env.CHROMIUM = '/opt/mine/chromium';
  try {
    expect((await chromiumLaunchOptions()).executablePath).toBe('/opt/mine/chromium');
  } finally {
    if (before === undefined) delete process.env.CHROMIUM;
    else process.env.CHROMIUM = before;
  }
});
