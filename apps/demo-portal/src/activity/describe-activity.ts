import type { Activity, CallActivity } from '../../backend/answers.ts';

/** Describes an activity in plain words. */
export function describeActivity(activity: Activity): string {
  if (activity.kind === 'call') return describeCall(activity);
  if (activity.kind === 'sdk') return sdkWords[activity.type] ?? 'A widget event';
  if (!activity.verified) return activity.message ?? 'Rejected';
  const words = webhookWords[activity.type ?? ''] ?? 'An event from Svc';
  return activity.repeated ? `${words}. Received before, so it was not recorded again.` : words;
}

export function titleOf(activity: Activity): string {
  if (activity.kind === 'call') return `${activity.method} ${activity.path}`;
  if (activity.kind === 'sdk') return activity.type;
  return activity.type ?? 'Unverified request';
}

const callWords: [RegExp, string][] = [
  [/^POST \/tenant\/portal_info\//, 'The portal sent the tenant’s charges and received a token'],
  [/\/set_underwriting_result$/, 'The portal set this tenant’s clock and underwriting result'],
  [/^GET \/simulation\//, 'The portal looked up the simulation'],
  [/\/reset$/, 'The portal reset this tenant’s simulation'],
  [/^GET \/partner\/webhook_portal_url/, 'The portal requested a link to manage webhooks'],
  [/^GET \/tenants\//, 'The portal looked up the tenant’s plan'],
  [/^GET \/settlements\//, 'The portal looked up the settlement'],
];

function describeCall({ method, path, status }: CallActivity): string {
  if (status === null) return 'Svc did not respond';
  const name = `${method} ${path}`;
  return callWords.find(([pattern]) => pattern.test(name))?.[1] ?? 'The portal called Svc';
}

const sdkWords: Record<string, string> = {
  WIDGET_READY: 'The widget was rendered',
  WIDGET_CLICKED: 'The tenant clicked',
  EXPERIENCE_OPENED: 'The experience opened',
  EXPERIENCE_CLOSED: 'The experience closed',
  APPLICATION_SUBMITTED: 'The tenant applied',
  USER_APPROVED: 'The tenant was approved',
  USER_DECLINED: 'The tenant was declined',
  SPLIT_RENT: 'The tenant split the payment',
  PLAN_UPDATED: 'The plan changed',
  REPAY: 'The tenant paid early',
  TOKEN_EXPIRED: 'The session ended',
  ERROR: 'Something went wrong in the widget',
};

const webhookWords: Record<string, string> = {
  'tenant.updated': 'Svc updated the tenant',
  'tenant.eligibility_changed': 'The tenant’s eligibility changed',
  'application.submitted': 'An application was submitted',
  'application.approved': 'Underwriting approved',
  'application.declined': 'Underwriting declined',
  'application.expired': 'The month ended without a plan',
  'plan.created': 'A plan was agreed',
  'plan.activated': 'The first payment went through',
  'plan.canceled': 'The plan was canceled; the ledger reversed the payment',
  'settlement.created': 'Svc pays the portal; the ledger records it',
  'installment.paid': 'A payment was collected',
  'endpoint.created': 'Another endpoint was added',
  'endpoint.updated': 'Another endpoint was changed',
  'endpoint.deleted': 'Another endpoint was deleted',
  'endpoint.failing': 'An endpoint keeps failing',
  'endpoint.disabled': 'An endpoint was disabled',
  'message.attempt_exhausted': 'All attempts to one endpoint failed',
  'message.recovered': 'A message that had failed was delivered',
};
