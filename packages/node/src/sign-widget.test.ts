import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { signWidget } from './sign-widget.ts';

interface Vector {
  name: string;
  api_key: string;
  pms: string;
  external_id: string;
  signature: string;
}

const file = new URL('../../contract/vectors/widget-signatures.json', import.meta.url);
const { vectors } = JSON.parse(readFileSync(file, 'utf8')) as { vectors: Vector[] };

test.each(vectors)('signs $name', async ({ api_key: apiKey, pms, external_id, signature }) => {
  expect(await signWidget({ apiKey, pms, externalId: external_id })).toBe(signature);
});

test('gives composed and decomposed letters different signatures', async () => {
  const input = { apiKey: 'key', pms: 'maple' };
  const [composed, decomposed] = await Promise.all([
    signWidget({ ...input, externalId: 'Zo\u00eb' }),
    signWidget({ ...input, externalId: 'Zoe\u0308' }),
  ]);
  expect(composed).not.toBe(decomposed);
});

test('refuses a key with the line break of its file', async () => {
  await expect(signWidget({ apiKey: 'key\n', pms: 'maple', externalId: 't' })).rejects.toThrow(
    'apiKey begins or ends with white space',
  );
});

test('refuses half a surrogate pair, which UTF-8 would turn into another id', async () => {
  const half = 'tenant-\ud83c';
  await expect(signWidget({ apiKey: 'key', pms: 'maple', externalId: half })).rejects.toThrow(
    'externalId is not well-formed',
  );
});

test('names the field that is missing, and never shows the key', async () => {
  const missing = { apiKey: 'svc_sandbox_secret', pms: undefined as unknown as string };
  const failure = await signWidget({ ...missing, externalId: 't' }).catch(String);
  expect(failure).toContain('pms must be a non-empty string, but is undefined');
  expect(failure).not.toContain('svc_sandbox_secret');
});
