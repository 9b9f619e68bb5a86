import { isIP } from 'node:net';
import type { AddressPolicy } from '../kernel/engine-deps.ts';
import { limits } from '../kernel/limits.ts';
import { EngineRefusal } from '../kernel/refusal.ts';
import { classifyAddress } from './classify-address.ts';
import { isAllowed } from './networks.ts';
import { createResolver, type ResolveHost } from './resolve-host.ts';

/**
 * Checks an endpoint's URL before it is saved. Call it outside of any transaction, because it queries
 * DNS. A name that does not resolve yet is accepted: each new connection is checked again.
 * @throws EngineRefusal `invalid_url`, `url_userinfo`, `insecure_url`, `blocked_port`, `blocked_address`
 */
export async function checkUrl(
  url: string,
  policy: AddressPolicy,
  resolve: ResolveHost = createResolver({ localNames: policy.allowPrivate }),
): Promise<void> {
  const { hostname } = parseEndpointUrl(url, policy);
  if (isIP(bareHost(hostname)) !== 0) return;
  const addresses = await resolve(hostname).catch(() => []);
  const refused = blockedAmong(addresses, policy);
  if (refused) throw blockedAddress(`${hostname} resolves to ${refused}, which`);
}

/** Parses an endpoint's URL and checks what needs no network: syntax, scheme, port, literal addresses. */
export function parseEndpointUrl(text: string, policy: AddressPolicy): URL {
  const url = readUrl(text);
  if (url.protocol === 'http:' && !policy.allowHttp) {
    throw refuse('insecure_url', 'Use an https URL: http is not allowed in this environment.');
  }
  if (url.username !== '' || url.password !== '') {
    throw refuse(
      'url_userinfo',
      'Take the user name and password out of the URL and set auth {"type":"basic"} instead: it is stored encrypted.',
    );
  }
  if (!policy.allowPrivate) {
    refusePort(url);
    // Receivers in an allowed network have internal names. Their addresses are checked all the same.
    if (!policy.allowedNetworks?.length) refuseName(url.hostname);
  }
  const literal = bareHost(url.hostname);
  if (isIP(literal) !== 0 && blockedAmong([literal], policy)) throw blockedAddress(literal);
  url.hash = '';
  return url;
}

/** The first address that the policy does not allow. A single one is enough to refuse a name. */
export function blockedAmong(
  addresses: readonly string[],
  policy: AddressPolicy,
): string | undefined {
  if (policy.allowPrivate) return undefined;
  const networks = policy.allowedNetworks ?? [];
  return addresses.find(
    (address) => classifyAddress(address) !== 'public' && !isAllowed(address, networks),
  );
}

/** The host of a URL as an address or name: without the brackets of IPv6. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

// Databases and remote desktops that would read an HTTP request as commands or noise.
const blockedPorts = new Set([
  1433, 1521, 2375, 2376, 2379, 3306, 3389, 5432, 5900, 6379, 9200, 11_211, 27_017,
]);
const privateSuffixes = ['.local', '.localhost', '.internal', '.intranet', '.lan', '.home.arpa'];

function readUrl(text: string): URL {
  const plain = text.length <= limits.urlCharacters && /^https?:\/\/[^\s\\]+$/i.test(text);
  if (plain && URL.canParse(text)) return new URL(text);
  throw refuse(
    'invalid_url',
    `Give a full http(s) URL of at most ${limits.urlCharacters} characters, such as https://example.com/webhooks.`,
  );
}

function refusePort(url: URL): void {
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  if (port === 80 || port === 443 || (port >= 1024 && !blockedPorts.has(port))) return;
  throw refuse(
    'blocked_port',
    `Port ${port} is not for web servers: use 443, or one from 1024 on.`,
  );
}

function refuseName(hostname: string): void {
  const name = bareHost(hostname).replace(/\.$/, '').toLowerCase();
  if (isIP(name) !== 0) return;
  if (name.includes('.') && !privateSuffixes.some((suffix) => name.endsWith(suffix))) return;
  throw blockedAddress(name);
}

function blockedAddress(subject: string): EngineRefusal {
  return refuse(
    'blocked_address',
    `${subject} is not reachable from the internet: give a public address.`,
  );
}

function refuse(code: EngineRefusal['code'], message: string): EngineRefusal {
  return new EngineRefusal(code, message, 'url');
}
