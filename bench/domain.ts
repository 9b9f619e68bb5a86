import { measureDueActions } from './domain/due-actions.ts';
import { measureIdleTenants } from './domain/idle-tenants.ts';
import { measureYear } from './domain/year.ts';
import type { Bench } from './rows.ts';

/** What falls due: beside its bare SQL, over a year, and among a million who owe nothing now. */
export const bench: Bench = async ({ databaseUrl, full }) => [
  ...(await measureDueActions(await databaseUrl())),
  ...(await measureIdleTenants(databaseUrl)),
  ...(await measureYear(await databaseUrl(), full ? 10_000 : 100)),
];
