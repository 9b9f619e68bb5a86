import { type ShownTenant, showTenant } from '../../domain/intake/show-tenant.ts';
import { argument, defineCommand } from '../command.ts';
import { dollars, formatMinute } from '../format.ts';
import { table } from '../table.ts';

export const tenantShow = defineCommand({
  name: 'tenant show',
  summary: 'show the open plan of a tenant, what happens next, and what it waits for',
  input: { pms: argument('<pms>'), external_id: argument('<external id>') },
  effect: 'report',
  console: { needs: 'read', partner: 'pms' },
  readsPrimary: true,
  run: (ctx, input) => showTenant(ctx, input),
  describe: (tenant) => {
    const { plan, waits_for: waits } = tenant;
    const position = [
      `${tenant.pms}/${tenant.external_id}: ${tenant.eligibility}`,
      ...(tenant.eligibility_reason === null ? [] : [tenant.eligibility_reason]),
      `${formatMinute(tenant.now)} for the tenant, who is in ${tenant.time_zone}`,
    ];
    const lines = [position.join(', '), '', ...(plan ? [] : ['There is no open plan.'])];
    if (plan) {
      const how = plan.autopay ? 'automatic payments' : 'payments by hand';
      const payments = table(
        'payments',
        ['payment', 'due', 'amount', 'state'],
        plan.payments.map((it) => [
          String(it.number),
          it.due_date,
          dollars(it.amount_in_cents),
          it.state,
        ]),
      );
      lines.push(`${plan.id}: ${plan.state}, ${how} from ${plan.method}`, '', payments);
    }
    if (plan) lines.push(`Next: ${nextOf(tenant)}`, ...waits.map((it) => `  ${it}`));
    return `${lines.join('\n')}\n`;
  },
});

const steps = {
  remind: 'reminder of',
  collect: 'charge of',
  overdue: 'overdue without',
  past_due: 'the plan is past due without',
  charge_off: 'the plan is charged off without',
} satisfies Record<NonNullable<ShownTenant['next']>['kind'], string>;

function nextOf({ next }: ShownTenant): string {
  if (next === null) return 'nothing, until the tenant or the bank acts.';
  const what = `payment ${next.number}, ${dollars(next.amount_in_cents)}`;
  return `${formatMinute(next.at)}, ${steps[next.kind]} ${what}.`;
}
