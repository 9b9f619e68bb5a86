import ipaddr from 'ipaddr.js';

/**
 * Who an address counts as in rate limits. One IPv6 subscriber has a /64 or more, so a single
 * machine can call from 2^64 addresses. An IPv4 address mapped into IPv6 counts as itself.
 */
export function clientOf(address: string): string {
  // A trusted proxy may forward what is no address, such as "unknown".
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const network = (parsed as ipaddr.IPv6).parts.slice(0, 4);
  return `${network.map((part) => part.toString(16)).join(':')}::/64`;
}
