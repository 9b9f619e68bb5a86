import type {
  ListedTenantOutput,
  PlanOutput,
  ScenarioInput,
  ScenarioOutput,
  SimulationOutput,
  TenantOutput,
  tenantsQuery,
} from '@svc/contract';
import { queryOptions } from '@tanstack/react-query';
import { apiList, type FiltersOf } from './api-list.ts';
import { call } from './client.ts';

export type {
  ListedTenantOutput as ListedTenant,
  PlanOutput as Plan,
  ScenarioInput,
  ScenarioOutput,
  SimulationOutput as Simulation,
  TenantOutput as Tenant,
};

export const tenantList = apiList<typeof tenantsQuery, ListedTenantOutput>({
  key: ['tenants', 'list'],
  path: '/partner/tenants',
  filterNames: ['search'],
});
export type TenantFilters = FiltersOf<typeof tenantList>;

export function tenantQuery(externalId: string) {
  return queryOptions({
    queryKey: ['tenants', 'one', externalId],
    queryFn: ({ signal }) =>
      call<TenantOutput>('GET', `/tenants/${encodeURIComponent(externalId)}`, { signal }),
  });
}

/** The tenant's clock and fixed results. Exists in the sandbox only. */
export function simulationQuery(externalId: string) {
  return queryOptions({
    queryKey: ['tenants', 'simulation', externalId],
    queryFn: ({ signal }) => call<SimulationOutput>('GET', at(externalId), { signal }),
  });
}

export function advanceClock(
  externalId: string,
  input: { by: string } | { to: string },
): Promise<SimulationOutput> {
  return call('POST', `${at(externalId)}/advance_clock`, { body: input });
}

export function setUnderwritingResult(
  externalId: string,
  input: { underwriting_result: string; rent_cycle_date?: string },
): Promise<SimulationOutput> {
  return call('POST', `${at(externalId)}/set_underwriting_result`, { body: input });
}

export function resetTenant(externalId: string): Promise<SimulationOutput> {
  return call('POST', `${at(externalId)}/reset`);
}

export function runScenario(externalId: string, input: ScenarioInput): Promise<ScenarioOutput> {
  return call('POST', `${at(externalId)}/scenario`, { body: input });
}

function at(externalId: string): string {
  return `/simulation/${encodeURIComponent(externalId)}`;
}
