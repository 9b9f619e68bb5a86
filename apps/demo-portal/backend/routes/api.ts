import { SvcError } from '@svc/node';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Failure, Welcome } from '../answers.ts';
import type { DocsLinks } from '../docs-links.ts';
import type { Journal } from '../journal.ts';
import type { Portal } from '../portal.ts';
import { findResident, type Resident, residents } from '../residents.ts';

interface ApiDeps {
  portal: Portal;
  journal: Journal;
  docs: DocsLinks;
}

interface TenantRoute {
  Params: { id: string };
}

const sdkEvent = {
  type: 'object',
  required: ['type', 'data'],
  properties: {
    type: { type: 'string', pattern: '^[A-Z_]{1,40}$' },
    data: { type: 'object' },
  },
} as const;

/** The JSON API for the pages. It accepts only JSON bodies, which forms on other sites cannot send. */
export function serveApi(app: FastifyInstance, deps: ApiDeps): void {
  const { portal, journal } = deps;
  app.removeContentTypeParser('text/plain');
  app.setErrorHandler((error, _request, reply) => fail(reply, error));

  app.get('/api/tenants', async (): Promise<Welcome> => welcome());

  app.post<TenantRoute>('/api/tenants/:id/select', (request, reply) =>
    forResident(request.params.id, reply, portal.select),
  );
  app.post<TenantRoute>('/api/tenants/:id/start-over', (request, reply) =>
    forResident(request.params.id, reply, portal.startOver),
  );
  app.post<TenantRoute>('/api/tenants/:id/week-later', (request, reply) =>
    forResident(request.params.id, reply, portal.weekLater),
  );
  app.get<TenantRoute>('/api/tenants/:id', (request, reply) =>
    forResident(request.params.id, reply, portal.load),
  );
  app.post<{ Body: { tenant_id: string } }>(
    '/api/token',
    {
      schema: {
        body: {
          type: 'object',
          required: ['tenant_id'],
          properties: { tenant_id: { type: 'string' } },
        },
      },
    },
    (request, reply) =>
      forResident(request.body.tenant_id, reply, async (resident) => ({
        token: await portal.issueToken(resident),
      })),
  );
  app.post<TenantRoute & { Body: { type: string; data: object } }>(
    '/api/tenants/:id/sdk-events',
    { schema: { body: sdkEvent } },
    (request, reply) =>
      forResident(request.params.id, reply, (resident) => {
        const { type, data } = request.body;
        journal.record({
          kind: 'sdk',
          tenant_id: resident.id,
          doc_url: deps.docs.sdkEvent(type),
          type,
          data: JSON.stringify(data),
        });
        return {};
      }),
  );
  app.get('/api/activity', async () => ({ items: journal.since(0) }));
  app.post('/api/office', () => portal.office(undefined));
  app.post<TenantRoute>('/api/office/:id', (request, reply) =>
    forResident(request.params.id, reply, ({ id }) => portal.office(id)),
  );
  app.get('/manage-webhooks', async (_request, reply) => {
    try {
      return reply.redirect(await portal.webhookPortalUrl(), 303);
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
      return reply.code(502).type('text/plain; charset=utf-8').send(error.message);
    }
  });
}

function welcome(): Welcome {
  const tenants = residents.map(({ id, firstName, lastName, shows }) => ({
    id,
    name: `${firstName} ${lastName}`,
    shows,
  }));
  return { tenants };
}

async function forResident<T>(
  id: string,
  reply: FastifyReply,
  run: (resident: Resident) => Promise<T> | T,
): Promise<T | FastifyReply> {
  const resident = findResident(id);
  if (resident) return run(resident);
  return refuse(reply, 404, 'tenant_not_found', 'The demo has no resident with this ID.');
}

/** Passes on errors from Svc with their code. Other server errors are not exposed to the page. */
function fail(reply: FastifyReply, error: unknown): FastifyReply {
  if (error instanceof SvcError) return refuse(reply, 502, error.code, error.message);
  const status = (error as { statusCode?: number }).statusCode ?? 500;
  const message = error instanceof Error && status < 500 ? error.message : 'Something went wrong.';
  return refuse(reply, status, status < 500 ? 'invalid_request' : 'internal_error', message);
}

function refuse(reply: FastifyReply, status: number, code: string, message: string): FastifyReply {
  const failure: Failure = { error: { code, message } };
  return reply.code(status).send(failure);
}
