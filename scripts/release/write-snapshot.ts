import { createSnapshot, migrate } from '@svc/db';
import { migrations, version } from '../../apps/server/src/migrations.ts';

// `write-snapshot.ts <file>`: writes a migrated database without partners, keys or secrets, which a service
// creates when it starts.
const [file = ''] = process.argv.slice(2);
await createSnapshot(file, async (db) => {
  await migrate(db, migrations, { version });
});
