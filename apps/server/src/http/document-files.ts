import type { Database } from '@svc/db';
import { z } from 'zod';
import type { Ctx, RequestSteps, Service } from '../context.ts';
import type { TenantActor } from '../domain/access/actor.ts';
import { findSessionById } from '../domain/access/experience-sessions.ts';
import { documentPath, openDocumentAddress } from '../domain/documents/document-address.ts';
import { readDocument } from '../domain/documents/read-document.ts';
import { pageHeaders } from './add-pages.ts';
import type { App, Reply, Request } from './app.ts';
import type { Authenticate } from './authenticate.ts';
import { htmlPage } from './pages/html-page.ts';
import type { Problem } from './problem.ts';
import { addRoutes } from './register.ts';
import { FileBytes, type Route } from './route.ts';

type Access = Parameters<typeof addRoutes>[2];

interface Options extends Omit<Access, 'prefix' | 'routes' | 'authenticate'> {
  problemFor(error: unknown, request: Request): Problem;
}

/**
 * Adds the addresses from which tenants download documents. They are not part of `/v1`, because people may see
 * their responses, and download managers, which have no session token, call them. The address is the credential.
 */
export function addDocumentFiles(
  app: App,
  deps: Parameters<typeof addRoutes>[1],
  { problemFor, ...access }: Options,
): void {
  app.register(async (scope) => {
    scope.addHook('onRequest', async (_, reply) => {
      reply.headers(fileHeaders);
    });
    scope.setErrorHandler((error, request, reply) =>
      answerWithPage(reply, problemFor(error, request)),
    );
    const authenticate = createAuthenticate(deps.db, deps.service);
    addRoutes(scope, deps, { ...access, prefix: '', routes: [fileRoute], authenticate });
  });
}

const fileHeaders = {
  // The whole file is sent for a range, too.
  'accept-ranges': 'none',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
};

/** The session is looked up for each download, so that an address expires with it. */
function createAuthenticate(db: Database, service: Service): Authenticate {
  return async (_, { documentAddress = '' }, now) =>
    findSessionById(db, openDocumentAddress({ service, now }, documentAddress), now);
}

const params = z.strictObject({ documentAddress: z.string() });

const fileRoute: Route = {
  method: 'GET',
  path: `${documentPath}/{documentAddress}`,
  who: 'tenant',
  tag: 'Experience',
  internal: true,
  // The first download stores the file.
  kind: 'steps',
  group: 'document',
  summary: 'Download a document',
  params,
  query: undefined,
  body: undefined,
  output: z.never(),
  csv: undefined,
  audit: undefined,
  shownOnce: undefined,
  before: undefined,
  async verb(anyCtx, input) {
    const ctx = anyCtx as Ctx<TenantActor> & { readonly steps: RequestSteps<TenantActor> };
    const { documentAddress } = input.params as z.output<typeof params>;
    const { kind, id, locale, fileName } = openDocumentAddress(ctx, documentAddress);
    const file = await readDocument(ctx, { kind, id, locale, steps: ctx.steps });
    return new FileBytes({ ...file, name: `${fileName}.${file.extension}` });
  },
};

function answerWithPage(reply: Reply, { status, headers }: Problem): Reply {
  return reply
    .code(status)
    .headers({ ...pageHeaders("'none'"), ...headers })
    .type('text/html; charset=utf-8')
    .send(failedPage);
}

/** One page for every reason, because the remedy is the same: saving the document again makes a new address. */
const failedPage = htmlPage('Not downloaded', [
  '<h1>The document was not downloaded</h1>',
  '<p>This address works for 10 minutes, while your plan is open in the portal. Go back to your portal’s page, and save the document again.</p>',
  '<h2 lang="es">El documento no se descargó</h2>',
  '<p lang="es">Esta dirección funciona durante 10 minutos, mientras tu plan está abierto en el portal. Vuelve a la página de tu portal y guarda el documento otra vez.</p>',
]);
