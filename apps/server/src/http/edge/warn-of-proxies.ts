import ipaddr from 'ipaddr.js';
import type { App } from '../app.ts';

/** Anybody may send the header, so only so many peers are worth a line of the log. */
const mostPeers = 10;

/**
 * Warns, once for each peer, of a proxy whose forwarding header is ignored: all its callers then
 * share one rate limit, and the proxy's address stands in the tenants' consent records.
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
    // A forwarded address that was believed stands behind the peer's own.
    if (header === undefined || (request.ips?.length ?? 1) > 1) return;
    const { remoteAddress } = request.socket;
    if (remoteAddress === undefined || warned.size >= mostPeers) return;
    const peer = ipaddr.process(remoteAddress).toString();
    if (warned.has(peer)) return;
    warned.add(peer);
    const set = `set SVC_TRUSTED_PROXIES=${[...trustedProxies, peer].join(',')}`;
    const advice = header === 'forwarded' ? `have it send X-Forwarded-For, and ${set}` : set;
    log.warn(
      { peer, header, setting: 'SVC_TRUSTED_PROXIES' },
      `${peer} sent ${header}, which is ignored: its address stands for all its callers in rate limits and consent records. If it is your proxy, ${advice}`,
    );
  });
}
