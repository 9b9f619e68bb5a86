import { createEndpointInput } from '@svc/contract';
import { expect, test } from 'vitest';
import { checkUid, checkUrl, describeUrlRisk } from './check-endpoint.ts';

test.each(['https://a.example/hook', ' https://a.example:8443/x?y=1 ', 'http://localhost:3000'])(
  '%s is valid in sandbox',
  (url) => expect(checkUrl(url, 'sandbox')).toBeNull(),
);

test.each([
  ['', 'Enter the URL'],
  ['a.example', 'Not a complete URL'],
  ['https://', 'Not a complete URL'],
  ['ftp://a.example', 'Use an https:// URL'],
  ['javascript:alert(1)', 'Use an https:// URL'],
  ['https://ada:pw@a.example', 'Basic authentication'],
  ['https://a.example/#top', 'never sent to the server'],
])('%j is rejected: %s', (url, words) => expect(checkUrl(url, 'sandbox')).toContain(words));

test('production requires https', () => {
  expect(checkUrl('http://a.example', 'production')).toContain('requires https://');
  expect(checkUrl('https://a.example', 'production')).toBeNull();
});

test.each(['http://localhost:3000', 'https://127.0.0.1', 'https://192.168.1.4', 'http://[::1]:80'])(
  '%s is reported as private',
  (url) => expect(describeUrlRisk(url)).toContain('private'),
);
test('a public https address has no warning', () =>
  expect(describeUrlRisk('https://a.example')).toBeNull());

test.for(['ledger', 'ledger.v2_A-1', 'ep_1', 'my ledger', 'é', 'x'.repeat(100), 'x'.repeat(101)])(
  '%j is rejected here if and only if the service rejects it',
  (uid) => {
    const { success } = createEndpointInput.safeParse({ url: 'https://a.example', uid });
    expect(checkUid(uid) === null).toBe(success);
  },
);
