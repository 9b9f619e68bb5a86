import type {
  ApiInput,
  ForkOutput,
  SimulationOutput,
  TenantEvent,
  TenantHistoryOutput,
} from '@svc/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';

export type { TenantEvent, TenantHistoryOutput as TenantHistory };
export type ForkInput = ApiInput<'POST', '/simulation/{external_id}/fork'>['body'];

/** Everything that happened to a sandbox tenant. */
export function historyQuery(externalId: string) {
  return queryOptions({
    queryKey: ['tenants', 'history', externalId],
    queryFn: ({ signal }) =>
      call('GET', '/simulation/{external_id}/history', {
        params: { external_id: externalId },
        signal,
      }),
  });
}

/** Opens a view, for a frame, of what the tenant sees. `moment` identifies the tenant's state in the cache key. */
export function viewQuery(externalId: string, moment: string) {
  return queryOptions({
    queryKey: ['tenants', 'view', externalId, moment],
    queryFn: ({ signal }) =>
      call('POST', '/simulation/{external_id}/view', {
        params: { external_id: externalId },
        signal,
      }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/** The ids of a tenant's newest copies. They are found by their prefix, which is the tenant's id and a tilde. */
export function copiesQuery(externalId: string) {
  return queryOptions({
    queryKey: ['tenants', 'copies', externalId],
    queryFn: async ({ signal }) => {
      const search = `${externalId}~`;
      const { items } = await call('GET', '/partner/tenants', {
        query: { search, limit: 20 },
        signal,
      });
      return items.map(({ external_id }) => external_id);
    },
  });
}

export function forkTenant(externalId: string, input: ForkInput): Promise<ForkOutput> {
  return call('POST', '/simulation/{external_id}/fork', {
    params: { external_id: externalId },
    body: input,
  });
}

export function failNextPayment(
  externalId: string,
  body: ApiInput<'POST', '/simulation/{external_id}/fail_next_payment'>['body'],
): Promise<SimulationOutput> {
  return call('POST', '/simulation/{external_id}/fail_next_payment', {
    params: { external_id: externalId },
    body,
  });
}
