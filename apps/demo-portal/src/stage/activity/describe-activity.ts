import type { Activity, CallActivity } from '../../../backend/answers.ts';
import type { Phrase } from '../../words/es.ts';
import type { Words } from '../../words/use-words.ts';

/** Describes an activity in plain words. */
export function describeActivity(activity: Activity, { translate }: Words): string {
  if (activity.kind === 'call') return translate(describeCall(activity));
  if (activity.kind === 'sdk') return translate(sdkWords[activity.type] ?? 'A widget event');
  if (!activity.verified) return activity.message ?? translate('Rejected');
  const words = translate(webhookWords[activity.type ?? ''] ?? 'An event from Svc');
  if (!activity.repeated) return words;
  return `${words}. ${translate('Received before, so it was not recorded again.')}`;
}

export function titleOf(activity: Activity, { translate }: Words): string {
  if (activity.kind === 'call') return `${activity.method} ${activity.path}`;
  if (activity.kind === 'sdk') return activity.type;
  return activity.type ?? translate('Unverified request');
}

const callWords: [RegExp, Phrase][] = [
  [/^POST \/tenant\/portal_info\//, 'The portal sent the tenant’s charges and received a token'],
  [/\/set_underwriting_result$/, 'The portal set this tenant’s clock and underwriting result'],
  [/^GET \/simulation\//, 'The portal looked up the simulation'],
  [/\/scenario$/, 'The portal took this tenant to the scenario'],
  [/\/advance_clock$/, 'The portal moved this tenant’s clock'],
  [/\/reset$/, 'The portal reset this tenant’s simulation'],
  [/^GET \/partner\/webhook_portal_url/, 'The portal requested a link to manage webhooks'],
  [/^GET \/tenants\//, 'The portal looked up the tenant’s plan'],
  [/^GET \/settlements\//, 'The portal looked up the settlement'],
];

function describeCall({ method, path, status }: CallActivity): Phrase {
  if (status === null) return 'Svc did not respond';
  const name = `${method} ${path}`;
  return callWords.find(([pattern]) => pattern.test(name))?.[1] ?? 'The portal called Svc';
}

const sdkWords: Record<string, Phrase> = {
  WIDGET_READY: 'The widget was rendered',
  WIDGET_CLICKED: 'The tenant clicked',
  EXPERIENCE_OPENED: 'The experience opened',
  EXPERIENCE_CLOSED: 'The experience closed',
  APPLICATION_SUBMITTED: 'The tenant applied',
  USER_APPROVED: 'The tenant was approved',
  USER_DECLINED: 'The tenant was declined',
  SPLIT_RENT: 'The tenant split the balance',
  PLAN_UPDATED: 'The plan changed',
  REPAY: 'The tenant paid early',
  TOKEN_EXPIRED: 'The session ended',
  ERROR: 'Something went wrong in the widget',
};

const webhookWords: Record<string, Phrase> = {
  'tenant.updated': 'Svc updated the tenant',
  'tenant.eligibility_changed': 'The tenant’s eligibility changed',
  'application.submitted': 'An application was submitted',
  'application.approved': 'The application was approved',
  'application.declined': 'The application was declined',
  'application.expired': 'The month ended without a plan',
  'plan.created': 'The tenant agreed to a plan',
  'plan.activated': 'The first payment went through',
  'plan.updated': 'The plan changed',
  'plan.past_due': 'A payment is 30 days late',
  'plan.completed': 'The plan is paid off',
  'plan.canceled': 'The plan was canceled; the ledger reversed the payment',
  'settlement.created': 'Svc pays the portal; the ledger records it',
  'settlement.updated': 'The portal’s debit of Svc has another status',
  'settlement.failed': 'The portal’s debit of Svc failed',
  'installment.upcoming': 'A payment is due soon',
  'installment.paid': 'A payment was collected',
  'installment.failed': 'A payment didn’t go through',
  'installment.rescheduled': 'The tenant moved a payment',
  'repayment.created': 'The tenant paid early',
  'autopay.enabled': 'Autopay is on',
  'autopay.disabled': 'Autopay is off',
  'charge.drift_detected': 'A charge differs from the one that was split',
  'endpoint.created': 'Another endpoint was added',
  'endpoint.updated': 'Another endpoint was changed',
  'endpoint.deleted': 'Another endpoint was deleted',
  'endpoint.failing': 'An endpoint keeps failing',
  'endpoint.disabled': 'An endpoint was disabled',
  'message.attempt_exhausted': 'All attempts to one endpoint failed',
  'message.recovered': 'A message that had failed was delivered',
};
