import { expect, test } from 'vitest';
import { type FetchDirective, metaPolicies, missingDirective, parsePolicies } from './csp.ts';

const page = new URL('https://portal.example/rent');
const target = new URL('https://svc.example/experience/maple');

function missing(
  header: string,
  name: FetchDirective = 'frame-src',
  at = target,
): string | undefined {
  const [policy] = parsePolicies(header);
  return policy && missingDirective(policy, name, { page, target: at });
}

test.each([
  'frame-src https://svc.example',
  'frame-src svc.example',
  'FRAME-SRC HTTPS://SVC.EXAMPLE',
  'frame-src https:',
  'frame-src *',
  'frame-src *.example',
  'frame-src https://svc.example:*',
  'frame-src https://svc.example/experience/',
  'frame-src HTTPS://SVC.EXAMPLE/experience/maple',
  'child-src https://svc.example',
  'default-src https://svc.example',
  "script-src 'self'",
  'frame-src http://svc.example',
])('%s allows the frame', (header) => {
  expect(missing(header)).toBeUndefined();
});

test.each([
  ["frame-src 'none'", 'frame-src https://svc.example'],
  ["frame-src 'self'", "frame-src 'self' https://svc.example"],
  ["default-src 'self'", "frame-src 'self' https://svc.example"],
  [
    "default-src 'self' 'unsafe-inline' 'nonce-a' https:a",
    "frame-src 'self' https:a https://svc.example",
  ],
  ["frame-src 'unsafe-inline'", 'frame-src https://svc.example'],
  ["child-src 'self'; default-src *", "frame-src 'self' https://svc.example"],
  ['frame-src *.svc.example', 'frame-src *.svc.example https://svc.example'],
  ['frame-src https://svc.example:8443', 'frame-src https://svc.example:8443 https://svc.example'],
  ['frame-src https://svc.example/pay/', 'frame-src https://svc.example/pay/ https://svc.example'],
  [
    'frame-src https://svc.example/Experience/',
    'frame-src https://svc.example/Experience/ https://svc.example',
  ],
])('%s needs %s', (header, needed) => {
  expect(missing(header)).toBe(needed);
});

test('a request falls back to default-src only, and a port must fit', () => {
  const session = new URL('http://localhost:4000/v1/widget/session');
  expect(missing("child-src 'none'", 'connect-src', session)).toBeUndefined();
  expect(missing('connect-src http://localhost:4000', 'connect-src', session)).toBeUndefined();
  expect(missing('connect-src http://localhost', 'connect-src', session)).toBe(
    'connect-src http://localhost http://localhost:4000',
  );
});

test('a directive for scripts keeps what lets the page run its own', () => {
  const script = new URL('https://svc.example/sdk/1/svc.iife.js');
  expect(missing("default-src 'self' 'nonce-a'", 'script-src', script)).toBe(
    "script-src 'self' 'nonce-a' https://svc.example",
  );
  expect(missing("default-src 'none'", 'script-src', script)).toBe(
    'script-src https://svc.example',
  );
});

test('policies come from headers, several at once, and from meta tags', () => {
  expect(parsePolicies("frame-src 'none', default-src *").map((it) => [...it.keys()])).toEqual([
    ['frame-src'],
    ['default-src'],
  ]);
  const html = `<meta charset="utf-8"><meta content="frame-src 'self'; img-src *" http-equiv="Content-Security-Policy">
    <meta http-equiv=content-security-policy content='default-src &#39;none&#39;'>
    <meta name="description" content="frame-src">`;
  expect(metaPolicies(html)).toEqual([
    new Map([
      ['frame-src', ["'self'"]],
      ['img-src', ['*']],
    ]),
    new Map([['default-src', ["'none'"]]]),
  ]);
});

test.each([
  ['<meta ', ''],
  ['<meta ', '>'],
  ['<meta content="', '>'],
  ['<meta/', ''],
  ['http-equiv = ', ''],
  [' ', '='],
  ['a=', ''],
  ["a='", ''],
])('a page that repeats %s is read once, character by character', (part, end) => {
  // A quadratic reading takes minutes for this page, and a linear one some milliseconds.
  const html = `<meta ${part.repeat((16 * 1024 * 1024) / part.length)}${end}`;
  expect(metaPolicies(html)).toEqual([]);
});

test('of a repeated attribute the first counts, and a name in a value is no attribute', () => {
  const html = `<meta http-equiv="Content-Security-Policy" content="frame-src a" content="frame-src b">
    <meta name="http-equiv=content-security-policy" content="frame-src c">`;
  expect(metaPolicies(html)).toEqual([new Map([['frame-src', ['a']]])]);
});
