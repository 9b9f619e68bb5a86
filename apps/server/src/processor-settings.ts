import { z } from 'zod';
import { setting } from './settings.ts';

/** Takes the tenants' payments. Undefined means that no plans are offered. */
export const processorSetting = setting({
  name: 'SVC_PROCESSOR',
  type: z.enum(['simulator', 'stripe', 'ach'], { error: 'must be simulator, stripe or ach' }),
  default: { sandbox: 'simulator' },
  defaultNote: 'the simulator in the sandbox; none in production, where no plans are offered',
  inProduction: (name) =>
    name === 'simulator' && 'must be a real processor in production: the simulator moves no money.',
  description:
    'takes the tenants’ payments ([how a cent travels](../money.md)): `simulator`, `stripe` for [Stripe](stripe.md), with test keys in the sandbox and live keys in production, or `ach` for [ACH files](ach.md) with your bank',
});
