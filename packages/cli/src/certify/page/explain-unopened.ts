import type { Tab } from '../browser/open-tab.ts';
import type { SeenRequest } from '../browser/watch-tab.ts';
import { type Finding, fail } from './page-case.ts';
import { withoutQuery } from './visit.ts';

export const isExchange = ({ url, method }: Pick<SeenRequest, 'url' | 'method'>) =>
  method === 'POST' && new URL(url).pathname === '/v1/experience/session';

/** Explains how the page's policy blocked something of the service; null if it did not. */
export async function explainPolicy(tab: Tab, serviceOrigin: string): Promise<Finding | null> {
  const violations = (await tab.look('page', 'violations')) ?? [];
  const ours = violations.filter(({ blocked }) => blocked.startsWith(serviceOrigin));
  const directives = [
    ...new Set(ours.map(({ directive }) => directive.replace(/-(elem|attr)$/, ''))),
  ];
  if (directives.length > 0) {
    const names = directives.join(' and ');
    const isNamed = ours.every(({ directive, policy }) => policy.includes(`${baseOf(directive)} `));
    return fail({
      summary: `The page’s Content-Security-Policy blocked ${serviceOrigin} by ${names}.`,
      cause: isNamed
        ? `Your policy’s ${names} does not contain the service.`
        : `Your policy has no ${names}, so its default-src applies, which does not contain the service.`,
      fix: `Add ${serviceOrigin} to ${names}.`,
      docs: '/docs/csp',
    });
  }
  const refused = tab.requests.find(
    ({ url, error }) => url.startsWith(serviceOrigin) && error?.startsWith('blocked: co'),
  );
  if (!refused) return null;
  return fail({
    summary: `The browser did not load ${withoutQuery(refused.url)} (${refused.error}).`,
    cause:
      'Your page sends Cross-Origin-Embedder-Policy, so browsers show no frame of another site in it.',
    fix: 'Leave that header out on pages with the widget.',
    docs: '/docs/errors#frame_timeout',
  });
}

const baseOf = (directive: string) => directive.replace(/-(elem|attr)$/, '');

/** Explains why a click on the widget did not open the experience. `before`: the number of requests before it. */
export async function explainUnopened(
  tab: Tab,
  serviceOrigin: string,
  before: number,
): Promise<Finding> {
  const blocked = await explainPolicy(tab, serviceOrigin);
  if (blocked) return blocked;
  const exchange = tab.requests.findLast(isExchange);
  if (exchange?.status && exchange.status >= 400) {
    const { code, message } = await readError(exchange);
    return fail({
      summary: `The service refused the token with ${exchange.status} ${code}: ${message}`,
      cause:
        code === 'origin_not_allowed'
          ? 'The origin of your page is not among your allowed origins.'
          : 'Your page passes a token that is not fresh, or that belongs to another tenant than the widget.',
      fix:
        code === 'origin_not_allowed'
          ? 'Add the page’s origin with PUT /v1/partner/allowed_origins.'
          : 'Call portal_info for each click, for the tenant who is signed in, and return its new token.',
      docs: code === 'origin_not_allowed' ? '/docs/errors#origin_not_allowed' : '/docs/backend',
    });
  }
  const own = tab.requests.slice(before).filter(({ url }) => !url.startsWith(serviceOrigin));
  const failed = own.find(({ status, error }) => error !== null || (status ?? 0) >= 400);
  if (failed) {
    const got = failed.status ?? failed.error;
    return fail({
      summary: `After the click, ${failed.method} ${withoutQuery(failed.url)} answered ${got}.`,
      cause: 'Your page gets the token from your backend, and this request failed.',
      fix: 'Look into the log of your backend. It calls portal_info with the API key and returns the token.',
      docs: '/docs/backend',
    });
  }
  const [exception] = tab.exceptions;
  if (exception !== undefined) {
    return fail({
      summary: `A script of the page failed: ${exception}`,
      cause: 'onWidgetClickCallback, or something before it, throws an error.',
      fix: 'Fix the error: the browser’s console has its place.',
      docs: '/docs/errors#callback_threw',
    });
  }
  const isOpen = (await tab.look('page', 'dialog'))?.isOpen ?? false;
  if (isOpen) {
    return fail({
      summary: 'The dialog opened, and the experience in it did not load.',
      cause: `The frame of ${serviceOrigin} does not load in your page.`,
      fix: 'Check that your allowed origins contain the page’s origin, and that no proxy blocks the frame.',
      docs: '/docs/errors#frame_timeout',
    });
  }
  return fail({
    summary:
      own.length === 0
        ? 'A click on the widget did nothing.'
        : 'A click on the widget opened nothing.',
    cause: 'onWidgetClickCallback is missing, or it returns no token and opens nothing.',
    fix: 'Return the token of portal_info from onWidgetClickCallback, or call openExperienceAndSetToken with it.',
    docs: '/docs/errors#callback_opened_nothing',
  });
}

export async function readError(request: SeenRequest): Promise<{ code: string; message: string }> {
  try {
    const { error } = JSON.parse((await request.readBody()) ?? '');
    return { code: String(error.code), message: String(error.message).slice(0, 500) };
  } catch {
    return { code: '', message: 'without an explanation' };
  }
}
