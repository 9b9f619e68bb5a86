import type {
  ControlsOutput,
  OperatorPartnerEndpoint,
  OperatorPartnerKey,
  OperatorPartnerOutput,
  OperatorPartnersOutput,
  SecretsOutput,
} from '@svc/contract/operator';
import { queryOptions } from '@tanstack/react-query';
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

export function partnerQuery(pms: string) {
  return queryOptions({
    queryKey: ['partners', 'page', pms],
    queryFn: ({ signal }) => call('GET', '/partners/{pms}', { params: { pms }, signal }),
  });
}

/** @param pms a partner, for its pauses only */
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
