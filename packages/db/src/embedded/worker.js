// Plain JavaScript: a worker thread of Node 20 cannot load TypeScript, not even through tsx.
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';

/** @type {{ dataDir: string, socketPath: string }} */
const { dataDir, socketPath } = workerData;

const database = await PGlite.create(dataDir);
// The pool uses one client at a time. The second connection lets it reconnect immediately.
const server = new PGLiteSocketServer({ db: database, path: socketPath, maxConnections: 2 });
await server.start();

parentPort?.once('message', async () => {
  await server.stop();
  await database.close();
  parentPort?.close();
});
parentPort?.postMessage('ready');
