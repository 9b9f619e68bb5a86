import type { Eligibility, PlanOutput, SimulationOutput, TenantOutput } from '@svc/contract';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call, type Page } from './client.ts';

export type { PlanOutput as Plan, SimulationOutput as Simulation, TenantOutput as Tenant };

/** A tenant as `GET /partner/tenants` lists it. */
export interface ListedTenant {
  external_id: string;
  eligibility: Eligibility;
  balance: { state: 'owed' | 'paid'; amount_in_cents: number; due_date: string | null };
  plan: { id: string; state: PlanOutput['state']; rent_cycle_date: string } | null;
  simulated_time: string | null;
  updated_at: string;
}

export function tenantsQuery(search: string | undefined) {
  return infiniteQueryOptions({
    queryKey: ['tenants', 'list', search],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      call<Page<ListedTenant>>('GET', '/partner/tenants', {
        query: { search, limit: 50, cursor: pageParam },
        signal,
      }),
    getNextPageParam: (page) => page.next_cursor,
  });
}

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

export interface ScenarioInput {
  scenario: string;
  installment_count?: number;
  payment_method?: string;
  failure_code?: string;
}

/** The parts of the answer to a scenario that the portal shows. */
export interface ScenarioResult {
  plan: { id: string; state: string } | null;
  settlement: { id: string; status: string } | null;
  events: { id: string; type: string }[];
}

export function runScenario(externalId: string, input: ScenarioInput): Promise<ScenarioResult> {
  return call('POST', `${at(externalId)}/scenario`, { body: input });
}

function at(externalId: string): string {
  return `/simulation/${encodeURIComponent(externalId)}`;
}
