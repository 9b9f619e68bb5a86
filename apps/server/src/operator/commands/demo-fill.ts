import { defineCommand, option } from '../command.ts';
import { fillDemo } from '../demo-data/fill-demo.ts';
import { countOf } from '../format.ts';
import { UsageError } from '../usage-error.ts';

const mostTenants = 2_000;

export const demoFill = defineCommand({
  name: 'demo fill',
  summary: 'sandbox: create invented tenants with six months of plans and troubles',
  input: {
    count: option('--tenants <number>', 'how many; 200 by default', readCount),
  },
  effect: 'change',
  scope: 'steps',
  run: (ctx, { count = 200 }) => fillDemo(ctx, { count }),
  describe: ({ partners, tenants, added }) =>
    added === 0
      ? `All ${tenants} demo tenants are there already. Nothing changed.\n`
      : `Added ${countOf(added, 'tenant', 'tenants')} of ${partners.join(', ')}.\n`,
});

function readCount(text: string): number {
  if (/^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= mostTenants) {
    return Number(text);
  }
  throw new UsageError(`--tenants must be a number from 1 to ${mostTenants}, not "${text}".`);
}
