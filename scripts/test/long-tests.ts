/**
 * Tests that each take 10 s to a minute: long histories, whole journeys in a browser, every screen in every
 * size, and packages that are really packed. `npm test` leaves them to `npm run test:full`, so that it ends
 * within eight minutes on two processors. It runs those that are named.
 */
export const longTests = [
  'apps/server/test/{ach-deposits,close-month,documented-requests,faults,migrate,money-keys-migration,partitions-role,pgbouncer,replica,roles}.db.test.ts',
  'apps/server/test/certify/correct.db.test.ts',
  'apps/server/test/certify/page-cases.browser.test.ts',
  'apps/server/test/journeys/{ach-plan,any-day,money-properties,races,scenarios,stripe-plan}.db.test.ts',
  'apps/server/test/journeys/{console,four-tenants,hosted-tenant,manage-plan,spanish-tenant,staff,stripe-tenant}.browser.test.ts',
  'apps/server/test/payments/{adversary,kill-points,payouts,processor-faults}.db.test.ts',
  'apps/server/src/domain/offers/require-offers.test.ts',
  'apps/server/src/domain/plans/apply-outcomes.db.test.ts',
  'apps/console/test/{activity,deliveries,replays,reported-text,stale,testing,weight}.browser.test.ts',
  'apps/demo-portal/test/pages.browser.test.ts',
  'apps/docs/test/site.browser.test.ts',
  'apps/experience/test/{accent,card,faults,forced-colors,language-switch,layout,link,paydays,progress,situations,texts,translation}.browser.test.ts',
  'packages/core/test/{back,bridge,diagnostics,faults,layout,modes,page-loaders,replaced,ways-in}.browser.test.ts',
  'packages/webhooks/src/{torture,messages/bounded-reads,partitions/partitions,processes/clock-skew}.db.test.ts',
  'scripts/release/packed.test.ts',
];
