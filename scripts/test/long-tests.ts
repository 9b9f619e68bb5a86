/**
 * Tests of which each takes 10 s to a minute: long histories, whole journeys in a browser, every screen in
 * every size, and packages that are really packed. `npm test` leaves them to `npm run test:full`, so that it
 * ends within eight minutes on two processors. It runs them when they are named.
 */
export const longTests = [
  'apps/server/test/{close-month,documented-requests,faults,migrate,money-keys-migration,partitions-role,pgbouncer,replica,roles}.db.test.ts',
  'apps/server/test/journeys/{any-day,money-properties,races}.db.test.ts',
  'apps/server/test/journeys/{console,four-tenants,spanish-tenant,stripe-tenant}.browser.test.ts',
  'apps/server/test/payments/{adversary,kill-points,payouts,processor-faults}.db.test.ts',
  'apps/server/src/domain/offers/require-offers.test.ts',
  'apps/console/test/{reported-text,stale,weight}.browser.test.ts',
  'apps/docs/test/site.browser.test.ts',
  'apps/experience/test/{accent,layout,situations,translation}.browser.test.ts',
  'packages/core/test/{back,modes,page-loaders,replaced}.browser.test.ts',
  'packages/webhooks/src/{torture,messages/bounded-reads,partitions/partitions,processes/clock-skew}.db.test.ts',
  'scripts/release/packed.test.ts',
];
