import fastify, { type FastifyInstance } from 'fastify';
import { createPaymentBook } from './account/payment-book.ts';
import { docsLinks } from './docs-links.ts';
import { createJournal } from './journal.ts';
import { createPortal } from './portal.ts';
import { serveApi } from './routes/api.ts';
import { servePages } from './routes/pages.ts';
import { serveStream } from './routes/stream.ts';
import { receiveWebhooks } from './routes/webhook.ts';

export interface DemoOptions {
  /** 0 takes any free port. */
  port: number;
  host: string;
  /** Where the service stands: `baseUrl` is `<origin>/v1`. */
  service: { origin: string; baseUrl: string };
  apiKey: string;
  pms: string;
  /** The secret of the endpoint that points at `<demo origin>/webhooks/svc`; asked each time. */
  signingSecret: string | (() => Promise<string> | string);
  /** Wall time; the system's unless given. */
  now?: () => Date;
}

export interface Demo {
  origin: string;
  close(): Promise<void>;
}

/**
 * Starts Maple Residents: its pages, its JSON API and its webhook receiver. All that it knows of
 * Svc goes through the API with its key.
 *
 * @throws Error in one sentence when the port is taken or the pages are not built.
 */
export async function startDemo(options: DemoOptions): Promise<Demo> {
  const { service, apiKey, pms, signingSecret, now = () => new Date() } = options;
  const app = fastify({ bodyLimit: 64 * 1024, forceCloseConnections: true });
  const journal = createJournal(now);
  const docs = docsLinks(service.origin);
  const payments = createPaymentBook();
  const origin = () => originOf(app, options.host);
  const portal = createPortal({
    apiKey,
    baseUrl: service.baseUrl,
    pms,
    origin,
    now,
    journal,
    docs,
    payments,
  });
  serveApi(app, { portal, journal, docs, serviceOrigin: service.origin, pms });
  serveStream(app, journal);
  await receiveWebhooks(app, {
    signingSecret: () => (typeof signingSecret === 'string' ? signingSecret : signingSecret()),
    now,
    journal,
    docs,
    payments,
  });
  await servePages(app, service.origin);
  await listen(app, options);
  return { origin: origin(), close: () => app.close() };
}

async function listen(app: FastifyInstance, { port, host }: DemoOptions): Promise<void> {
  try {
    await app.listen({ port, host });
  } catch (error) {
    await app.close();
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new Error(`Port ${port} is taken: stop what uses it, or set DEMO_PORT to another.`, {
      cause: error,
    });
  }
}

function originOf(app: FastifyInstance, host: string): string {
  const address = app.server.address();
  if (address === null || typeof address === 'string') throw new Error('Not listening.');
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
}
