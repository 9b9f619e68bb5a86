import {
  verifyTenantQuery,
  verifyWebhook,
  type WebhookEvent,
  WebhookVerificationError,
} from '@svc/node';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { CertifiedTenants } from '../account/certified-tenants.ts';
import type { PaymentBook } from '../account/payment-book.ts';
import type { DocsLinks } from '../docs-links.ts';
import type { Journal } from '../journal.ts';
import { findResident } from '../residents.ts';

interface WebhookDeps {
  signingSecret: () => Promise<string> | string;
  now: () => Date;
  journal: Journal;
  docs: DocsLinks;
  payments: PaymentBook;
  certifiedTenants: CertifiedTenants;
}

/**
 * Serves POST /webhooks/svc and the tenant query, GET /svc-tenant, to requests that Svc has signed recently. Other
 * requests get status 400 and 401, respectively.
 */
export async function receiveWebhooks(app: FastifyInstance, deps: WebhookDeps): Promise<void> {
  // A separate plugin, so that only this route receives the body as bytes.
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    );
    scope.post('/webhooks/svc', { bodyLimit: 1024 * 1024 }, async (request, reply) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const result = await verify(deps, request, body);
      if (!result.verified) {
        recordRefusal(deps, body, result.error);
        return reply.code(400).send({ error: result.error });
      }
      const { event } = result;
      recordPayment(deps.payments, event);
      await deps.certifiedTenants.recordEvent(event);
      deps.journal.record({
        kind: 'webhook',
        tenant_id: event.external_id,
        doc_url: deps.docs.event(event.type),
        type: event.type,
        webhook_id: event.id,
        verified: true,
        reason: null,
        message: null,
        repeated: wasReceivedBefore(deps.journal, event.id),
        body: body.toString(),
      });
      return reply.code(204).send();
    });
  });
  app.get<{ Querystring: { tenant?: string } }>('/svc-tenant', async (request, reply) => {
    const secret = await deps.signingSecret();
    try {
      const { tenant } = request.query;
      const externalId = verifyTenantQuery(tenant, request.headers, secret, { now: deps.now });
      return deps.certifiedTenants.viewOf(externalId);
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      return reply.code(401).send({ error: { reason: error.reason, message: error.message } });
    }
  });
}

type Verified =
  | { verified: true; event: WebhookEvent }
  | { verified: false; error: { reason: string; message: string } };

async function verify(deps: WebhookDeps, request: FastifyRequest, body: Buffer): Promise<Verified> {
  const secret = await deps.signingSecret();
  try {
    const event = verifyWebhook(body, request.headers, secret, { now: deps.now });
    return { verified: true, event };
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return { verified: false, error: { reason: error.reason, message: error.message } };
  }
}

/** Records a rejected request for every tenant, because its tenant cannot be trusted. */
function recordRefusal(
  deps: WebhookDeps,
  body: Buffer,
  error: { reason: string; message: string },
) {
  deps.journal.record({
    kind: 'webhook',
    tenant_id: null,
    doc_url: deps.docs.webhooks(),
    type: null,
    webhook_id: null,
    verified: false,
    ...error,
    repeated: false,
    body: body.toString('utf8', 0, 4096),
  });
}

function wasReceivedBefore(journal: Journal, id: string): boolean {
  return journal.since(0).some((one) => one.kind === 'webhook' && one.webhook_id === id);
}

function recordPayment(payments: PaymentBook, event: WebhookEvent): void {
  const resident = event.external_id === null ? undefined : findResident(event.external_id);
  if (resident) payments.recordEvent(event, resident.property.timeZone);
}
