import type { Scenario, ServiceCaseName } from '@svc/contract';
import type { CertificationCase } from './case.ts';
import { agrees, differenceOf } from './compare-view.ts';
import { type Finding, fail, pass } from './finding.ts';
import { judgeDebit } from './judge-debit.ts';
import type { PlayedTenant, Stage } from './stage.ts';

/** Cases that play a tenant's life: every webhook in order, and then the partner's view of the tenant. */
export const lifeCases: readonly CertificationCase[] = [
  life('split', 'A tenant splits the rent'),
  {
    name: 'settled',
    area: 'life',
    title: 'The debit of a settlement arrives',
    docs: '/docs/settlements',
    needsDebits: true,
    async run(stage) {
      const tenant = await stage.tenant('split');
      await stage.acceptAll(tenant.messages);
      // The partner reports its debit before the bank's answer, which the scenario plays.
      if (stage.subscribes('settlement.created')) await stage.debitOf(tenant);
      await stage.acceptAll(await stage.advance(tenant, 'settled'));
      return judgeTenant(stage, tenant);
    },
  },
  life('declined', 'An application is declined'),
  life('first_payment_failed', 'The first payment fails, and no plan begins'),
  life('installment_failed', 'A later payment fails'),
  life('past_due', 'A tenant falls behind'),
  life('paid_off', 'A plan is paid off'),
  life('disputed', 'A bank takes a payment back'),
  life('charged_off', 'A plan is charged off'),
  life('moved_out', 'A tenant moves out', 'split'),
];

/** @param from an earlier point, for a scenario that can also be reached without a plan */
function life(name: ServiceCaseName & Scenario, title: string, from?: Scenario): CertificationCase {
  return {
    name,
    area: 'life',
    title,
    docs: '/docs/how-a-split-works',
    async run(stage) {
      const tenant = await stage.tenant(from ?? name);
      if (from) await stage.advance(tenant, name);
      await stage.acceptAll(tenant.messages);
      return judgeTenant(stage, tenant);
    },
  };
}

async function judgeTenant(stage: Stage, tenant: PlayedTenant): Promise<Finding> {
  const { ours, messages } = tenant;
  const accepted = `It accepted ${messages.length} webhooks`;
  const view = await stage.viewOnce(tenant.externalId, agrees(ours));
  if (!view) return pass(`${accepted}. Only a tenant query can show what it did with them.`);
  const difference = differenceOf(view, ours);
  if (difference) return fail(difference);
  // A payment that fails later is our loss: what was debited stays with the portal.
  if (ours.settlement && view.settlements && (await stage.debits())) {
    const finding = judgeDebit(await stage.debitOf(tenant));
    if (finding.status === 'fail') return finding;
  }
  return pass(`${accepted}, and your view agrees with ours.`);
}
