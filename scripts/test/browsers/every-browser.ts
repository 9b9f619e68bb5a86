import { startAndroidWebView } from './android-webview.ts';
import { findFirefox, startFirefox } from './firefox.ts';
import type { TestBrowser } from './tab.ts';
import { findWebKit, startWebKit } from './webkit.ts';

interface KnownBrowser {
  readonly name: string;
  /** Starts the browser; undefined if it is not installed. */
  readonly start: (() => Promise<TestBrowser>) | undefined;
  /** True if pages can open tabs. */
  readonly opensTabs: boolean;
}

const firefox = findFirefox();
const webKit = findWebKit();

/** The browsers that the product is tested in, apart from the Chromium of all other tests. */
export const everyBrowser: readonly KnownBrowser[] = [
  {
    name: 'Firefox',
    start: firefox === undefined ? undefined : () => startFirefox(firefox),
    opensTabs: true,
  },
  {
    name: 'WebKitGTK',
    start: webKit === undefined ? undefined : () => startWebKit(webKit),
    opensTabs: true,
  },
  { name: 'Chromium as an Android WebView', start: startAndroidWebView, opensTabs: false },
];

const installation: Record<string, string> = {
  Firefox: 'Install firefox-esr, or set FIREFOX to its path.',
  WebKitGTK: 'Install webkit2gtk-driver and xvfb.',
};

for (const { name, start } of everyBrowser) {
  if (start === undefined) console.warn(`Skipped: ${name} is not here. ${installation[name]}`);
}
