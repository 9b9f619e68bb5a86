import ipaddr from 'ipaddr.js';
import type { App } from '../app.ts';

/** Anyone can send the header, so the number of log lines is limited. */
const maxWarnings = 10;

/**
 * Warns once for each peer whose forwarding header is ignored. If the peer is a proxy, all of its
 * clients share one rate limit, and consent records hold the proxy's address.
 */
export function warnOfProxies(
  app: App,
  {
    trustedProxies,
    log,
  }: {
    readonly trustedProxies: readonly string[];
    readonly log: { warn(fields: object, message: string): void };
  },
): void {
  const warned = new Set<string>();
  app.addHook('onRequest', async (request) => {
    const header = ['x-forwarded-for', 'forwarded'].find((name) => name in request.headers);
    // With a trusted proxy, `ips` holds the forwarded addresses after the peer's own.
    if (header === undefined || (request.ips?.length ?? 1) > 1) return;
    const { remoteAddress } = request.socket;
    if (remoteAddress === undefined || warned.size >= maxWarnings) return;
    const peer = ipaddr.process(remoteAddress).toString();
    if (warned.has(peer)) return;
    warned.add(peer);
    const set = `set SVC_TRUSTED_PROXIES=${[...trustedProxies, peer].join(',')}`;
    const advice = header === 'forwarded' ? `have it send X-Forwarded-For, and ${set}` : set;
    log.warn(
      { peer, header, setting: 'SVC_TRUSTED_PROXIES' },
      `${peer} sent ${header}, which is ignored: rate limits and consent records use the address ${peer} for all of its clients. If it is your proxy, ${advice}`,
    );
  });
}
