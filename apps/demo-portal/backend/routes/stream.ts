import type { FastifyInstance } from 'fastify';
import type { Activity } from '../answers.ts';
import type { Journal } from '../journal.ts';

const heartbeatMs = 15_000;

/**
 * Streams activity as server-sent events: the run ID, the stored activity the client has not seen, then
 * new activity. Event IDs are `<run> <seq>`, so a page that outlives this process starts over.
 */
export function serveStream(app: FastifyInstance, journal: Journal): void {
  const closeFunctions = new Set<() => void>();
  app.addHook('preClose', async () => {
    for (const close of closeFunctions) close();
  });
  app.get('/api/stream', (request, reply) => {
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-content-type-options': 'nosniff',
    });
    raw.write(`retry: 1000\nevent: run\ndata: ${journal.run}\n\n`);
    const send = (activity: Activity) =>
      raw.write(`id: ${journal.run} ${activity.seq}\ndata: ${JSON.stringify(activity)}\n\n`);
    journal.since(lastSeen(request.headers['last-event-id'], journal.run)).forEach(send);
    const unfollow = journal.follow(send);
    const heartbeat = setInterval(() => raw.write(':\n\n'), heartbeatMs);
    const close = () => {
      unfollow();
      clearInterval(heartbeat);
      closeFunctions.delete(close);
      raw.end();
    };
    closeFunctions.add(close);
    raw.on('close', close);
  });
}

function lastSeen(header: string | string[] | undefined, run: string): number {
  const [seenRun, seq] = String(header).split(' ');
  return seenRun === run && /^\d{1,9}$/.test(seq ?? '') ? Number(seq) : 0;
}
