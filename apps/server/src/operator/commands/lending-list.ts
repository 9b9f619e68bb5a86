import { type LendingRule, listLendingRules } from '../../domain/lending/lending-rules.ts';
import { unconfirmedRules } from '../../domain/lending/set-lending-rule.ts';
import { defineCommand } from '../command.ts';
import { dollars } from '../format.ts';
import { table } from '../table.ts';

export const lendingList = defineCommand({
  name: 'lending list',
  summary: 'list where loans are offered, and their limits',
  input: {},
  effect: 'report',
  console: { needs: 'read' },
  async run({ tx }) {
    const rules = await listLendingRules(tx);
    const unconfirmed = new Set(unconfirmedRules(rules));
    return {
      items: rules.map((it) => ({
        id: it.id,
        pms: it.pms,
        state: it.state,
        effective_from: it.effectiveFrom,
        rule: it.rule,
        unconfirmed: unconfirmed.has(it),
        created_by: it.createdBy,
        reason: it.reason,
      })),
    };
  },
  describe: ({ items }) =>
    table(
      'rules, so production offers nothing and the sandbox everything',
      ['effective from', 'partner', 'state', 'rule', 'by', 'reason'],
      items.map((it) => [
        it.effective_from,
        it.pms ?? 'all',
        it.state ?? 'all',
        `${describeRule(it.rule)}${it.unconfirmed ? ' (unconfirmed)' : ''}`,
        it.created_by,
        it.reason,
      ]),
      'They add up: one "not offered" is enough, and the lowest limit counts. "svc-admin terms preview" shows the result for each state.',
    ),
});

/** Describes a rule, such as `offered, APR at most 36.00 %`. */
export function describeRule(rule: LendingRule): string {
  const { offered, maximum_apr_bps: apr, maximum_fee_in_cents: fee, license } = rule;
  return [
    offered === undefined ? [] : [offered ? 'offered' : 'not offered'],
    apr === undefined ? [] : [apr === null ? 'any APR' : `APR at most ${(apr / 100).toFixed(2)} %`],
    fee === undefined ? [] : [fee === null ? 'any fee' : `fee at most ${dollars(fee)}`],
    license === undefined ? [] : [license ?? 'no license'],
  ]
    .flat()
    .join(', ');
}
