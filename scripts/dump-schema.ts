import { writeFile } from 'node:fs/promises';
import { describeSchema, openTestDatabase } from '../packages/db/src/testing.ts';

// `npm run schema`: writes apps/server/schema.sql from the migrations, on a real PostgreSQL.
const sources = [
  { name: 'webhooks', folder: 'packages/webhooks/migrations' },
  { name: 'server', folder: 'apps/server/migrations' },
];
const { db, close } = await openTestDatabase(sources, 'postgres');
const schema = await describeSchema(db);
await close();
await writeFile('apps/server/schema.sql', schema);
console.log(`apps/server/schema.sql: ${schema.split('\n').length} lines`);
process.exit();
