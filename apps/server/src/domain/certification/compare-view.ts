import type { ScenarioOutput } from '@svc/contract';
import { unknownTenantAdvice } from './explain-answer.ts';
import type { Mistake } from './finding.ts';
import { findSettlement } from './stage.ts';
import type { ReadView } from './tenant-view.ts';

/** Returns the first way in which the partner's view of a tenant differs from ours; null if they agree. */
export function differenceOf(view: ReadView, ours: ScenarioOutput): Mistake | null {
  return planDifference(view, ours) ?? settlementDifference(view, ours);
}

export function agrees(ours: ScenarioOutput) {
  return (view: ReadView): boolean => differenceOf(view, ours) === null;
}

function planDifference({ plan: theirs }: ReadView, { plan }: ScenarioOutput): Mistake | null {
  if (theirs === undefined) return null;
  const isGone = plan === null || plan.state === 'canceled';
  if (theirs === null) {
    if (isGone) return null;
    return {
      summary: `Your view has no plan, and ours is ${plan.state}.`,
      cause:
        'Your receiver does not store the plans of this tenant, or stores them under another tenant’s id.',
      fix: `Take the tenant from external_id of the envelope. ${unknownTenantAdvice}`,
      docs: '/docs/events',
    };
  }
  if (plan === null) {
    return {
      summary: `Your view has the plan ${theirs.id}, and this tenant has none.`,
      cause: 'Your receiver stores the plan of another tenant under this one’s id.',
      fix: 'Take the tenant from external_id of the envelope.',
      docs: '/docs/events',
    };
  }
  if (theirs.id !== plan.id) {
    return {
      summary: `Your view has the plan ${theirs.id}, and ours is ${plan.id}.`,
      cause: 'Your receiver stores another plan, or another id of it.',
      fix: 'Store plan_id of data, with the tenant of external_id.',
      docs: '/docs/events',
    };
  }
  if (theirs.state === plan.state) return null;
  return {
    summary: `Your view says that the plan is ${theirs.state}, and ours is ${plan.state}.`,
    ...(stateMistakes[plan.state] ?? stateMistakes.active),
  };
}

type StateMistake = Pick<Mistake, 'cause' | 'fix' | 'docs'>;

const stateMistakes: Record<string, StateMistake> & { readonly active: StateMistake } = {
  active: {
    cause:
      'Your receiver trusts the order in which webhooks arrive, or misses one that changes the state.',
    fix: 'Keep data.object_version with the plan, and ignore a message whose version is not higher.',
    docs: '/docs/webhooks#the-body',
  },
  charged_off: {
    cause: 'Your receiver does not handle plan.updated with the change charged_off.',
    fix: 'Set the plan’s state to charged_off when plan.updated has change: "charged_off".',
    docs: '/docs/events',
  },
  canceled: {
    cause: 'Your receiver does not handle plan.canceled.',
    fix: 'End the plan when plan.canceled arrives: the tenant owes you the charges again.',
    docs: '/docs/events',
  },
};

function settlementDifference(
  { settlements }: ReadView,
  { settlement }: ScenarioOutput,
): Mistake | null {
  if (!settlements) return null;
  const foreign = settlements.find(({ id }) => id !== settlement?.id);
  if (foreign) {
    return {
      summary: `Your view has the settlement ${foreign.id}, which is not about this tenant.`,
      cause: 'Your receiver stores settlements under the wrong tenant’s id.',
      fix: 'Take the tenant from external_id of the envelope.',
      docs: '/docs/settlements',
    };
  }
  if (settlements.length > 1) {
    return {
      summary: `Your view has the settlement ${settlement?.id} ${settlements.length} times.`,
      cause: 'Your receiver stores a settlement each time that a webhook about it arrives.',
      fix: 'Make settlement_id unique in your database, and store the webhook-id of what you have handled.',
      docs: '/docs/webhooks#a-receiver',
    };
  }
  if (settlement && !findSettlement({ settlements }, settlement.id)) {
    return {
      summary: `Your view has no settlement, and we owe you ${settlement.id}.`,
      cause: 'Your receiver did not store settlement.created of this tenant.',
      fix: `Store settlement_id of settlement.created, and debit it. ${unknownTenantAdvice}`,
      docs: '/docs/settlements',
    };
  }
  return null;
}
