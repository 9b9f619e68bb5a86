import type {
  ApiInput,
  ListedTenantOutput,
  PlanOutput,
  ScenarioInput,
  ScenarioOutput,
  SimulationOutput,
  TenantOutput,
} from '@svc/contract';
import type { FiltersOf } from '@svc/ui/console/api/api-list.ts';
import { queryOptions } from '@tanstack/react-query';
import { apiList, call } from './call.ts';

export type {
  ListedTenantOutput as ListedTenant,
  PlanOutput as Plan,
  ScenarioInput,
  ScenarioOutput,
  SimulationOutput as Simulation,
  TenantOutput as Tenant,
};

export type UnderwritingInput = ApiInput<
  'POST',
  '/simulation/{external_id}/set_underwriting_result'
>['body'];

export const tenantList = apiList({
  key: ['tenants', 'list'],
  path: '/partner/tenants',
  filterNames: ['search'],
});
export type TenantFilters = FiltersOf<typeof tenantList>;

export function tenantQuery(externalId: string) {
  return queryOptions({
    queryKey: ['tenants', 'one', externalId],
    queryFn: ({ signal }) =>
      call('GET', '/tenants/{external_id}', { params: { external_id: externalId }, signal }),
  });
}

/** The tenant's clock and fixed results. Exists in the sandbox only. */
export function simulationQuery(externalId: string) {
  return queryOptions({
    queryKey: ['tenants', 'simulation', externalId],
    queryFn: ({ signal }) =>
      call('GET', '/simulation/{external_id}', { params: { external_id: externalId }, signal }),
  });
}

export function advanceClock(
  externalId: string,
  input: { by: string } | { to: string },
): Promise<SimulationOutput> {
  return call('POST', '/simulation/{external_id}/advance_clock', {
    params: { external_id: externalId },
    body: input,
  });
}

export function setUnderwritingResult(
  externalId: string,
  input: UnderwritingInput,
): Promise<SimulationOutput> {
  return call('POST', '/simulation/{external_id}/set_underwriting_result', {
    params: { external_id: externalId },
    body: input,
  });
}

export function resetTenant(externalId: string): Promise<SimulationOutput> {
  return call('POST', '/simulation/{external_id}/reset', { params: { external_id: externalId } });
}

export function runScenario(externalId: string, input: ScenarioInput): Promise<ScenarioOutput> {
  return call('POST', '/simulation/{external_id}/scenario', {
    params: { external_id: externalId },
    body: input,
  });
}
