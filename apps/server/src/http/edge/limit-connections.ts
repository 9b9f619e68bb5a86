import type { Clock, Log } from '@svc/runtime';
import { createFailureRun } from '../../failure-run.ts';
import type { EachServer } from '../app.ts';

/**
 * Closes every connection over the limit at once, without an answer. Idle connections cost memory
 * and file descriptors, which the connections to the database need too.
 */
export function limitConnections(
  eachServer: EachServer,
  maxConnections: number,
  { clock, log }: { clock: Clock; log: Log },
): void {
  const refusals = createFailureRun({
    clock,
    log,
    level: 'warn',
    started: 'connection limit reached, connection closed',
    ended: 'connections are accepted again',
  });
  eachServer((server) => {
    server.maxConnections = maxConnections;
    server.on('drop', () => refusals.failed({ max_connections: maxConnections }));
    server.on('connection', () => refusals.succeeded());
  });
}
