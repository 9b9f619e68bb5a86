import { isIPv4, isIPv6 } from 'node:net';
import type { Network } from '../kernel/engine-deps.ts';
import { addressBytes, classifyAddress, matchesPrefix } from './classify-address.ts';

// The private ranges of classifyAddress. A network has to be inside of one of them, so none contains
// loopback, link-local or public addresses, or those that embed an IPv4 address.
const privateRanges = [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '172.16.0.0/12',
  '192.168.0.0/16',
  'fc00::/7',
];

/**
 * Parses a network in CIDR notation, which has to be inside of a private range.
 * @throws RangeError whose message says what is wrong with the text and what is expected
 */
export function parseNetwork(text: string): Network {
  const network = readNetwork(text);
  const { bytes, bits } = network;
  const range = privateRanges.map(readNetwork).find((it) => bits >= it.bits && contains(it, bytes));
  if (!range) {
    throw new RangeError(`${text} is not inside of a private range: ${privateRanges.join(', ')}`);
  }
  if (bits === bytes.length * 8 && isMetadata(bytes)) {
    throw new RangeError(`${text} is a cloud’s metadata service, which gives out credentials`);
  }
  return network;
}

/**
 * Returns whether one of the networks allows the address. Metadata services are never allowed, and
 * neither are addresses that embed another one, because those are not private.
 */
export function isAllowed(address: string, networks: readonly Network[]): boolean {
  if (classifyAddress(address) !== 'private') return false;
  const bytes = addressBytes(address);
  return !isMetadata(bytes) && networks.some((network) => contains(network, bytes));
}

// Metadata services at private addresses. All others are link-local (169.254.169.254, 169.254.170.2) or
// special (168.63.129.16, 192.0.0.192), which no network can contain.
const metadataServices = [
  '100.100.100.200', // Alibaba Cloud
  'fd00:ec2::254', // AWS
  'fd00:ec2::23', // AWS, credentials of EKS pods
  'fd20:ce::254', // Google Cloud
].map(addressBytes);

function isMetadata(bytes: Uint8Array): boolean {
  return metadataServices.some((service) =>
    contains({ bytes: service, bits: service.length * 8 }, bytes),
  );
}

function contains({ bytes, bits }: Pick<Network, 'bytes' | 'bits'>, address: Uint8Array): boolean {
  return bytes.length === address.length && matchesPrefix(address, bytes, bits);
}

function readNetwork(text: string): Network {
  const [address = '', length = '', ...rest] = text.split('/');
  const maxBits = isIPv4(address) ? 32 : isIPv6(address) && !address.includes('%') ? 128 : 0;
  const bits = /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN;
  if (maxBits === 0 || rest.length > 0 || !(bits <= maxBits)) {
    throw new RangeError(`${text} is not a network such as 10.20.0.0/16 or fd12:3456:789a::/48`);
  }
  const bytes = addressBytes(address);
  const isExact = bytes.every((byte, index) => (byte & ~maskOf(bits - index * 8)) === 0);
  if (isExact) return { text, bytes, bits };
  throw new RangeError(`${text} has bits set after its prefix: is it one address (/${maxBits})?`);
}

/** Returns the mask of a byte whose first `bits` bits belong to the prefix. */
function maskOf(bits: number): number {
  return (0xff << (8 - Math.min(8, Math.max(0, bits)))) & 0xff;
}
