import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Delivery, vectorFiles } from './write-vectors.ts';

const folder = new URL('../../packages/contract/vectors/', import.meta.url);
const { deliveries } = JSON.parse(vectorFiles()['webhooks.json'] ?? '') as {
  deliveries: Delivery[];
};

test('the published vectors are what `npm run vectors` writes', () => {
  for (const [name, text] of Object.entries(vectorFiles())) {
    expect(readFileSync(new URL(name, folder), 'utf8'), name).toBe(text);
  }
});

test.each(deliveries)('$name: genuine is $genuine', (delivery) => {
  const { secret, id, timestamp, signature, body_base64, now, genuine } = delivery;
  const expected = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(`${id}.${timestamp}.`)
    .update(Buffer.from(body_base64, 'base64'))
    .digest('base64');
  const isInTime = Math.abs(now - Number(timestamp)) <= 300;
  expect(isInTime && signature.split(' ').includes(`v1,${expected}`)).toBe(genuine);
});

test('tables have one value for each column', () => {
  for (const name of ['webhooks.tsv', 'widget-signatures.tsv']) {
    const lines = (vectorFiles()[name] ?? '').trimEnd().split('\n');
    const widths = lines.map((line) => line.split('\t').length);
    expect(new Set(widths).size, name).toBe(1);
    expect(lines.length).toBeGreaterThan(10);
  }
});
