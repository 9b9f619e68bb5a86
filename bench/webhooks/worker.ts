import { openDatabase } from '@svc/db';
import { startEngine } from './setup.ts';

// A process that delivers pending messages. It starts on the first input and ends when its input ends.
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
