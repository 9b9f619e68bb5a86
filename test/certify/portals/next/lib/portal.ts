import { createHash } from 'node:crypto';
import {
  SvcClient,
  type TenantView,
  verifyTenantQuery,
  type WebhookEventOf,
  WebhookVerificationError,
  webhookHandler,
} from '@svc/node';

// What examples/next lacks to integrate Svc correctly: its receiver stores plans and settlements, and debits.

type PlanEvent = WebhookEventOf<
  | 'plan.created'
  | 'plan.activated'
  | 'plan.updated'
  | 'plan.completed'
  | 'plan.canceled'
  | 'plan.past_due'
>;
type SettlementEvent = WebhookEventOf<
  'settlement.created' | 'settlement.updated' | 'settlement.failed'
>;

interface Settlement {
  readonly externalId: string | null;
  readonly planId: string;
  status: string;
  version: number;
  readonly debits: Map<string, number>;
  sentBack: number;
}

interface Stored {
  readonly handled: Map<string, Promise<void>>;
  readonly plans: Map<string, { externalId: string | null; version: number; state: string }>;
  readonly settlements: Map<string, Settlement>;
}

// A portal has a database. Each route has its own copy of this module, so what they share is global.
const shared = globalThis as typeof globalThis & { stored?: Stored };
shared.stored ??= { handled: new Map(), plans: new Map(), settlements: new Map() };
const { handled, plans, settlements } = shared.stored;

// Read with each request, because a build has no settings.
const secret = () => process.env.SVC_WEBHOOK_SECRET ?? '';
const client = () =>
  new SvcClient({
    apiKey: process.env.SVC_API_KEY ?? '',
    baseUrl: process.env.SVC_BASE_URL ?? '',
  });

const webhooks = webhookHandler(
  {
    'plan.created': storePlan,
    'plan.activated': storePlan,
    'plan.completed': storePlan,
    'plan.canceled': storePlan,
    'plan.past_due': storePlan,
    async 'plan.updated'(event) {
      storePlan(event);
      if (event.data.change === 'refunded') await bookRefunds(event.data.plan_id);
    },
    async 'settlement.created'(event) {
      await debit(event);
      storeSettlement(event);
    },
    'settlement.updated': storeSettlement,
    'settlement.failed': storeSettlement,
  },
  {
    secret,
    store: {
      /** A message may arrive twice, also at the same time. One that failed is handled again. */
      once(id, handle) {
        const handling = handled.get(id) ?? handle(undefined);
        handled.set(id, handling);
        handling.catch(() => handled.delete(id));
        return handling;
      },
    },
  },
);

export const receiveWebhook = webhooks.fetch;

const stateOf: Readonly<Record<string, string>> = {
  'plan.created': 'created',
  'plan.activated': 'active',
  'plan.past_due': 'past_due',
  'plan.completed': 'completed',
  'plan.canceled': 'canceled',
};
const stateAfter: Readonly<Record<string, string>> = {
  charged_off: 'charged_off',
  reopened: 'active',
  recovered: 'active',
};

function storePlan({ type, external_id, data }: PlanEvent): void {
  const known = plans.get(data.plan_id);
  if (known && known.version >= data.object_version) return;
  const changed = 'change' in data ? stateAfter[data.change] : undefined;
  plans.set(data.plan_id, {
    externalId: external_id,
    version: data.object_version,
    state: changed ?? stateOf[type] ?? known?.state ?? 'created',
  });
}

function settlementOf({ external_id, data }: SettlementEvent): Settlement {
  const known = settlements.get(data.settlement_id) ?? {
    externalId: external_id,
    planId: data.plan_id,
    status: 'unsettled',
    version: 0,
    debits: new Map(),
    sentBack: 0,
  };
  settlements.set(data.settlement_id, known);
  return known;
}

/** The bank knows a debit by its key, so a second one with the same key moves no money. */
async function debit(event: WebhookEventOf<'settlement.created'>): Promise<void> {
  const { settlement_id, amount_in_cents } = event.data;
  const key = createHash('sha256').update(settlement_id).digest('hex').slice(0, 20);
  settlementOf(event).debits.set(key, amount_in_cents);
  await client().settlements.update(settlement_id, {
    status: 'verified',
    processor_transaction_id: `tr_${key}`,
  });
}

function storeSettlement(event: SettlementEvent): void {
  const settlement = settlementOf(event);
  const { data } = event;
  if (data.object_version <= settlement.version) return;
  settlement.version = data.object_version;
  if ('new_status' in data) settlement.status = data.new_status;
  // The bank has taken the money back.
  if (settlement.status === 'returned') settlement.debits.clear();
}

/** The landlord may send money back in the console, too, so the refunds are read from Svc. */
async function bookRefunds(planId: string): Promise<void> {
  for (const [id, settlement] of settlements) {
    if (settlement.planId !== planId) continue;
    const refunds = await client().settlements.listRefunds(id).toArray();
    settlement.sentBack = refunds.reduce((sum, { amount_in_cents }) => sum + amount_in_cents, 0);
  }
}

/** Svc asks for our view of a tenant of its certification. */
export async function showTenant(request: Request): Promise<Response> {
  try {
    const asked = new URL(request.url).searchParams.get('tenant');
    return Response.json(viewOf(verifyTenantQuery(asked, request.headers, secret())));
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return new Response(error.message, { status: 401 });
  }
}

function viewOf(externalId: string): TenantView {
  const isTheirs = (entry: { externalId: string | null }) => entry.externalId === externalId;
  const [id, plan] = [...plans].find(([, entry]) => isTheirs(entry)) ?? [];
  return {
    plan: id && plan ? { id, state: plan.state } : null,
    settlements: [...settlements]
      .filter(([, entry]) => isTheirs(entry))
      .map(([id, { status, debits, sentBack }]) => ({
        id,
        status,
        debited_in_cents: [...debits.values()].reduce((sum, amount) => sum + amount, 0),
        sent_back_in_cents: sentBack,
      })),
  };
}
