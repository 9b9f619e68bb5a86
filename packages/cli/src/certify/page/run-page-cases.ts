import type { PageCaseName } from '@svc/contract';
import { BrowserGoneError } from '../browser/connection.ts';
import type { Browser } from '../browser/launch-browser.ts';
import { csp, keyInPage, language, signature, sizes, widgetShown } from './appearance-cases.ts';
import {
  clickToDone,
  doubleClick,
  keyboardOnly,
  serviceDown,
  serviceSlow,
  tokenExpired,
} from './behavior-cases.ts';
import {
  type Finding,
  fail,
  type PageCase,
  type PageResult,
  type PageRun,
  takeNotes,
} from './page-case.ts';
import { desktop, isSessionRequest } from './visit.ts';

/** The page's cases in the order to run them: the first ones explain why later ones cannot pass. */
export const pageCases: Readonly<Record<PageCaseName, PageCase>> = {
  widget_shown: widgetShown,
  sizes,
  csp,
  signature,
  click_to_done: clickToDone,
  keyboard_only: keyboardOnly,
  service_slow: serviceSlow,
  service_down: serviceDown,
  token_expired: tokenExpired,
  double_click: doubleClick,
  language,
  key_in_page: keyInPage,
};

/** Runs one case. A browser that crashes or a service that fails is a finding, too. */
export async function runPageCase(name: PageCaseName, run: PageRun): Promise<PageResult> {
  const notes = takeNotes();
  const began = performance.now();
  let finding: Finding;
  try {
    finding = await pageCases[name](run, notes);
  } catch (error) {
    finding = fail({
      summary: `The case could not be finished: ${(error as Error).message}`.slice(0, 1_000),
      cause: 'The browser or the service stopped in the middle of it.',
      fix: 'Run it again with --only. If it fails again, report it.',
      docs: '/docs/certify#page',
    });
  }
  return {
    name,
    ...finding,
    steps: notes.steps,
    duration_in_ms: Math.round(performance.now() - began),
  };
}

/**
 * Finds the origin by which the page reaches the service, which may be another name of this machine than the
 * CLI's. A page that talks to another service is found by the cases.
 */
export async function findServiceOrigin(
  browser: Browser,
  { pageUrl, cookies, origin }: { pageUrl: string; origin: string; cookies: PageRun['cookies'] },
): Promise<string> {
  const tab = await browser.openTab({
    size: desktop,
    serviceOrigin: origin,
    language: 'en-US',
    cookies,
  });
  try {
    await tab.goto(pageUrl, 20_000);
    const isOfService = ({ url }: { url: string }) =>
      URL.canParse(url) && isSameService(new URL(url).origin, origin);
    const request = await tab.until(
      async () => tab.requests.find((it) => isSessionRequest(it) && isOfService(it)) ?? null,
      () => true,
      2_000,
    );
    const seen = request ?? tab.requests.find((it) => isOfService(it) && it.url.includes('/sdk/'));
    return seen ? new URL(seen.url).origin : origin;
  } catch (error) {
    // A page that hangs or crashes the browser: the cases say so.
    if (error instanceof BrowserGoneError) return origin;
    throw error;
  } finally {
    await tab.close();
  }
}

const loopback = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

function isSameService(a: string, b: string): boolean {
  if (a === b) return true;
  const [one, other] = [new URL(a), new URL(b)];
  return (
    one.port === other.port &&
    one.protocol === other.protocol &&
    loopback.test(one.hostname) &&
    loopback.test(other.hostname)
  );
}
