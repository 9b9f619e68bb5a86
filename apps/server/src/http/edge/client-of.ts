import ipaddr from 'ipaddr.js';

/**
 * The key of an address in rate limits: the /64 network of an IPv6 address, because one subscriber
 * has at least that many addresses. An IPv4 address mapped into IPv6 counts as the IPv4 address.
 */
export function clientOf(address: string): string {
  // A trusted proxy may forward something else than an address, such as "unknown".
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const network = (parsed as ipaddr.IPv6).parts.slice(0, 4);
  return `${network.map((part) => part.toString(16)).join(':')}::/64`;
}
