import { expect, test } from 'vitest';
import { parseNatsUrl } from './servers.ts';

test.each([
  ['nats://localhost', { hosts: ['localhost:4222'], tls: false }],
  ['tls://nats.example:80/', { hosts: ['nats.example:80'], tls: true }],
  ['nats://[::1]:4333', { hosts: ['[::1]:4333'], tls: false }],
  [
    'tls://svc:p%40ss%3A@a.example:4222,b.example',
    {
      hosts: ['a.example:4222', 'b.example:4222'],
      tls: true,
      user: 'svc',
      password: 'p@ss:',
    },
  ],
  ['nats://s3cret@a', { hosts: ['a:4222'], tls: false, token: 's3cret' }],
])('reads %s', (text, servers) => {
  expect(parseNatsUrl(text)).toEqual(servers);
});

test.each([
  'localhost:4222',
  'http://localhost:4222',
  'nats://',
  'nats://a,,b',
  'nats://a:99999',
  'nats://a b',
  'nats://user:pass:word@a',
  'nats://@a',
  'nats://%zz@a',
  'nats://a/path',
  'nats://a?tls=true',
])('refuses %s', (text) => {
  expect(parseNatsUrl(text)).toBeUndefined();
});
