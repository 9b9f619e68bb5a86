import type { Server, ServerResponse } from 'node:http';
import type { Clock } from '@svc/runtime';
import type { HttpApp } from '../app.ts';

// An upload that stalled would otherwise keep the process from ending.
const graceMs = 10_000;

/**
 * On shutdown, waits for the requests in flight and then closes all connections. A request is in
 * flight once its head has arrived: a client whose request is reset cannot know whether it took
 * effect. Node's own `close()` waits forever for connections that never sent a request, and browsers
 * open such connections in advance.
 */
export function endConnections(
  { app, eachServer }: HttpApp,
  { after }: Pick<Clock, 'after'>,
): void {
  const servers = new Set<Server>();
  const inFlight = new Set<ServerResponse>();
  let closing = false;
  const endAll = () => {
    for (const server of servers) server.closeAllConnections();
  };
  const endIfAnswered = () => {
    if (closing && inFlight.size === 0) endAll();
  };
  eachServer((server) => {
    servers.add(server);
    server.on('request', (_, response) => {
      inFlight.add(response);
      response.once('close', () => {
        inFlight.delete(response);
        endIfAnswered();
      });
    });
  });
  app.addHook('preClose', async () => {
    closing = true;
    after(graceMs, endAll);
    endIfAnswered();
  });
}
