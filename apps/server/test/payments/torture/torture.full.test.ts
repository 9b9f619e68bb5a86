import { expect, test } from 'vitest';
import { torture } from './torture.ts';

test('processes killed around calls and webhooks: our books equal the processor’s', async () => {
  const { kills, charges, refunds } = await torture({ seed: 20_261_122, kills: 20 });
  expect(Math.min(...Object.values(kills))).toBeGreaterThan(0);
  expect(Math.min(charges, refunds)).toBeGreaterThan(0);
}, 600_000);
