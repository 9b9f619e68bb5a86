// The closed sets of names that several schemas and workspaces use, each declared once. No
// dependencies: the experience bundles this file, and `@svc/core` takes its types from it.
// States and their transitions are in plan-states.ts, languages in locales.ts.

export const environments = ['sandbox', 'production'] as const;
export type SvcEnvironment = (typeof environments)[number];

export const productVariants = ['rent', 'hoa'] as const;
/** The kind of charge a tenant splits: rent, or dues to a homeowners’ association. */
export type ProductVariant = (typeof productVariants)[number];

export const paymentMethodTypes = ['bank_account', 'card'] as const;
export type PaymentMethodType = (typeof paymentMethodTypes)[number];

export const accountEntries = ['fields', 'page', 'banks'] as const;
/** How a tenant's account or card is entered: in our fields, on the processor's page, or by picking a bank. */
export type AccountEntry = (typeof accountEntries)[number];

export const accountTypes = ['checking', 'savings'] as const;
export type AccountType = (typeof accountTypes)[number];

export const steps = [
  'offer',
  'application',
  'decision',
  'plan_choice',
  'payment_method',
  'consent',
  'done',
  'declined',
  'manage',
  'blocked',
] as const;
/**
 * A step of the experience, in order. `payment_method` comes before `decision` where the program needs
 * the account to decide, and is left out for a tenant who has one. Also `last_step` when the experience closes.
 */
export type Step = (typeof steps)[number];

/** The widget's state as SDKs up to 0.2 know it. They show an unknown one as `unavailable`, so never add one. */
export const widgetStates = ['new', 'can_split', 'has_plan', 'nothing_due', 'unavailable'] as const;
export type WidgetState = (typeof widgetStates)[number];

/** The widget's state in detail, with the `state` that older SDKs show for it. */
export const stateOfStatus = {
  new: 'new',
  can_split: 'can_split',
  /** Submitted. The tenant has something left to do, or the decision is being made. */
  applied: 'can_split',
  /** A person reviews the application. */
  in_review: 'can_split',
  approved: 'can_split',
  has_plan: 'has_plan',
  /** The first payment is being made, and the plan starts once it is paid. */
  starting: 'has_plan',
  /** A payment did not go through, and its day is not over. */
  payment_failed: 'has_plan',
  /** A payment of the plan was not made by its day. */
  past_due: 'has_plan',
  /** Nothing is due, and the last plan is paid. */
  paid_off: 'nothing_due',
  nothing_due: 'nothing_due',
  /** The rent can be split from `available_on`. */
  too_early: 'unavailable',
  moved_out: 'unavailable',
  /** The tenant owes for a plan that is closed. Never says why: the experience does. */
  needs_attention: 'unavailable',
  /** Never says why. A declined tenant has this status, with `available_on`. */
  unavailable: 'unavailable',
} as const satisfies Record<string, WidgetState>;
export type WidgetStatus = keyof typeof stateOfStatus;
export const widgetStatuses = Object.keys(stateOfStatus) as WidgetStatus[];

/**
 * A payment of a plan as the widget shows it. `failed`: it did not go through, and its day is not over.
 * `past_due`: its day is over, and it was not made.
 */
export const widgetPaymentStates = ['paid', 'processing', 'due', 'failed', 'past_due'] as const;
export type WidgetPaymentState = (typeof widgetPaymentStates)[number];

/** The states of a tenant's eligibility to split what is due, in portal_info, events and the experience. */
export const eligibilityStates = [
  'can_apply',
  'approved',
  'has_plan',
  'declined',
  'blocked',
  'cycle_closed',
  'nothing_due',
] as const;
export type EligibilityState = (typeof eligibilityStates)[number];

/** The reasons why a tenant can't split. */
export const eligibilityReasons = [
  'past_due_balance',
  'security_deposit_open',
  'late_fee_open',
  'payments_disabled',
  'open_plan',
  'amount_above_cap',
  'amount_below_minimum',
  'nothing_due',
  'would_land_late',
  'declined_until',
  'not_monthly',
  'lease_ended',
  'payments_unavailable',
  'state_unknown',
  'not_offered_in_state',
  'cost_above_limit',
] as const;
export type EligibilityReason = (typeof eligibilityReasons)[number];

/** The kind of change to a plan: `change` of `plan.updated` and of the SDK's PLAN_UPDATED. */
export const planChanges = [
  'installment_rescheduled',
  'part_paid',
  'payment_method',
  'autopay_enabled',
  'autopay_disabled',
  'recovered',
  'charged_off',
  'refunded',
  'fee_waived',
  'reopened',
] as const;
export type PlanChange = (typeof planChanges)[number];

/** The reasons for which a tenant moves a payment. Stored, never shown to the partner. */
export const rescheduleReasons = [
  'paid_on_another_day',
  'unexpected_expense',
  'income_changed',
  'other',
] as const;
export type RescheduleReason = (typeof rescheduleReasons)[number];

/** The parts of the console that a page of the partner's back office can show in a frame. */
export const portalViews = ['settlements', 'tenant_plan', 'webhooks'] as const;
export type PortalView = (typeof portalViews)[number];

/** How a payout moves: the portal debits us, or we credit it. */
export const payoutMethods = ['debit', 'credit'] as const;
export type PayoutMethod = (typeof payoutMethods)[number];

/** The kinds of lines in a payout. */
export const payoutLineKinds = ['settlement', 'refund', 'adjustment'] as const;
export type PayoutLineKind = (typeof payoutLineKinds)[number];
