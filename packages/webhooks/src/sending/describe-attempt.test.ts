import { describe, expect, test } from 'vitest';
import { describeAttempt, type ErrorClass } from './describe-attempt.ts';

const classes: ErrorClass[] = [
  'dns',
  'connect',
  'tls',
  'timeout',
  'reset',
  'protocol',
  'blocked_address',
];

test.each(classes)('%s has a specific hint that says what to do', (errorClass) => {
  const hint = describeAttempt({ status: null, errorClass, responseHeaders: {} });
  expect(hint).toMatch(/^[A-Z].*\.$/);
  const others = classes.filter((other) => other !== errorClass);
  const hints = others.map((other) =>
    describeAttempt({ status: null, errorClass: other, responseHeaders: {} }),
  );
  expect(hints).not.toContain(hint);
});

test.each([301, 308, 400, 401, 404, 405, 410, 418, 429, 500, 503])(
  'status %i has one',
  (status) => {
    const hint = describeAttempt({ status, errorClass: 'status', responseHeaders: {} });
    expect(hint).toMatch(/^[A-Z].*\.$/);
  },
);

test('the hint of a redirect has its target and says that it was not followed', () => {
  const responseHeaders = { location: 'https://example.com/new' };
  const hint = describeAttempt({ status: 302, errorClass: 'status', responseHeaders });
  expect(hint).toContain('https://example.com/new');
  expect(hint).toContain('never followed');
});

test('a failure at our proxy says so', () => {
  const attempt = { status: null, errorClass: 'connect', responseHeaders: {} } as const;
  expect(describeAttempt({ ...attempt, atProxy: true })).toMatch(/^The proxy .*\.$/);
  expect(describeAttempt(attempt)).not.toContain('proxy');
});

test('a timeout before the connection was established is described as a connection failure', () => {
  const attempt = { status: null, errorClass: 'timeout', responseHeaders: {} } as const;
  expect(describeAttempt({ ...attempt, opening: true })).toMatch(/^No connection: .*firewall/);
  expect(describeAttempt({ ...attempt, opening: false })).toContain('15 seconds');
});

test('a success has no hint', () => {
  expect(describeAttempt({ status: 204, errorClass: null, responseHeaders: {} })).toBeNull();
});

describe('the response body', () => {
  const responseHeaders = {};
  const hintFor = (status: number, responseBody: string, options?: { quote: boolean }) =>
    describeAttempt({ status, errorClass: 'status', responseHeaders, responseBody }, options);

  test('the body is quoted and explained for a rejected signature', () => {
    expect(hintFor(400, 'No signature matches')).toBe(
      'Your endpoint returned 400: "No signature matches". It rejected the signature: check that it verifies the raw body with this endpoint\'s secret.',
    );
  });

  test.each([
    [400, 'No matching signature found', 'rejected the signature'],
    [401, '{"error":{"message":"Invalid Signature Headers"}}', 'rejected the signature'],
    [403, 'HMAC validation failed', 'rejected the signature'],
    [400, 'Message timestamp too old', 'rejected the timestamp'],
    [400, 'Missing required headers', 'did not find the signature headers'],
    [400, '{"detail":"Unexpected token < in JSON at position 0"}', 'could not read the body'],
    [403, 'CSRF verification failed. Request aborted.', 'exempt this route from CSRF'],
    [
      422,
      "ActionController::InvalidAuthenticityToken: Can't verify",
      'exempt this route from CSRF',
    ],
  ])('%i "%s" says that it %s', (status, body, words) => {
    expect(hintFor(status, body)).toMatch(
      new RegExp(`^Your endpoint returned ${status}: ".+"\\. `),
    );
    expect(hintFor(status, body)).toContain(words);
  });

  test('a body without a known phrase is quoted before the hint of the status', () => {
    expect(hintFor(503, 'database is locked.\n')).toBe(
      'Your endpoint returned 503: "database is locked". The server failed while handling the request: see its own log.',
    );
  });

  test('the body of a 5xx is not taken for a rejected signature', () => {
    expect(hintFor(500, 'undefined method signature')).toContain('failed while handling');
  });

  test('a body of HTML, binary data or nothing is not quoted', () => {
    for (const body of ['<!doctype html><p>No', 'a\ufffd\ufffdb', '', ' \n']) {
      expect(hintFor(400, body)).toMatch(/^The server refused the request/);
    }
  });

  test('a long body is quoted as one short line', () => {
    const hint = hintFor(418, `a\u202e\n\n"b" ${'x'.repeat(5_000)}`) ?? '';
    expect(hint).toMatch(/^Your endpoint returned 418: "a 'b' x+…"\. Only an answer/);
    expect(hint.length).toBeLessThan(300);
  });

  test('a stored hint does not contain the body', () => {
    expect(hintFor(400, 'No signature matches for Ada Lane', { quote: false })).toBe(
      "It rejected the signature: check that it verifies the raw body with this endpoint's secret.",
    );
  });
});
