import { installation } from '../../domain/audit/record.ts';
import { startMoney } from '../../domain/controls/money-switch.ts';
import { defineCommand } from '../command.ts';
import { countOf } from '../format.ts';

export const moneyStart = defineCommand({
  name: 'money start',
  summary: 'let money move again',
  effect: 'control',
  console: { needs: 'terms' },
  async run(ctx) {
    const { changed, tenants_resumed } = await startMoney(ctx);
    const details = { tenants_resumed };
    if (changed) await ctx.record(installation, { action: 'money.started', details });
    return { changed, tenants_resumed };
  },
  describe({ changed, tenants_resumed: count }) {
    if (!changed) return 'Money was not stopped.\n';
    return count === 0
      ? 'Money moves again. Nothing fell due while it was stopped.\n'
      : `Money moves again. Something fell due for ${countOf(count, 'tenant', 'tenants')} while it was stopped; the next pass collects it, within a minute.\n`;
  },
});
