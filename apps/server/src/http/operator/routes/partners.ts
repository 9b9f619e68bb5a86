import {
  controlsOutput,
  controlsQuery,
  csvOutput,
  operatorPartnerOfPath,
  operatorPartnerOutput,
  operatorPartnersOutput,
  operatorTermsOutput,
  operatorTermsVersionOutput,
  secretsOutput,
  termsVersionOfPath,
} from '@svc/contract/operator';
import { asCsv } from '../../../domain/back-office/money-reports.ts';
import {
  readControls,
  readPartnerPage,
  readPartners,
} from '../../../domain/back-office/partner-page.ts';
import { readSecrets } from '../../../domain/back-office/secrets.ts';
import { readTerms, readTermsVersion } from '../../../domain/back-office/terms.ts';
import type { Route } from '../../route.ts';
import { operatorRoute } from '../operator-route.ts';

const read = { method: 'GET', who: 'operator', needs: 'read', kind: 'query' } as const;

export const partnerRoutes: readonly Route[] = [
  operatorRoute({
    ...read,
    path: '/partners',
    summary: 'List the partners',
    output: operatorPartnersOutput,
    verb: (ctx) => readPartners(ctx),
  }),
  operatorRoute({
    ...read,
    path: '/partners.csv',
    summary: 'List the partners, as CSV',
    output: csvOutput,
    csv: () => 'partners.csv',
    verb: async (ctx) => asCsv((await readPartners(ctx)).items),
  }),
  operatorRoute({
    ...read,
    path: '/partners/{pms}',
    summary: 'Read a partner: keys, endpoints, origins and brand',
    params: operatorPartnerOfPath,
    output: operatorPartnerOutput,
    verb: (ctx, { params }) => readPartnerPage(ctx, params),
  }),
  operatorRoute({
    ...read,
    path: '/controls',
    summary: 'Say whether money moves, and what is paused',
    query: controlsQuery,
    output: controlsOutput,
    verb: (ctx, { query }) => readControls(ctx, query),
  }),
  operatorRoute({
    ...read,
    path: '/secrets',
    summary: 'List the ages of keys and secrets',
    output: secretsOutput,
    verb: (ctx) => readSecrets(ctx),
  }),
  operatorRoute({
    ...read,
    path: '/terms',
    summary: 'List the versions of the terms',
    output: operatorTermsOutput,
    verb: (ctx) => readTerms(ctx),
  }),
  operatorRoute({
    ...read,
    path: '/terms/{version}',
    summary: 'Read one version of the terms, and what it changes',
    params: termsVersionOfPath,
    output: operatorTermsVersionOutput,
    verb: (ctx, { params }) => readTermsVersion(ctx, params),
  }),
];
