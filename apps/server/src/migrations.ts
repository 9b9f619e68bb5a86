import type { MigrationSource } from '@svc/db';

/** The engine's migrations, then ours. The paths are the same from `src` and from `dist`. */
export const migrations: readonly MigrationSource[] = [
  { name: 'webhooks', folder: new URL('../../../packages/webhooks/migrations', import.meta.url) },
  { name: 'server', folder: new URL('../migrations', import.meta.url) },
];
