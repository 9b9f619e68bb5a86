import { createEndpointInput } from '@svc/contract';
import { expect, test } from 'vitest';
import { checkUid, checkUrl, describeUrlRisk } from './check-endpoint.ts';

test.each(['https://a.example/hook', ' https://a.example:8443/x?y=1 ', 'http://localhost:3000'])(
  '%s is fine in sandbox',
  (url) => expect(checkUrl(url, 'sandbox')).toBeNull(),
);

test.each([
  ['', 'Write the address'],
  ['a.example', 'Not a full URL'],
  ['https://', 'Not a full URL'],
  ['ftp://a.example', 'Only https://'],
  ['javascript:alert(1)', 'Only https://'],
  ['https://ada:pw@a.example', 'Basic authentication'],
  ['https://a.example/#top', 'never reaches a server'],
])('%j is told: %s', (url, words) => expect(checkUrl(url, 'sandbox')).toContain(words));

test('production takes https only', () => {
  expect(checkUrl('http://a.example', 'production')).toContain('https:// only');
  expect(checkUrl('https://a.example', 'production')).toBeNull();
});

test.each(['http://localhost:3000', 'https://127.0.0.1', 'https://192.168.1.4', 'http://[::1]:80'])(
  '%s is noted as private',
  (url) => expect(describeUrlRisk(url)).toContain('private'),
);
test('a public https address needs no note', () =>
  expect(describeUrlRisk('https://a.example')).toBeNull());

test.for(['ledger', 'ledger.v2_A-1', 'ep_1', 'my ledger', 'é', 'x'.repeat(100), 'x'.repeat(101)])(
  '%j is refused here exactly where the service refuses it',
  (uid) => {
    const { success } = createEndpointInput.safeParse({ url: 'https://a.example', uid });
    expect(checkUid(uid) === null).toBe(success);
  },
);
