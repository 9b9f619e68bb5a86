import type { Clock } from '../../clock.ts';
import type { Log } from '../../context.ts';
import { createFailureRun } from '../../failure-run.ts';
import { type App, eachServer } from '../app.ts';

/**
 * Accepts so many connections at the same time, and closes further ones at once, without an answer.
 * Idle connections cost memory and file descriptors, which the connections to the database need too.
 */
export function limitConnections(
  app: App,
  most: number,
  { clock, log }: { clock: Clock; log: Log },
): void {
  const refusals = createFailureRun({
    clock,
    log,
    level: 'warn',
    started: 'connection limit reached, connection closed',
    ended: 'connections are accepted again',
  });
  eachServer(app, (server) => {
    server.maxConnections = most;
    server.on('drop', () => refusals.failed({ max_connections: most }));
    server.on('connection', () => refusals.succeeded());
  });
}
