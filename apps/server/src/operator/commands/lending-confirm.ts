import { installation } from '../../domain/audit/record.ts';
import { confirmLendingRules } from '../../domain/lending/set-lending-rule.ts';
import { defineCommand, optionalArgument } from '../command.ts';

export const lendingConfirm = defineCommand({
  name: 'lending confirm',
  summary: 'confirm the states that an upgrade carried over, all or one',
  input: { state: optionalArgument('[state]') },
  effect: 'control',
  console: { needs: 'terms' },
  async run(ctx, { state }) {
    const { user, reason } = ctx.by;
    const states = await confirmLendingRules(ctx, { state, user, reason });
    const details = { states: states.join(', ') };
    if (states.length > 0) await ctx.record(installation, { action: 'lending.confirmed', details });
    return { states };
  },
  approval: { when: 'always', facts: ({ states }) => ({ states: states.join(', ') }) },
  describe: ({ states }) =>
    states.length === 0
      ? 'There is nothing to confirm.\n'
      : `Confirmed: loans are offered in ${states.join(', ')} without a limit on the APR. "svc-admin lending set" sets one.\n`,
});
