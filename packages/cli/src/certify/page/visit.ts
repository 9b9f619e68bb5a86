import type { Loaded, Tab, TabOptions } from '../browser/open-tab.ts';
import type { SeenWidget } from '../browser/probe.ts';
import type { Interceptor, SeenRequest } from '../browser/watch-tab.ts';
import type { Notes, PageRun } from './page-case.ts';

export const desktop = { width: 1280, height: 900, isPhone: false };
export const phone = { width: 390, height: 844, isPhone: true };

const loadTimeoutMs = 20_000;
const widgetTimeoutMs = 8_000;
const sessionTimeoutMs = 8_000;

interface VisitOptions {
  readonly size?: TabOptions['size'];
  readonly language?: string;
  readonly interceptor?: Interceptor;
  /** How long to wait for the widget, and then for the service's answer about the tenant. */
  readonly widgetMs?: number;
}

/** The page as it is after it has loaded. */
export interface Visit {
  readonly tab: Tab;
  readonly loaded: Loaded;
  /** Null if the page shows no widget. */
  readonly widget: SeenWidget | null;
  /** The widget's request about the tenant; undefined if it sent none. */
  readonly session: SeenRequest | undefined;
}

export const isSessionRequest = ({ url, method }: SeenRequest) =>
  method === 'POST' && new URL(url).pathname === '/v1/widget/session';

/** Opens the page in a new tab, calls `use` with it, and closes the tab. */
export async function visit<T>(
  run: PageRun,
  notes: Notes,
  { size = desktop, language = 'en-US', interceptor, widgetMs = widgetTimeoutMs }: VisitOptions,
  use: (visit: Visit) => Promise<T>,
): Promise<T> {
  const { browser, pageUrl, serviceOrigin, cookies } = run;
  const tab = await browser.openTab({ size, serviceOrigin, language, cookies });
  try {
    if (interceptor) tab.intercept(interceptor);
    const loaded = await tab.goto(pageUrl, loadTimeoutMs);
    const where = `${size.width} × ${size.height} px`;
    notes.add(
      `Opened the page on ${size.isPhone ? 'a phone' : 'a desktop'} of ${where}`,
      loaded.error ?? `${loaded.status ?? 'no'} from ${withoutQuery(loaded.url)}`,
    );
    const widget =
      loaded.error === null
        ? await tab.until(() => tab.look('page', 'widget'), isShown, widgetMs)
        : null;
    const answered = () => tab.requests.find((it) => isSessionRequest(it) && isOver(it));
    if (widget) {
      await tab.until(async () => answered() ?? null, isOver, sessionTimeoutMs);
    }
    const session = answered() ?? tab.requests.find(isSessionRequest);
    return await use({ tab, loaded, widget, session });
  } finally {
    await tab.close();
  }
}

export const isShown = ({ width, height }: SeenWidget) => width > 0 && height > 0;
const isOver = ({ status, error }: SeenRequest) => status !== null || error !== null;

/** Removes the query, which may hold a session of the portal, and the fragment. */
export function withoutQuery(url: string): string {
  return URL.canParse(url) ? new URL(url).origin + new URL(url).pathname : url;
}

/** Returns the id of the page's tenant from the widget's request; null without one. */
export function tenantOf(session: SeenRequest | undefined): string | null {
  try {
    const { external_id } = JSON.parse(session?.body ?? '{}');
    return typeof external_id === 'string' ? external_id : null;
  } catch {
    return null;
  }
}

export interface SessionAnswer {
  readonly status: string | null;
  readonly code: string | null;
  readonly message: string | null;
}

/** Reads the service's response to the widget. */
export async function readSession(session: SeenRequest | undefined): Promise<SessionAnswer> {
  const text = (await session?.readBody()) ?? '';
  try {
    const { data, error } = JSON.parse(text);
    return {
      status: data?.status ?? data?.state ?? null,
      code: error?.code ?? null,
      message: error?.message ?? null,
    };
  } catch {
    return { status: null, code: null, message: null };
  }
}
