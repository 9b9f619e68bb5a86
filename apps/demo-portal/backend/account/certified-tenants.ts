import type { SvcClient, TenantView, WebhookEvent } from '@svc/node';

/**
 * The portal's record of the tenants that `svc certify` creates. Only their settlements are debited at once: those
 * of residents wait for the back office, and those of other tenants for the person who tries the API.
 */
export interface CertifiedTenants {
  /**
   * Records a verified event, and debits the settlement that it is about. Repeated and older events change nothing.
   * @throws SvcError if Svc did not accept the report, so that the webhook is retried
   */
  recordEvent(event: WebhookEvent): Promise<void>;
  /** Returns the response to a tenant query. */
  viewOf(externalId: string): TenantView;
}

interface Plan {
  id: string;
  version: number;
  state: string;
}

interface Settlement {
  planId: string;
  version: number;
  status: string;
  debitedInCents: number;
  sentBackInCents: number;
}

interface Tenant {
  plan: Plan | null;
  settlements: Map<string, Settlement>;
}

export function createCertifiedTenants(svc: Pick<SvcClient, 'settlements'>): CertifiedTenants {
  const tenants = new Map<string, Tenant>();

  function tenantOf(externalId: string): Tenant {
    const tenant = tenants.get(externalId) ?? { plan: null, settlements: new Map() };
    tenants.set(externalId, tenant);
    return tenant;
  }

  return {
    async recordEvent(event) {
      const { external_id: externalId } = event;
      if (event.test || event.custom || !isCertified(externalId)) return;
      const tenant = tenantOf(externalId);
      recordPlan(tenant, event);
      recordSettlement(tenant, event);
      if (event.type === 'settlement.created') await debit(svc, tenant, event.data);
      if (event.type === 'plan.updated' && event.data.change === 'refunded') {
        await readRefunds(svc, tenant, event.data.plan_id);
      }
    },
    viewOf(externalId) {
      const tenant = tenants.get(externalId);
      if (!tenant) return isCertified(externalId) ? { plan: null, settlements: [] } : {};
      const { plan, settlements } = tenant;
      return {
        plan: plan && { id: plan.id, state: plan.state },
        settlements: [...settlements].map(([id, it]) => ({
          id,
          status: it.status,
          debited_in_cents: it.debitedInCents,
          sent_back_in_cents: it.sentBackInCents,
        })),
      };
    },
  };
}

/** Returns whether `svc certify` created the tenant. Nothing is recorded about other tenants. */
function isCertified(externalId: string | null): externalId is string {
  return externalId?.startsWith('certify-') ?? false;
}

const planStates: Partial<Record<WebhookEvent['type'], string>> = {
  'plan.created': 'created',
  'plan.activated': 'active',
  'plan.past_due': 'past_due',
  'plan.completed': 'completed',
  'plan.canceled': 'canceled',
};
const changedStates: Readonly<Record<string, string>> = {
  charged_off: 'charged_off',
  reopened: 'active',
  recovered: 'active',
};

function recordPlan(tenant: Tenant, event: WebhookEvent): void {
  if (!('amount_financed_in_cents' in event.data)) return;
  const { plan_id: id, object_version: version } = event.data;
  const known = tenant.plan?.id === id ? tenant.plan : null;
  if (known && version <= known.version) return;
  const changed = event.type === 'plan.updated' ? changedStates[event.data.change] : undefined;
  const state = changed ?? planStates[event.type] ?? known?.state ?? 'created';
  tenant.plan = { id, version, state };
}

type SettlementData = Extract<WebhookEvent, { type: 'settlement.created' }>['data'];

function settlementOf({ settlements }: Tenant, data: SettlementData): Settlement {
  const settlement = settlements.get(data.settlement_id) ?? {
    planId: data.plan_id,
    version: 0,
    status: 'unsettled',
    debitedInCents: 0,
    sentBackInCents: 0,
  };
  settlements.set(data.settlement_id, settlement);
  return settlement;
}

function recordSettlement(tenant: Tenant, event: WebhookEvent): void {
  if (event.type !== 'settlement.updated') return;
  const settlement = settlementOf(tenant, event.data);
  if (event.data.object_version <= settlement.version) return;
  settlement.version = event.data.object_version;
  settlement.status = event.data.new_status;
  // The bank has taken the money back.
  if (settlement.status === 'returned') settlement.debitedInCents = 0;
}

/** Debits a settlement. Its id is the debit's key, so a repeated webhook moves no money. */
async function debit(
  svc: Pick<SvcClient, 'settlements'>,
  tenant: Tenant,
  data: SettlementData,
): Promise<void> {
  const settlement = settlementOf(tenant, data);
  if (settlement.version === 0) settlement.debitedInCents = data.amount_in_cents;
  await svc.settlements.update(data.settlement_id, {
    status: 'verified',
    processor_transaction_id: `maple_${data.settlement_id}`,
  });
}

/** Reads the refunds, because the landlord may also send money back in the console. */
async function readRefunds(
  svc: Pick<SvcClient, 'settlements'>,
  { settlements }: Tenant,
  planId: string,
): Promise<void> {
  for (const [id, settlement] of settlements) {
    if (settlement.planId !== planId) continue;
    const refunds = await svc.settlements.listRefunds(id).toArray({ limit: 100 });
    settlement.sentBackInCents = refunds.reduce((sum, it) => sum + it.amount_in_cents, 0);
  }
}
