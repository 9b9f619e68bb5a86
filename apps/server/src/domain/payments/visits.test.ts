import { createVault } from '@svc/runtime';
import { expect, test } from 'vitest';
import type { Service } from '../../context.ts';
import { Refusal } from '../refusal.ts';
import { openVisit, visitUrl } from './visits.ts';

const vault = createVault(Buffer.alloc(32, 7));
const service = { vault, publicOrigin: 'https://svc.example' } as Service;
const now = new Date('2026-02-01T12:00:00Z');
const page = 'https://checkout.processor.example/c/pay/cs_1#secret';

function open(visit: string, at = now): string {
  try {
    return openVisit({ service, now: at }, { visit }).url;
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

test('leads to the page for ten minutes, and says nothing about it', () => {
  const { origin, pathname, search, hash } = new URL(visitUrl({ service, now }, page));
  expect([origin, pathname, search]).toEqual(['https://svc.example', '/setup/visit', '']);
  const visit = hash.slice(1);
  expect(Buffer.from(visit, 'base64url').toString('latin1')).not.toContain('processor.example');
  expect(open(visit)).toBe(page);
  // A reload opens it again.
  expect(open(visit, new Date(now.getTime() + 599_000))).toBe(page);
  expect(open(visit, new Date(now.getTime() + 600_000))).toBe('token_expired');
});

test('leads nowhere else', () => {
  const anyPage = JSON.stringify({ url: 'https://evil.example', expires_at: '2099-01-01' });
  const sealedElsewhere = vault.seal(anyPage, 'mail_1').toString('base64url');
  const altered = `${new URL(visitUrl({ service, now }, page)).hash.slice(1, -4)}AAAA`;
  for (const visit of ['x', 'https://evil.example', sealedElsewhere, altered]) {
    expect(open(visit)).toBe('token_invalid');
  }
  const unsealed = Buffer.from(anyPage).toString('base64url');
  expect(open(unsealed)).toBe('token_invalid');
});
