import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { verifyTenantQuery } from './verify-tenant-query.ts';
import type { WebhookVerificationError } from './webhook-verification-error.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const sentAt = 1_769_968_800;
const now = () => new Date(sentAt * 1000);

function sign(tenant: string) {
  const signature = createHmac('sha256', Buffer.alloc(32, 7))
    .update(`evt_1.${sentAt}.${tenant}`)
    .digest('base64');
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(sentAt),
    'webhook-signature': `v1,AAAA v1,${signature}`,
  };
}

function reasonOf(tenant: unknown, options = { now }): string {
  try {
    verifyTenantQuery(tenant, sign('t-1'), secret, options);
  } catch (error) {
    return (error as WebhookVerificationError).reason;
  }
  return 'verified';
}

test('returns the tenant that was signed', () => {
  expect(verifyTenantQuery('t-1', sign('t-1'), secret, { now })).toBe('t-1');
  expect(verifyTenantQuery('Zoë & Co', sign('Zoë & Co'), ['whsec_AAAA', secret], { now })).toBe(
    'Zoë & Co',
  );
});

test('refuses another tenant, none, several, and an old request', () => {
  expect(reasonOf('t-2')).toBe('mismatch');
  for (const tenant of [undefined, null, '', ['t-1', 't-1']])
    expect(reasonOf(tenant)).toBe('mismatch');
  expect(reasonOf('t-1', { now: () => new Date((sentAt + 301) * 1000) })).toBe('too_old');
});
