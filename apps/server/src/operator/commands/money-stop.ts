import { installation } from '../../domain/audit/record.ts';
import { type MoneyState, readMoney, stopMoney } from '../../domain/controls/money-switch.ts';
import { defineCommand } from '../command.ts';
import { formatMinute } from '../format.ts';

export const moneyStop = defineCommand({
  name: 'money stop',
  summary: 'stop all charges, refunds and new plans, in every process',
  effect: 'control',
  console: { needs: 'terms' },
  needsDatabaseOnly: true,
  async run(ctx) {
    const changed = await stopMoney(ctx, ctx.by);
    if (changed) await ctx.record(installation, { action: 'money.stopped' });
    return { changed, ...(await readMoney(ctx.tx)) };
  },
  describe: ({ changed, ...state }) =>
    changed
      ? 'Money is stopped. No process begins a charge, a refund or a plan from now on; what had begun is finished.\n'
      : `Money was stopped already, ${describeStop(state)}`,
});

export function describeStop({ stopped_at, stopped_by, reason }: MoneyState): string {
  return `since ${formatMinute(stopped_at ?? '')}, by ${stopped_by}: ${reason}\n`;
}
