import { Svix } from 'svix';
import type { SvixConfig } from './svix-settings.ts';

// Far less than the relay allows a handover, which may take several calls.
const requestMs = 8_000;

/**
 * The official client of a Svix server. It does not retry: it would not wait for `Retry-After`, and
 * its callers know what a lost answer means. Failures throw `ApiException`, or what `fetch` throws.
 */
export function createSvixClient(
  { serverUrl, token }: SvixConfig,
  { requestTimeout = requestMs } = {},
): Svix {
  return new Svix(token, {
    serverUrl,
    retryScheduleInMs: [],
    requestTimeout,
    fetch: fetchFromServer,
  });
}

/** The code in the body of a refusal that did not come from Svix. */
export const notSvix = 'not_svix';

/**
 * Follows no redirect: one turns a POST into a GET, whose answer the client would mistake for success. The
 * client throws a bare `SyntaxError` for a refusal that is not JSON, such as a gateway's page. Such a body is
 * replaced, so that its status and `Retry-After` are known.
 */
async function fetchFromServer(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(input, { ...init, redirect: 'manual' });
  const { status, headers } = response;
  const isRefusal = status >= 400 && status < 500;
  if (!isRefusal || headers.get('content-type')?.includes('json')) return response;
  await response.body?.cancel();
  return Response.json(
    { code: notSvix, detail: 'not JSON' },
    { status, headers: retryOf(headers) },
  );
}

function retryOf(headers: Headers): Record<string, string> {
  const after = headers.get('retry-after');
  return after === null ? {} : { 'retry-after': after };
}
