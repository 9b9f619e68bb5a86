import { expect, test } from 'vitest';
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

test.each(classes)('%s has a hint of its own that says what to do', (errorClass) => {
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

test('a redirect says where to, and that it was not followed', () => {
  const responseHeaders = { location: 'https://example.com/new' };
  const hint = describeAttempt({ status: 302, errorClass: 'status', responseHeaders });
  expect(hint).toContain('https://example.com/new');
  expect(hint).toContain('never followed');
});

test('a failure at our own proxy names it', () => {
  const attempt = { status: null, errorClass: 'connect', responseHeaders: {} } as const;
  expect(describeAttempt({ ...attempt, atProxy: true })).toMatch(/^The proxy .*\.$/);
  expect(describeAttempt(attempt)).not.toContain('proxy');
});

test('a timeout before the connection stood is one of the connection', () => {
  const attempt = { status: null, errorClass: 'timeout', responseHeaders: {} } as const;
  expect(describeAttempt({ ...attempt, opening: true })).toMatch(/^No connection: .*firewall/);
  expect(describeAttempt({ ...attempt, opening: false })).toContain('15 seconds');
});

test('success needs none', () => {
  expect(describeAttempt({ status: 204, errorClass: null, responseHeaders: {} })).toBeNull();
});
