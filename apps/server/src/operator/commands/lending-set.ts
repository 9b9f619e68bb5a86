import { installation } from '../../domain/audit/record.ts';
import { type LendingRule, readNewestRuleId } from '../../domain/lending/lending-rules.ts';
import { setLendingRule } from '../../domain/lending/set-lending-rule.ts';
import { defineCommand, option } from '../command.ts';
import { readDay, readLine, readOneOf } from '../read-values.ts';
import { recordSteps } from '../record-steps.ts';
import { scheduleChecks } from '../schedule-checks.ts';
import { UsageError } from '../usage-error.ts';
import { describeRule } from './lending-list.ts';

export const lendingSet = defineCommand({
  name: 'lending set',
  summary: 'decide where loans are offered, and what they may cost',
  input: {
    pms: option('--partner <pms>', 'only for this partner'),
    state: option('--state <state>', 'only for homes in this state, such as TX'),
    offered: option(
      '--offered <yes|no>',
      'whether loans are offered',
      readOneOf('--offered', ['yes', 'no'] as const),
    ),
    maximum_apr_bps: option(
      '--maximum-apr-bps <bps|none>',
      'the highest APR in hundredths of a percent, such as 3600, or none',
      limitOf('--maximum-apr-bps', 100_000),
    ),
    maximum_fee_in_cents: option(
      '--maximum-fee <cents|none>',
      'the highest fee, or none',
      limitOf('--maximum-fee', 500_00),
    ),
    license: option(
      '--license <text|none>',
      'the license to show to tenants, such as "Texas license 1700012345", or none',
      readLicense,
    ),
    effective: option(
      '--effective <date>',
      'the first day, today if it is left out',
      readDay('--effective'),
    ),
  },
  effect: 'control',
  console: { needs: 'terms' },
  scope: 'steps',
  refuse: (input) =>
    Object.keys(ruleOf(input)).length === 0
      ? 'needs --offered, --maximum-apr-bps, --maximum-fee or --license'
      : undefined,
  /** Stores the rule with its audit entry, and then schedules the checks of eligibility in short transactions. */
  async run(ctx, input) {
    const { user, reason = '' } = ctx.by;
    const { pms, state, effective } = input;
    const { partner_id: partnerId, ...applied } = await recordSteps(ctx, async (uow) => {
      const result = await setLendingRule(uow, {
        ...(pms !== undefined && { pms }),
        ...(state !== undefined && { state }),
        rule: ruleOf(input),
        effective,
        user,
        reason,
      });
      const { id, effective_from } = result;
      const details = {
        pms: result.pms ?? 'all',
        state: result.state ?? 'all',
        effective_from,
        rule: JSON.stringify(result.rule),
      };
      const entry = { action: 'lending.set', subject_id: id, details } as const;
      return { partnerId: installation, entry, result };
    });
    await scheduleChecks(ctx, { partnerId, effective: applied.effective_from });
    return applied;
  },
  approval: {
    when: 'always',
    target: async (tx) => ({ rule: await readNewestRuleId(tx) }),
  },
  describe: ({ pms, state, effective_from, rule }) =>
    `From ${effective_from} on, for ${pms ?? 'all partners'} in ${state ?? 'all states'}: ${describeRule(rule)}. Plans that exist are not affected.\n`,
});

interface RuleOptions {
  readonly offered?: 'yes' | 'no';
  readonly maximum_apr_bps?: number | null;
  readonly maximum_fee_in_cents?: number | null;
  readonly license?: string | null;
}

function ruleOf({
  offered,
  maximum_apr_bps,
  maximum_fee_in_cents,
  license,
}: RuleOptions): LendingRule {
  return {
    ...(offered !== undefined && { offered: offered === 'yes' }),
    ...(maximum_apr_bps !== undefined && { maximum_apr_bps }),
    ...(maximum_fee_in_cents !== undefined && { maximum_fee_in_cents }),
    ...(license !== undefined && { license }),
  };
}

function readLicense(text: string): string | null {
  return text === 'none' ? null : readLine('--license', { least: 1, most: 200 })(text.trim());
}

/** Returns a reader of a limit: a whole number, or `none`, which it reads as null. */
function limitOf(name: string, most: number): (text: string) => number | null {
  return (text) => {
    if (text === 'none') return null;
    if (/^\d{1,6}$/.test(text) && Number(text) <= most) return Number(text);
    throw new UsageError(
      `${name} must be a whole number from 0 to ${most}, or none, not "${text}".`,
    );
  };
}
