// Run in a separate process by create-cluster.ts: creates an empty PostgreSQL in the folder.
import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';

const [, , folder = ''] = process.argv;
const database = await PGlite.create(folder);
await database.close();
// PGlite resets the umask of its thread and creates files with mode 0666.
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600);
}
