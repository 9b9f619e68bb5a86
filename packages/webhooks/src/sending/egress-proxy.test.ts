import { expect, test } from 'vitest';
import { parseEgressProxy } from './egress-proxy.ts';

test.each([
  ['http://proxy.example', { secure: false, host: 'proxy.example', port: 80, credentials: null }],
  ['https://proxy.example/', { secure: true, host: 'proxy.example', port: 443, credentials: null }],
  ['HTTP://10.0.0.7:3128', { secure: false, host: '10.0.0.7', port: 3128, credentials: null }],
  ['http://[fd00::7]:3128', { secure: false, host: 'fd00::7', port: 3128, credentials: null }],
])('%s is a proxy', (text, proxy) => {
  expect(parseEgressProxy(text)).toEqual(proxy);
});

test('its user and password are decoded from the URL', () => {
  const { credentials } = parseEgressProxy('http://svc:p%40ss%3A%C3%A9@proxy.example') ?? {};
  expect(credentials).toBe(`Basic ${Buffer.from('svc:p@ss:é').toString('base64')}`);
});

test.each([
  'proxy.example:3128',
  'socks5://proxy.example',
  'http://',
  'http://proxy.example/path',
  'http://proxy.example?a=b',
  'http://proxy.example#a',
  'http://proxy.example:65536',
  'http://svc:100%@proxy.example',
  'http://proxy.example other',
])('%s is none', (text) => {
  expect(parseEgressProxy(text)).toBeUndefined();
});
