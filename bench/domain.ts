import { measureDueActions } from './domain/due-actions.ts';
import { measureIdleTenants } from './domain/idle-tenants.ts';
import { measureYear } from './domain/year.ts';
import type { Bench } from './rows.ts';

/** Measures due actions against their bare SQL, among a million idle tenants, and over a year. */
export const bench: Bench = async ({ databaseUrl, full }) => [
  ...(await measureDueActions(await databaseUrl())),
  ...(await measureIdleTenants(databaseUrl)),
  ...(await measureYear(await databaseUrl(), full ? 10_000 : 100)),
];
