import { type PortalInfoAnswer, SvcClient, SvcError, signWidget } from '@svc/node';
import { accountOn } from './account/account.ts';
import { type Day, dayAt, dayBefore } from './account/calendar.ts';
import type { PaymentBook } from './account/payment-book.ts';
import { portalInfoFor } from './account/portal-info.ts';
import type { Account, OfficeAnswer, Selected } from './answers.ts';
import type { DocsLinks } from './docs-links.ts';
import type { Journal } from './journal.ts';
import { recordingFetch } from './recording-fetch.ts';
import type { Resident } from './residents.ts';
import type { Scenario } from './scenarios.ts';

interface PortalDeps {
  apiKey: string;
  baseUrl: string;
  pms: string;
  /** This portal's origin, which residents return to. */
  origin: () => string;
  now: () => Date;
  journal: Journal;
  docs: DocsLinks;
  payments: PaymentBook;
}

/** A property portal's backend integration with Svc, using @svc/node. */
export interface Portal {
  /** Reports the resident and prepares the sandbox: the scenario, or else the underwriting result. */
  select(resident: Resident): Promise<Selected>;
  /** Returns the resident's account and the widget's settings. Calls no API. */
  load(resident: Resident): Promise<Selected>;
  /** Sends the current charges and returns a tenant token. Called when the widget is clicked. */
  issueToken(resident: Resident): Promise<string>;
  startOver(resident: Resident): Promise<Selected>;
  /** Advances the tenant's simulated clock by a week, which triggers due payments and their webhooks. */
  weekLater(resident: Resident): Promise<Selected>;
  /** Returns a token for the settlements, or for one tenant, on a page of the back office. */
  office(tenantId: string | undefined): Promise<OfficeAnswer>;
  /** Creates a new link to the console. */
  webhookPortalUrl(): Promise<string>;
}

export function createPortal(deps: PortalDeps): Portal {
  const select = async (resident: Resident): Promise<Selected> => {
    const svc = clientFor(deps, resident);
    const info = await svc.portalInfo(resident.id, infoOf(deps, resident));
    const { eligibility } = info;
    const planIsOpen = eligibility.state === 'has_plan' || eligibility.reason === 'open_plan';
    const hasRunScenario = resident.scenario && info.simulated_time !== null;
    if (planIsOpen || hasRunScenario) await recordEarlierPlan(deps, resident, svc);
    else if (resident.scenario) await runScenario(svc, resident.id, resident.scenario);
    else await simulate(deps, resident, svc, info);
    return load(resident);
  };
  const load = async (resident: Resident): Promise<Selected> => ({
    account: accountOf(deps, resident),
    widget: await widgetOf(deps, resident),
  });
  return {
    select,
    load,
    async issueToken(resident) {
      const svc = clientFor(deps, resident);
      const { token } = await svc.portalInfo(resident.id, infoOf(deps, resident));
      if (token === null) throw new Error('portal_info returned no token');
      return token;
    },
    async startOver(resident) {
      await clientFor(deps, resident).simulation.reset(resident.id);
      deps.payments.removePayments(resident.id);
      return select(resident);
    },
    async weekLater(resident) {
      await clientFor(deps, resident).simulation.advanceClock(resident.id, { by: 'P7D' });
      return load(resident);
    },
    async office(tenantId) {
      const svc = clientFor(deps, null);
      const { pms, baseUrl } = deps;
      const view = tenantId === undefined ? 'settlements' : 'tenant_plan';
      const { token } = await svc.portalToken({
        view,
        ...(tenantId !== undefined && { external_id: tenantId }),
        person: 'Maple’s back office',
      });
      return { pms, base_url: baseUrl, token };
    },
    async webhookPortalUrl() {
      const { url } = await clientFor(deps, null).webhookPortalUrl();
      return url;
    },
  };
}

/** Runs a scenario. A tenant past this point stays where it is until the visitor starts over. */
async function runScenario(svc: SvcClient, id: string, scenario: Scenario) {
  try {
    await svc.simulation.scenario(id, { scenario });
  } catch (error) {
    if (!(error instanceof SvcError) || error.code !== 'scenario_not_reachable') throw error;
  }
}

/**
 * Simulates the resident's underwriting result on the due date. A clock that was already advanced past
 * that date is kept, unless the cycle closed without a payment (real time also advances it).
 */
async function simulate(
  deps: PortalDeps,
  resident: Resident,
  svc: SvcClient,
  { eligibility, simulated_time }: Pick<PortalInfoAnswer, 'eligibility' | 'simulated_time'>,
) {
  const { id, underwriting, property } = resident;
  const { due_date } = accountOf(deps, resident);
  const missed = eligibility.state === 'cycle_closed' && deps.payments.paymentsOf(id).length === 0;
  const reached =
    simulated_time !== null && dayAt(new Date(simulated_time), property.timeZone) >= due_date;
  if (reached && !missed) {
    const { underwriting_result } = await svc.simulation.get(id);
    if (underwriting_result === underwriting) return;
  }
  await svc.simulation.setUnderwritingResult(id, {
    underwriting_result: underwriting,
    rent_cycle_date: due_date,
  });
}

/** Records the payment of a plan that was created before this process started. */
async function recordEarlierPlan(deps: PortalDeps, resident: Resident, svc: SvcClient) {
  if (deps.payments.paymentsOf(resident.id).length > 0) return;
  const { plan } = await svc.tenants.get(resident.id);
  if (!plan?.settlement_id) return;
  const settlement = await svc.settlements.get(plan.settlement_id);
  deps.payments.recordSettlement(settlement, resident.property.timeZone);
}

function clientFor({ apiKey, baseUrl, journal, docs }: PortalDeps, resident: Resident | null) {
  const basePath = new URL(baseUrl).pathname;
  const tenantId = resident?.id ?? null;
  const fetch = recordingFetch({ journal, docs, basePath, tenantId });
  return new SvcClient({ apiKey, baseUrl, fetch, timeoutMs: 30_000 });
}

function todayFor(deps: PortalDeps, resident: Resident): Day {
  return dayAt(deps.now(), resident.property.timeZone);
}

function accountOf(deps: PortalDeps, resident: Resident): Account {
  const payments = deps.payments.paymentsOf(resident.id);
  const today = todayFor(deps, resident);
  return accountOn(today, residentOn(today, resident), payments);
}

function infoOf(deps: PortalDeps, resident: Resident) {
  const payments = deps.payments.paymentsOf(resident.id);
  const today = todayFor(deps, resident);
  return portalInfoFor(today, residentOn(today, resident), payments, `${deps.origin()}/`);
}

/** In the moved-out scenario, the lease ended yesterday. */
function residentOn(today: Day, resident: Resident): Resident {
  if (resident.scenario !== 'moved_out') return resident;
  return { ...resident, lease: { ...resident.lease, endsOn: dayBefore(today) } };
}

async function widgetOf({ apiKey, baseUrl, pms }: PortalDeps, resident: Resident) {
  const { id, variant, preload } = resident;
  const signature = await signWidget({ apiKey, pms, externalId: id });
  return { pms, external_id: id, signature, product_variant: variant, base_url: baseUrl, preload };
}
