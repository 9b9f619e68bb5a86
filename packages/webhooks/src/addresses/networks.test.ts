import { expect, test } from 'vitest';
import { blockedAmong, checkUrl, parseEndpointUrl } from './address-guard.ts';
import { isAllowed, parseNetwork } from './networks.ts';

const networks = ['10.20.0.0/16', '100.64.0.0/10', 'fd00:ec2::/32', 'fd20::/16'].map(parseNetwork);
const policy = { allowPrivate: false, allowHttp: false, allowedNetworks: networks };

test.each(['10.20.0.0', '10.20.255.255', '100.64.1.1', 'fd00:ec2::1', 'fd20:1::1'])(
  '%s is in an allowed network',
  (address) => {
    expect(isAllowed(address, networks)).toBe(true);
    expect(blockedAmong([address], policy)).toBeUndefined();
  },
);

test.each([
  '10.21.0.0',
  '10.19.255.255',
  'fd01::1',
  '127.0.0.1',
  '::1',
  // Metadata services are blocked even inside an allowed network.
  '100.100.100.200',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd20:ce::254',
  '169.254.169.254',
  '169.254.170.2',
  '168.63.129.16',
  '192.0.0.192',
  // IPv6 addresses that embed an IPv4 address, even an allowed one.
  '::ffff:169.254.169.254',
  '::ffff:10.20.0.1',
  '64:ff9b::169.254.169.254',
  '64:ff9b:1::a9fe:a9fe',
  '2002:a9fe:a9fe::1',
  '2002:0a14:0001::1',
])('%s is not', (address) => {
  expect(isAllowed(address, networks)).toBe(false);
  expect(blockedAmong(['10.20.0.1', address], policy)).toBe(address);
});

test.each([
  ['10.20.0.1', 'is not a network such as'],
  ['10.20.0.0/33', 'is not a network such as'],
  ['10.20.0.0/16/8', 'is not a network such as'],
  ['intranet/8', 'is not a network such as'],
  ['10.20.0.0/', 'is not a network such as'],
  ['fd00::%eth0/64', 'is not a network such as'],
  ['10.20.0.5/16', 'has bits set after its prefix'],
  ['0.0.0.0/0', 'is not inside of a private range'],
  ['8.0.0.0/5', 'is not inside of a private range'],
  ['10.0.0.0/7', 'is not inside of a private range'],
  ['127.0.0.0/8', 'is not inside of a private range'],
  ['169.254.0.0/16', 'is not inside of a private range'],
  ['203.0.113.0/24', 'is not inside of a private range'],
  ['::/0', 'is not inside of a private range'],
  ['::ffff:10.20.0.0/112', 'is not inside of a private range'],
  ['64:ff9b::/96', 'is not inside of a private range'],
  ['100.100.100.200/32', 'metadata service'],
  ['fd00:ec2::254/128', 'metadata service'],
])('the network %s is refused', (text, why) => {
  expect(() => parseNetwork(text)).toThrow(why);
});

test('with an allowed network, a URL may have an internal name or a literal address of it', async () => {
  const resolve = async () => ['10.20.3.4'];
  await checkUrl('https://hooks.corp.internal/in', policy, resolve);
  expect(parseEndpointUrl('https://10.20.3.4/in', policy).hostname).toBe('10.20.3.4');
  const refused = { code: 'blocked_address' };
  const rebound = async () => ['10.20.3.4', '169.254.169.254'];
  await expect(checkUrl('https://hooks.corp.internal', policy, rebound)).rejects.toMatchObject(
    refused,
  );
  for (const url of [
    'https://169.254.169.254/',
    'https://[::ffff:10.20.0.1]/',
    'https://10.21.0.1/',
  ]) {
    expect(() => parseEndpointUrl(url, policy)).toThrow('is not reachable');
  }
  expect(() => parseEndpointUrl('http://10.20.3.4/in', policy)).toThrow('https');
  expect(() => parseEndpointUrl('https://10.20.3.4:6379/in', policy)).toThrow('6379');
});
