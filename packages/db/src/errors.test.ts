import pg from 'pg';
import { expect, test } from 'vitest';
import { isOutage } from './errors.ts';

const internal = (message: string) =>
  Object.assign(new pg.DatabaseError(message, message.length, 'error'), { code: 'XX000' });

// When a worker was killed at a COMMIT, a call was answered with 500.
test.each([
  'failure on connection marked as essential: 127.0.0.1:5432',
  'SSL connection has been closed unexpectedly\ninvalid socket',
  'server closed the connection unexpectedly\n\tThis probably means the server terminated abnormally',
  'connection not open',
])('a server of a cluster that ends a connection is an outage: %s', (message) => {
  expect(isOutage(internal(message))).toBe(true);
});

test('an internal error of a server is no outage', () => {
  expect(isOutage(internal('could not find pathkey item to sort'))).toBe(false);
});
