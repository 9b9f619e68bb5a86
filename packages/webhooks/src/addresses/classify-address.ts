import { isIPv4, isIPv6 } from 'node:net';

type AddressKind = 'public' | 'loopback' | 'private' | 'link_local' | 'special';

/**
 * Classifies an IP address. Only `public` addresses may be dialed. An address that embeds another
 * one (mapped, NAT64, 6to4, Teredo, ISATAP) is `special`, even when the embedded one is public.
 */
export function classifyAddress(address: string): AddressKind {
  if (isIPv4(address)) return firstMatch(bytesOfIpv4(address), ipv4Blocks) ?? 'public';
  if (isIPv6(address)) return classifyIpv6(bytesOfIpv6(address));
  return 'special';
}

/** `::ffff:192.0.2.1`, as a dual-stack socket names an IPv4 peer, becomes `192.0.2.1`. */
export function unmapAddress(address: string): string {
  if (!isIPv6(address)) return address;
  const bytes = bytesOfIpv6(address);
  const mapped = bytes.subarray(0, 10).every((byte) => byte === 0) && wordAt(bytes, 10) === 0xffff;
  return mapped ? bytes.subarray(12).join('.') : address;
}

type Block = readonly [prefix: readonly number[], bits: number, kind: AddressKind];

// IANA IPv4 special-purpose address registry, including the AS112 and AMT anycast blocks, which the
// registry calls global but which serve no website; plus multicast, the reserved class E, and the
// host address of Azure, which answers each virtual machine with its own configuration.
const ipv4Blocks: readonly Block[] = [
  [[0], 8, 'special'],
  [[10], 8, 'private'],
  [[100, 64], 10, 'private'],
  [[127], 8, 'loopback'],
  [[168, 63, 129, 16], 32, 'special'],
  [[169, 254], 16, 'link_local'],
  [[172, 16], 12, 'private'],
  [[192, 0, 0], 24, 'special'],
  [[192, 0, 2], 24, 'special'],
  [[192, 31, 196], 24, 'special'],
  [[192, 52, 193], 24, 'special'],
  [[192, 88, 99], 24, 'special'],
  [[192, 168], 16, 'private'],
  [[192, 175, 48], 24, 'special'],
  [[198, 18], 15, 'special'],
  [[198, 51, 100], 24, 'special'],
  [[203, 0, 113], 24, 'special'],
  [[224], 4, 'special'],
  [[240], 4, 'special'],
];

// IANA IPv6 special-purpose address registry. Everything outside 2000::/3 is refused below, and
// 2001::/23 includes Teredo, benchmarking, AMT (2001:3::/32), AS112 (2001:4:112::/48) and ORCHID.
const ipv6Blocks: readonly Block[] = [
  [[0xfe, 0x80], 10, 'link_local'],
  [[0xfc], 7, 'private'],
  [[0x20, 0x01, 0x00], 23, 'special'],
  [[0x20, 0x01, 0x0d, 0xb8], 32, 'special'],
  [[0x20, 0x02], 16, 'special'],
  [[0x26, 0x20, 0x00, 0x4f, 0x80, 0x00], 48, 'special'],
  [[0x3f, 0xff, 0x00], 20, 'special'],
];

function classifyIpv6(bytes: Uint8Array): AddressKind {
  const startsWithZeros = bytes.subarray(0, 15).every((byte) => byte === 0);
  if (startsWithZeros && bytes[15] === 1) return 'loopback';
  const known = firstMatch(bytes, ipv6Blocks);
  if (known) return known;
  if (!matchesPrefix(bytes, [0x20], 3)) return 'special';
  return isIsatap(bytes) ? 'special' : 'public';
}

/** RFC 5214: interface id `[02]00:5efe` followed by an IPv4 address. */
function isIsatap(bytes: Uint8Array): boolean {
  return (wordAt(bytes, 8) & 0xfdff) === 0 && wordAt(bytes, 10) === 0x5efe;
}

function firstMatch(bytes: Uint8Array, blocks: readonly Block[]): AddressKind | undefined {
  return blocks.find(([prefix, bits]) => matchesPrefix(bytes, prefix, bits))?.[2];
}

export function matchesPrefix(bytes: Uint8Array, prefix: ArrayLike<number>, bits: number): boolean {
  for (let bit = 0; bit < bits; bit += 8) {
    const index = bit / 8;
    const mask = bits - bit >= 8 ? 0xff : (0xff << (8 - (bits - bit))) & 0xff;
    if (((bytes[index] ?? 0) & mask) !== ((prefix[index] ?? 0) & mask)) return false;
  }
  return true;
}

function wordAt(bytes: Uint8Array, offset: number): number {
  return ((bytes[offset] ?? 0) << 8) | (bytes[offset + 1] ?? 0);
}

/** The 4 or 16 bytes of a valid IP address. */
export function addressBytes(address: string): Uint8Array {
  return isIPv4(address) ? bytesOfIpv4(address) : bytesOfIpv6(address);
}

function bytesOfIpv4(address: string): Uint8Array {
  return Uint8Array.from(address.split('.'), Number);
}

function bytesOfIpv6(address: string): Uint8Array {
  const [bare = ''] = address.split('%', 1);
  const [head = '', tail] = bare.split('::');
  const left = bytesOfGroups(head);
  const right = tail === undefined ? [] : bytesOfGroups(tail);
  const zeros = new Array<number>(16 - left.length - right.length).fill(0);
  return Uint8Array.from([...left, ...zeros, ...right]);
}

function bytesOfGroups(groups: string): number[] {
  if (groups === '') return [];
  return groups.split(':').flatMap((group) => {
    if (group.includes('.')) return [...bytesOfIpv4(group)];
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}
