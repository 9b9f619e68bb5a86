import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Frame, type Page } from 'playwright-core';
import { chromiumLaunchOptions } from '../../chromium.mjs';
import { keys, type Tab, type TestBrowser, viewports } from './tab.ts';

const userAgent =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/UQ1A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/126.0.0.0 Mobile Safari/537.36';

/**
 * Disables what a WebView lacks until its app enables it: new windows, downloads by `download` and `blob:`,
 * DOM storage on the page, and all storage in frames of another site.
 */
const asInWebView = `
  window.open = () => null;
  addEventListener('click', (event) => {
    const link = event.target.closest?.('a[target=_blank], a[href^="blob:"]');
    if (link) event.preventDefault();
    else event.target.closest?.('a[download]')?.removeAttribute('download');
  }, true);
  for (const name of ['localStorage', 'sessionStorage', 'indexedDB']) {
    Object.defineProperty(window, name, {
      get() {
        if (window === top) return null;
        throw new DOMException('Access is denied for this document.', 'SecurityError');
      },
    });
  }`;

/** Starts Chromium with the settings of an Android WebView whose app has changed none of them. */
export async function startAndroidWebView(): Promise<TestBrowser> {
  const browser = await chromium.launch(await chromiumLaunchOptions());
  const contexts: BrowserContext[] = [];
  const downloads = await mkdtemp(join(tmpdir(), 'svc-webview-'));
  return {
    downloads,
    async open(url, viewport = viewports.phone) {
      const context = await browser.newContext({
        viewport,
        userAgent,
        isMobile: true,
        hasTouch: true,
      });
      contexts.push(context);
      await context.addInitScript(asInWebView);
      const page = await context.newPage();
      // An app would do this in its `DownloadListener`.
      page.on('download', (file) => file.saveAs(join(downloads, file.suggestedFilename())));
      await page.goto(url);
      return tabOf(page);
    },
    async tabs() {
      return contexts.flatMap((it) => it.pages()).map(tabOf);
    },
    async close() {
      await browser.close();
      await rm(downloads, { recursive: true, force: true });
    },
  };
}

function tabOf(page: Page): Tab {
  function frameWith(part: string): Frame {
    const found = page.frames().find((it) => it.url().includes(part));
    if (found === undefined) throw new Error(`No frame has an address with "${part}"`);
    return found;
  }

  return {
    // The address is enough, because pages cannot open tabs.
    id: page.url(),
    async evaluate<T>(expression: string, frame?: string) {
      const place = frame === undefined ? page : frameWith(frame);
      const text = await place.evaluate<string | undefined>(
        `(async () => JSON.stringify(await (${expression})))()`,
      );
      return (text === undefined ? undefined : JSON.parse(text)) as T;
    },
    async click(x, y, frame) {
      const element = frame === undefined ? null : await frameWith(frame).frameElement();
      const box = (await element?.boundingBox()) ?? { x: 0, y: 0 };
      await page.touchscreen.tap(box.x + x, box.y + y);
    },
    press: (key) => page.keyboard.press(key === keys.escape ? 'Escape' : 'Tab'),
    type: (text) => page.keyboard.type(text),
    goto: async (url) => void (await page.goto(url)),
    reload: async () => void (await page.reload()),
    back: async () => void (await page.goBack()),
    screenshot: () => page.screenshot(),
    close: () => page.context().close(),
  };
}
