import { createHash, createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { explainSignature, type SigningKey } from './explain-signature.ts';

const live: SigningKey = {
  secret: 'svc_sandbox_live',
  name: 'the live key',
  isRevoked: false,
  signsWidgets: true,
};
const old: SigningKey = {
  secret: 'svc_sandbox_old',
  name: 'the old key',
  isRevoked: true,
  signsWidgets: true,
};
const identity = { pms: 'maple', externalId: 'unit 4/é', leaseId: 'L-1' };
const right = 'maple+unit 4/é';

function sign(text: string, key = live.secret, hash = 'sha256'): string {
  return createHmac(hash, key).update(text).digest('hex');
}

function mistakeOf(signature: string): string | undefined {
  const finding = explainSignature(signature, [live, old], identity);
  return finding && 'mistake' in finding ? finding.mistake : undefined;
}

test('a right signature names its key', () => {
  expect(explainSignature(sign(right), [old, live], identity)).toEqual({ key: live });
});

test.each([
  ['revoked', sign(right, old.secret)],
  ['lowercase', sign(right).toUpperCase()],
  ['is missing', sign('mapleunit 4/é')],
  ['comes before pms', sign('unit 4/é+maple')],
  ['decoded to a space', sign('maple unit 4/é')],
  ['only external_id', sign('unit 4/é')],
  ['percent-encoded', sign(`maple+${encodeURIComponent('unit 4/é')}`)],
  ['ends with a line break', sign(`${right}\n`)],
  ['NFD', sign(right.normalize('NFD'))],
  ['lease', sign('maple+L-1')],
  ['base64', createHmac('sha256', live.secret).update(right).digest('base64')],
  ['the key ends with a line break', sign(right, `${live.secret}\n`)],
  ['SHA-1', sign(right, live.secret, 'sha1')],
  ['plain SHA-256', createHash('sha256').update(right).digest('hex')],
])('names the mistake: %s', (words, signature) => {
  expect(mistakeOf(signature)).toContain(words);
});

test('a signature by an unknown key is explained by nothing', () => {
  expect(explainSignature(sign(right, 'other'), [live, old], identity)).toBeUndefined();
});
