import type { MigrationSource } from '@svc/db';

/** In this order: the engine's tables, then ours. From `src` and from `dist` alike. */
export const migrations: readonly MigrationSource[] = [
  { name: 'webhooks', folder: new URL('../../../packages/webhooks/migrations', import.meta.url) },
  { name: 'server', folder: new URL('../migrations', import.meta.url) },
];
