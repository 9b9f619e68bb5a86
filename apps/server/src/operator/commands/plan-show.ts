import { showPlan } from '../../domain/plans/show-plan.ts';
import { argument, defineCommand } from '../command.ts';
import { dollars, formatMinute } from '../format.ts';
import { table } from '../table.ts';
import { paymentTable } from './payment-list.ts';

export const planShow = defineCommand({
  name: 'plan show',
  summary: 'show a plan: its tenant, amounts, installments and payments',
  input: { plan_id: argument('<plan id>') },
  effect: 'report',
  console: { needs: 'read', partner: 'plan_id' },
  readsPrimary: true,
  run: ({ tx }, input) => showPlan(tx, input),
  describe(plan) {
    const facts = [
      ['tenant', `${plan.pms}/${plan.external_id}`],
      ['state', plan.state],
      ['agreed', formatMinute(plan.accepted_at)],
      ['terms', plan.terms_version],
      ['rent of', plan.rent_cycle_date],
      ['financed', dollars(plan.amount_financed_in_cents)],
      ['fee', `${dollars(plan.fee_in_cents)} (APR ${(plan.apr_bps / 100).toFixed(2)} %)`],
      ['settlement', plan.settlement_id ?? 'none'],
    ].map(([name = '', value]) => `${name.padEnd(10)} ${value}\n`);
    const installments = table(
      'installments',
      ['installment', 'due', 'amount', 'state'],
      plan.installments.map((it) => [
        String(it.number),
        it.due_date,
        dollars(it.amount_in_cents),
        it.state,
      ]),
    );
    return `${facts.join('')}\n${installments}\n${paymentTable('payments', plan.payments)}`;
  },
});
