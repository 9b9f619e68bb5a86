import { auditActions } from '@svc/contract';
import { expect, test } from 'vitest';
import type { AuditEntry } from '../api/audit-log.ts';
import { describeActor, describeEntry } from './describe-entry.ts';

function entry(action: AuditEntry['action'], details: AuditEntry['details'] = {}): AuditEntry {
  return {
    id: 'aud_1',
    action,
    occurred_at: '2026-03-02T15:00:00.000Z',
    via: 'key',
    credential_id: 'key_1',
    credential: {
      ends_with: 'k2Qx',
      person: null,
      read_only: false,
      since: '2026-02-02T15:00:00.000Z',
    },
    endpoint_id: null,
    subject_id: null,
    details,
    request_id: 'req_1',
    address: '203.0.113.9',
  };
}

test('every action in the contract has a distinct description', () => {
  const words = auditActions.map((action) => describeEntry(entry(action)));
  expect(new Set(words).size).toBe(auditActions.length);
  expect(words.filter((text) => text === '')).toEqual([]);
});

test('an update names the changed fields and both URLs', () => {
  const changed = ['url', 'throttle_per_second'];
  expect(
    describeEntry(
      entry('endpoint.updated', { changed, url: 'https://b', url_before: 'https://a' }),
    ),
  ).toBe('Changed the URL and the rate limit (from https://a to https://b)');
  expect(
    describeEntry(
      entry('endpoint.updated', { changed: ['state', 'held'], state: 'enabled', held: 'skip' }),
    ),
  ).toBe('Enabled the endpoint and skipped the held messages');
  expect(describeEntry(entry('endpoint.updated', { changed: ['state'], state: 'disabled' }))).toBe(
    'Disabled the endpoint',
  );
});

test('a rotation says how long the previous secret keeps signing', () => {
  expect(describeEntry(entry('secret.rotated', { overlap_seconds: 0 }))).toContain('revoked');
  expect(describeEntry(entry('secret.rotated', { overlap_seconds: 86_400 }))).toContain(
    'for another 24 h',
  );
});

test.each([
  [86_400, '24 h'],
  [5_400, '1 h 30 min'],
  [20, '20 s'],
])('an overlap of %d s is not rounded: %s', (overlap_seconds, words) => {
  expect(describeEntry(entry('secret.rotated', { overlap_seconds }))).toBe(
    `Rotated the signing secret; the previous one keeps signing for another ${words}`,
  );
});

test('a change of a settlement or of origins shows the previous value', () => {
  const amount = { amount_in_cents: 152_012 };
  expect(
    describeEntry(
      entry('settlement.updated', {
        ...amount,
        status: 'verified',
        status_before: 'unverified',
        processor_transaction_id: 'tx_1',
      }),
    ),
  ).toBe('Changed a settlement of $1,520.12 from unverified to verified, debit tx_1');
  expect(
    describeEntry(
      entry('partner.origins_changed', {
        allowed_origins: ['https://a.example', 'https://b.example'],
        allowed_origins_before: [],
      }),
    ),
  ).toBe('Changed the allowed origins from none to https://a.example, https://b.example');
  expect(describeEntry(entry('key.revoked', { reason: 'left the company' }))).toBe(
    'Revoked an API key: left the company',
  );
  const request = { external_id: 't-1', reason: 'request 42' };
  expect(describeEntry(entry('tenant.exported', request))).toBe(
    'Exported what is stored about the tenant t-1: request 42',
  );
  expect(describeEntry(entry('tenant.erased', request))).toBe('Erased the tenant t-1: request 42');
});

const credential = {
  ends_with: null,
  person: null,
  read_only: false,
  since: '2026-03-02T15:00:00.000Z',
};

test('a key is named by its last characters, or by its creation time if they are unknown', () => {
  const known = { ...credential, ends_with: 'k2Qx' };
  expect(describeActor({ via: 'key', credential: known }).name).toBe('API key …k2Qx');
  const { name, detail } = describeActor({ via: 'key', credential });
  expect(name).toBe('API key');
  expect(detail).toMatch(/^created .*2026/);
});

test('a session is named by the person its link was created for, with its opening time', () => {
  const hers = { ...credential, person: 'Ada Byrd', read_only: true };
  const { name, detail } = describeActor({ via: 'portal', credential: hers });
  expect(name).toBe('Ada Byrd');
  expect(detail).toMatch(/^read-only, opened .*2026/);
  expect(describeActor({ via: 'portal', credential }).name).toBe('Console session');
});

test('an operator is named by their command-line user', () => {
  const operator = { ...credential, person: 'ops-ada' };
  expect(describeActor({ via: 'cli', credential: operator })).toEqual({
    name: 'ops-ada',
    detail: 'service operator, command line',
  });
});
