import { openDatabase } from '@svc/db';
import { startEngine } from './setup.ts';

// A process that delivers what is there: starts when it is told to, ends with its input.
const db = await openDatabase({ url: process.argv[2] ?? '' });
process.stdout.write('ready\n');
process.stdin.once('data', async () => {
  const engine = await startEngine(db);
  process.stdin.on('end', async () => {
    await engine.stop();
    await db.close();
    process.exit();
  });
});
