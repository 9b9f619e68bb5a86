import type { Environment } from './environment.ts';
import { usageFailure } from './failure.ts';
import { version } from './version.ts';

/**
 * Creates a `fetch` that names this program, so that the service's request log shows it, and that uses the
 * proxy of HTTP_PROXY and HTTPS_PROXY, which Node's own ignores. NO_PROXY lists hosts to reach without the
 * proxy. This machine is always reached without it.
 */
export function createFetch(variables: Environment['variables']): typeof fetch {
  const httpProxy = proxyOf('HTTP_PROXY', variables);
  const httpsProxy = proxyOf('HTTPS_PROXY', variables) ?? httpProxy;
  const noProxy = [variables.no_proxy ?? variables.NO_PROXY, 'localhost', '127.0.0.1', '[::1]'];
  const proxied =
    httpProxy || httpsProxy
      ? loadProxied({
          ...(httpProxy && { httpProxy }),
          ...(httpsProxy && { httpsProxy }),
          noProxy: noProxy.filter(Boolean).join(','),
        })
      : undefined;
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('user-agent', `svc-cli/${version}`);
    const send = (await proxied?.()) ?? fetch;
    return send(input, { ...init, headers });
  };
}

interface Proxies {
  readonly httpProxy?: string;
  readonly httpsProxy?: string;
  readonly noProxy: string;
}

/** Loads the client with the first call, because most commands need none. */
function loadProxied(proxies: Proxies): () => Promise<typeof fetch> {
  let loading: Promise<typeof fetch> | undefined;
  return () => {
    loading ??= import('undici').then((undici) => {
      const dispatcher = new undici.EnvHttpProxyAgent(proxies);
      return ((input: string, init: object) =>
        undici.fetch(input, { ...init, dispatcher })) as unknown as typeof fetch;
    });
    return loading;
  };
}

/** Reads a proxy like other programs: the lower-case name first, and http for an address without a scheme. */
function proxyOf(name: 'HTTP_PROXY' | 'HTTPS_PROXY', variables: Environment['variables']) {
  const value = (variables[name.toLowerCase()] ?? variables[name])?.trim();
  if (!value) return undefined;
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  if (/^https?:/i.test(url) && URL.canParse(url)) return url;
  throw usageFailure(
    `${name} is not an address of an HTTP proxy: ${value}.`,
    'Set it to one such as http://proxy.example:3128, or unset it.',
  );
}
