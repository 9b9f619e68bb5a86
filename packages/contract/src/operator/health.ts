import { z } from 'zod';
import { instant } from '../primitives.ts';

export const healthNames = [
  'lanes',
  'processor',
  'payments',
  'mail',
  'notices',
  'webhooks',
  'outbox',
  'settlements',
  'payouts',
  'books',
  'ledger',
  'audit',
  'backup',
  'money',
  'database',
] as const;

export const healthOutput = z.object({
  measured_at: instant,
  items: z.array(
    z.object({
      name: z.enum(healthNames),
      state: z.enum(['ok', 'warning', 'failed']),
      sentence: z.string(),
      runbook: z.string().describe('The address of the page that says what to do.'),
    }),
  ),
});
export type HealthOutput = z.infer<typeof healthOutput>;
