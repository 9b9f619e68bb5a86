import { SvcClient } from '@svc/node';
import fastify, { type FastifyInstance } from 'fastify';
import { createCertifiedTenants } from './account/certified-tenants.ts';
import { createPaymentBook } from './account/payment-book.ts';
import { docsLinks } from './docs-links.ts';
import { createJournal } from './journal.ts';
import { createPortal } from './portal.ts';
import { serveApi } from './routes/api.ts';
import { type DemoFiles, servePages } from './routes/pages.ts';
import { serveStream } from './routes/stream.ts';
import { receiveWebhooks } from './routes/webhook.ts';

export interface DemoOptions {
  /** 0 selects any free port. */
  port: number;
  host: string;
  /** The service. `baseUrl` is `<origin>/v1`. */
  service: { origin: string; baseUrl: string };
  apiKey: string;
  pms: string;
  /** The signing secret of the endpoint `<demo origin>/webhooks/svc`. A function is called for each request. */
  signingSecret: string | (() => Promise<string> | string);
  /** The current time. Default: the system clock. */
  now?: () => Date;
  /** Default: those in this repository. */
  files?: DemoFiles;
}

export interface Demo {
  origin: string;
  close(): Promise<void>;
}

/**
 * Starts Maple Residents, a demo property portal: its pages, JSON API, and webhook receiver. It
 * accesses Svc only through the public API.
 *
 * @throws Error if the port is in use or the pages are not built
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
  serveApi(app, { portal, journal, docs });
  serveStream(app, journal);
  await receiveWebhooks(app, {
    signingSecret: () => (typeof signingSecret === 'string' ? signingSecret : signingSecret()),
    now,
    journal,
    docs,
    payments,
    certifiedTenants: createCertifiedTenants(new SvcClient({ apiKey, baseUrl: service.baseUrl })),
  });
  await servePages(app, service.origin, options.files);
  await listen(app, options);
  return { origin: origin(), close: () => app.close() };
}

async function listen(app: FastifyInstance, { port, host }: DemoOptions): Promise<void> {
  try {
    await app.listen({ port, host });
  } catch (error) {
    await app.close();
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new Error(
      `Port ${port} is in use. Stop the other process, or set DEMO_PORT to a different port.`,
      {
        cause: error,
      },
    );
  }
}

function originOf(app: FastifyInstance, host: string): string {
  const address = app.server.address();
  if (address === null || typeof address === 'string')
    throw new Error('The server is not listening.');
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
}
