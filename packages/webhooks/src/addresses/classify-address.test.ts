import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { classifyAddress, unmapAddress } from './classify-address.ts';

const refused = `
  0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.255 127.0.0.1 127.255.255.254
  169.254.169.254 169.254.170.2 172.16.0.1 172.31.255.255 192.0.0.1 192.0.0.8 192.0.2.1 192.88.99.1
  192.168.0.1 192.168.255.255 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.9 224.0.0.1
  239.255.255.250 240.0.0.1 255.255.255.255
  168.63.129.16 192.31.196.1 192.52.193.1 192.175.48.1 192.175.48.255
  :: ::1 ::2 ::7f00:1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:8.8.8.8 ::ffff:0:127.0.0.1
  64:ff9b::7f00:1 64:ff9b::8.8.8.8 64:ff9b:1::a00:1 100::1 2001::1 2001:0:7f00:1:: 2001:2::1
  2001:10::1 2001:20::1 2001:db8::1 2001:db8:ffff::1 2002:7f00:1:: 2002:a00:1::1 2002:808:808::1
  3fff::1 3fff:fff::1 5f00::1 fc00::1 fd00:ec2::254 fdff::1 fe80::1 fe80::1%eth0 febf::1 fec0::1
  2001:3::1 2001:4:112::1 2620:4f:8000::1 2620:4f:8000:ffff::1 ::ffff:168.63.129.16
  ff02::1 ff0e::1 4000::1 8000::1 e000::1 2a00::5efe:7f00:1 2a00::200:5efe:a00:1
  localhost 1.2.3 0x7f.1 not-an-address
`;
const accepted = `
  1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.1
  169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 191.255.255.255 192.0.1.1 192.167.255.255
  192.169.0.0 198.17.255.255 198.20.0.0 203.0.114.0 223.255.255.255
  168.63.129.15 168.63.129.17 192.31.195.255 192.31.197.0 192.52.192.255 192.52.194.0
  192.175.47.255 192.175.49.0
  2000::1 2001:200::1 2001:4860:4860::8888 2003::1 2600:1f18::1 2606:4700::1111 2a00:1450::1
  3ffe::1 3fff:1000::1 2620:4f:7fff::1 2620:4f:8001::1
`;

describe('classifyAddress', () => {
  test.each(refused.trim().split(/\s+/))('%s is not public', (address) => {
    expect(classifyAddress(address)).not.toBe('public');
  });

  test.each(accepted.trim().split(/\s+/))('%s is public', (address) => {
    expect(classifyAddress(address)).toBe('public');
  });

  test('agrees with an independent copy of the registry for any IPv4 address', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(classifyAddress(address) === 'public').toBe(isGlobalIpv4(address));
      }),
      { numRuns: 5_000 },
    );
  });

  test('agrees with that copy at both ends of each block', () => {
    const edges = specialRanges.flatMap(([from, to]) => [from - 1, from, to, to + 1]);
    for (const value of edges.filter((edge) => edge >= 0 && edge <= 0xffff_ffff)) {
      const address = [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');
      expect([address, classifyAddress(address) === 'public']).toEqual([
        address,
        isGlobalIpv4(address),
      ]);
    }
  });

  test('nothing outside 2000::/3 is public, in any notation', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const first = Number.parseInt(address.split(':')[0] || '0', 16);
        const outside = first < 0x2000 || first > 0x3fff;
        expect(outside && classifyAddress(address) === 'public').toBe(false);
      }),
      { numRuns: 5_000 },
    );
  });
});

test('a mapped peer address is read as the IPv4 address that it is', () => {
  expect(unmapAddress('::ffff:10.0.0.1')).toBe('10.0.0.1');
  expect(unmapAddress('::ffff:a00:1')).toBe('10.0.0.1');
  expect(unmapAddress('2a00::1')).toBe('2a00::1');
  expect(unmapAddress('8.8.8.8')).toBe('8.8.8.8');
});

/** The registry as decimal numbers, so that an error in prefix arithmetic cannot be in both copies. */
const specialRanges = [
  [0, 16_777_215],
  [167_772_160, 184_549_375],
  [1_681_915_904, 1_686_110_207],
  [2_130_706_432, 2_147_483_647],
  [2_822_734_096, 2_822_734_096],
  [2_851_995_648, 2_852_061_183],
  [2_886_729_728, 2_887_778_303],
  [3_221_225_472, 3_221_225_727],
  [3_221_225_984, 3_221_226_239],
  [3_223_307_264, 3_223_307_519],
  [3_224_682_752, 3_224_683_007],
  [3_227_017_984, 3_227_018_239],
  [3_232_235_520, 3_232_301_055],
  [3_232_706_560, 3_232_706_815],
  [3_323_068_416, 3_323_199_487],
  [3_325_256_704, 3_325_256_959],
  [3_405_803_776, 3_405_804_031],
  [3_758_096_384, 4_294_967_295],
] as const;

function isGlobalIpv4(address: string): boolean {
  const value = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  return !specialRanges.some(([from, to]) => value >= from && value <= to);
}
