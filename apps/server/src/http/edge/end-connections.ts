import type { Server, ServerResponse } from 'node:http';
import type { Clock } from '../../clock.ts';
import { type App, eachServer } from '../app.ts';

// An upload that stopped halfway would otherwise keep the process from ending.
const graceMs = 10_000;

/**
 * When the server closes, answers the requests in flight and then ends all connections. A request is
 * in flight once its head has arrived, because a client whose request is reset cannot know whether it
 * took effect. Node alone waits forever for connections that never sent a request, and browsers open
 * such connections ahead.
 */
export function endConnections(app: App, { after }: Pick<Clock, 'after'>): void {
  const servers = new Set<Server>();
  const inFlight = new Set<ServerResponse>();
  let closing = false;
  const endAll = () => {
    for (const server of servers) server.closeAllConnections();
  };
  const endIfAnswered = () => {
    if (closing && inFlight.size === 0) endAll();
  };
  eachServer(app, (server) => {
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
