import type { App, Request } from '../app.ts';

/**
 * When the server closes, ends all connections once what was asked is answered. Node alone waits
 * without end for one that has not asked yet, and browsers open such ones ahead.
 */
export function endConnections(app: App): void {
  const asked = new Set<Request>();
  let closing = false;
  const endIfAnswered = () => {
    if (closing && asked.size === 0) app.server.closeAllConnections();
  };
  // Not before: the rest of a body may never come.
  app.addHook('preHandler', async (request) => void asked.add(request));
  app.addHook('onResponse', async (request) => {
    asked.delete(request);
    endIfAnswered();
  });
  app.addHook('preClose', async () => {
    closing = true;
    endIfAnswered();
  });
}
