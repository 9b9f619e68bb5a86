import type {
  ControlsOutput,
  OperatorPartnerEndpoint,
  OperatorPartnerKey,
  OperatorPartnerOutput,
  OperatorPartnersOutput,
  SecretsOutput,
} from '@svc/contract/operator';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from './call.ts';

export type {
  ControlsOutput as Controls,
  OperatorPartnerEndpoint as PartnerEndpoint,
  OperatorPartnerKey as PartnerKey,
  OperatorPartnerOutput as Partner,
  SecretsOutput as Secrets,
};
export type ListedPartner = OperatorPartnersOutput['items'][number];

export const everyPartner = { queryKey: ['partners'] };

export const partnersQuery = queryOptions({
  queryKey: ['partners', 'list'],
  queryFn: async ({ signal }) => (await call('GET', '/partners', { signal })).items,
});

/** Returns the names of the portals that the person may see; none until they are loaded. */
export function usePortalNames(): readonly string[] {
  return useQuery(partnersQuery).data?.map(({ pms }) => pms) ?? [];
}

export function partnerQuery(pms: string) {
  return queryOptions({
    queryKey: ['partners', 'page', pms],
    queryFn: ({ signal }) => call('GET', '/partners/{pms}', { params: { pms }, signal }),
  });
}

/** @param pms the partner whose pauses are returned; all partners' if undefined */
export function controlsQuery(pms?: string) {
  return queryOptions({
    queryKey: ['controls', pms ?? 'all'],
    queryFn: ({ signal }) => call('GET', '/controls', { query: { pms }, signal }),
  });
}

export const secretsQuery = queryOptions({
  queryKey: ['secrets'],
  queryFn: ({ signal }) => call('GET', '/secrets', { signal }),
});
