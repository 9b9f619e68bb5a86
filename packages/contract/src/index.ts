export * from './accent.ts';
export * from './adult.ts';
export * from './api/api-keys.ts';
export * from './api/appearance.ts';
export * from './api/audit-log.ts';
export * from './api/certifications.ts';
export * from './api/debit-account.ts';
export * from './api/deliveries.ts';
export * from './api/doctor.ts';
export * from './api/endpoints.ts';
export * from './api/experience.ts';
export * from './api/forks.ts';
export * from './api/hosted.ts';
export * from './api/partner.ts';
export * from './api/payouts.ts';
export * from './api/plan-management.ts';
export * from './api/plans.ts';
export * from './api/portal.ts';
export * from './api/portal-info.ts';
export * from './api/replays.ts';
export * from './api/requests.ts';
export * from './api/settlements.ts';
export * from './api/simulation.ts';
export * from './api/tenants.ts';
export * from './api/webhooks.ts';
export type * from './api-routes.ts';
export * from './app-scheme.ts';
export * from './appearance.ts';
export * from './card.ts';
export * from './charges.ts';
export * from './closest-names.ts';
export * from './describe-schema.ts';
export * from './document-blocks.ts';
export * from './errors.ts';
export * from './event-examples.ts';
export * from './event-types.ts';
export * from './events.ts';
export type * from './frame.ts';
export * from './json-schema.ts';
export * from './key-scopes.ts';
export * from './limits.ts';
export * from './locales.ts';
export * from './money.ts';
export { filterFields, filterLimits } from './payload-filter.ts';
export * from './payment-failures.ts';
export * from './plan-states.ts';
export {
  externalId,
  instant,
  isExactOrigin,
  isoDate,
  listOf,
  moment,
  pms,
  productVariant,
  searchedListOf,
  shortListQuery,
  visibleText,
} from './primitives.ts';
export * from './routing-number.ts';
export * from './sdk-errors.ts';
export * from './taxpayer-number.ts';
export * from './test-accounts.ts';
export * from './time-zones.ts';
export * from './vocabulary.ts';
export * from './widget-session.ts';
