import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TenantView } from '@svc/contract';
import { SvcClient, verifyTenantQuery, verifyWebhook, type WebhookEvent } from '@svc/node';
import type { Running } from '../harness.ts';

/** A request to the receiver, with its raw body. */
export interface Incoming {
  readonly raw: Buffer;
  readonly headers: Record<string, string>;
}

interface Plan {
  id: string;
  state: string;
  version: number;
}

interface BookedSettlement {
  id: string;
  status: string;
  debited_in_cents: number;
  sent_back_in_cents: number;
  debits: number;
  isReported: boolean;
}

/** A portal's stored data about its tenants. */
export interface Books {
  readonly handled: Set<string>;
  readonly plans: Map<string, Plan>;
  readonly settlements: Map<string, BookedSettlement[]>;
}

/** The parts of a portal's backend. A broken one replaces one of them. */
export interface Backend {
  /** Returns the event, or throws. */
  verify(incoming: Incoming, secret: string, now: () => Date): WebhookEvent;
  /** Handles an event that is verified. Returns the status of its response. */
  handle(event: WebhookEvent, portal: Portal): Promise<number>;
  /** The JSON that the tenant query answers. */
  view(externalId: string, books: Books): string;
  /** Writes the whole response itself. Returns false to leave the request to the other parts. */
  respond?(incoming: Incoming, response: ServerResponse, portal: Portal): boolean;
}

export interface Portal {
  readonly books: Books;
  readonly svc: SvcClient;
  readonly backend: Backend;
  readonly received: Incoming[];
  readonly server: Server;
  endpointId: string;
  endpointUrl: string;
  queryUrl: string;
}

/** A backend without a mistake. */
export const correctBackend: Backend = {
  verify: ({ raw, headers }, secret, now) => verifyWebhook(raw, headers, secret, { now }),
  async handle(event, portal) {
    const { handled } = portal.books;
    if (event.test || event.custom) return 204;
    // Claimed before the work, because the same webhook may come twice at once.
    if (handled.has(event.id)) return 204;
    handled.add(event.id);
    try {
      await book(event, portal);
    } catch (error) {
      handled.delete(event.id);
      throw error;
    }
    return 204;
  },
  view(externalId, { plans, settlements }) {
    const plan = plans.get(externalId);
    const view: TenantView = {
      plan: plan ? { id: plan.id, state: plan.state } : null,
      settlements: settlements.get(externalId) ?? [],
      amount_owed_in_cents: 0,
    };
    return JSON.stringify(view);
  },
};

/** Books an event, whether or not it was booked before. */
export async function book(event: WebhookEvent, portal: Portal): Promise<void> {
  bookPlan(event, portal.books);
  const { settlements } = portal.books;
  const { external_id: externalId } = event;
  if (externalId === null) return;
  if (event.type === 'settlement.created') await debit(event, portal);
  if (event.type === 'settlement.updated' || event.type === 'settlement.failed') {
    const found = settlements.get(externalId)?.find(({ id }) => id === event.data.settlement_id);
    if (!found) return;
    if (event.type === 'settlement.updated') found.status = event.data.new_status;
    if (event.type === 'settlement.failed') found.debited_in_cents = 0;
  }
  if (event.type === 'plan.updated' && event.data.change === 'refunded') {
    for (const settlement of settlements.get(externalId) ?? []) {
      const refunds = await portal.svc.settlements
        .listRefunds(settlement.id)
        .toArray({ limit: 100 });
      settlement.sent_back_in_cents = refunds.reduce((sum, it) => sum + it.amount_in_cents, 0);
    }
  }
}

type Created = Extract<WebhookEvent, { type: 'settlement.created' }>;

/** Debits a settlement and reports it. */
export async function debit({ external_id, data }: Created, portal: Portal): Promise<void> {
  const { settlements } = portal.books;
  const { settlement_id: id, amount_in_cents } = data;
  const ofTenant = settlements.get(external_id ?? '') ?? [];
  const settlement = ofTenant.find((it) => it.id === id) ?? {
    id,
    status: 'unverified',
    debited_in_cents: 0,
    sent_back_in_cents: 0,
    debits: 0,
    isReported: false,
  };
  settlements.set(external_id ?? '', [...ofTenant.filter((it) => it !== settlement), settlement]);
  // A retry of a webhook whose report failed makes no second debit.
  if (settlement.debits === 0 || settlement.isReported) {
    settlement.debits += 1;
    settlement.debited_in_cents += amount_in_cents;
  }
  await portal.svc.settlements.update(id, {
    status: 'unverified',
    processor_transaction_id: `ach-${id}-${settlement.debits}`,
  });
  settlement.isReported = true;
}

const stateOf: Partial<Record<WebhookEvent['type'], string>> = {
  'plan.created': 'created',
  'plan.activated': 'active',
  'plan.completed': 'completed',
  'plan.canceled': 'canceled',
  'plan.past_due': 'past_due',
};

const changedStateOf: Record<string, string> = { charged_off: 'charged_off', recovered: 'active' };

/** Keeps the state of the newest version, or with `trustsOrder`, of the webhook that came last. */
export function bookPlan(
  event: WebhookEvent,
  { plans }: Books,
  { trustsOrder = false } = {},
): void {
  if (!event.type.startsWith('plan.') || event.external_id === null) return;
  const {
    plan_id: id,
    object_version: version,
    change,
  } = event.data as unknown as {
    plan_id: string;
    object_version: number;
    change?: string;
  };
  const known = plans.get(event.external_id);
  const state = stateOf[event.type] ?? changedStateOf[change ?? ''] ?? known?.state ?? 'created';
  if (known && known.id === id && version < known.version && !trustsOrder) return;
  plans.set(event.external_id, { id, state, version });
}

/** Opens a portal's backend on loopback, with an endpoint of this partner. */
export async function openPortal(
  svc: Running,
  key: string,
  changes: Partial<Backend> = {},
): Promise<Portal> {
  const now = () => svc.clock.now();
  const backend = { ...correctBackend, ...changes };
  const received: Incoming[] = [];
  let secret = '';
  const server = createServer((request, response) => {
    void respond(request, response);
  });

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = request.headers as Record<string, string>;
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://portal');
    if (pathname === '/tenant') {
      try {
        const tenant = verifyTenantQuery(searchParams.get('tenant'), headers, secret, { now });
        response.setHeader('content-type', 'application/json');
        response.end(backend.view(tenant, portal.books));
      } catch (error) {
        response.writeHead(401).end(String(error));
      }
      return;
    }
    const incoming = { raw: Buffer.concat(chunks), headers };
    received.push(incoming);
    if (backend.respond?.(incoming, response, portal)) return;
    try {
      const event = backend.verify(incoming, secret, now);
      response.writeHead(await backend.handle(event, portal)).end();
    } catch (error) {
      response.writeHead(error instanceof Error && error.name.includes('Verif') ? 401 : 500);
      response.end(String(error));
    }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const portal: Portal = {
    books: { handled: new Set(), plans: new Map(), settlements: new Map() },
    svc: new SvcClient({ apiKey: key, baseUrl: svc.url, maxRetries: 0 }),
    backend,
    received,
    server,
    endpointId: '',
    endpointUrl: `${origin}/webhooks`,
    queryUrl: `${origin}/tenant`,
  };
  const body = { url: portal.endpointUrl };
  const created = await svc.call('POST', '/webhooks/endpoints', { key, body });
  portal.endpointId = created.data.id;
  const path = `/webhooks/endpoints/${portal.endpointId}/secret`;
  secret = (await svc.call('GET', path, { key })).data.secret;
  return portal;
}
