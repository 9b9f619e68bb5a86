import {
  csvOutput,
  searchInput,
  searchOutput,
  tenantOfPartner,
  tenantPageOutput,
  timelineCsvQuery,
  timelineOutput,
  timelineQuery,
  unmaskInput,
  unmaskOutput,
  viewTenantOutput,
} from '@svc/contract/operator';
import { search } from '../../../domain/back-office/search.ts';
import { readTenantPage } from '../../../domain/back-office/tenant-page.ts';
import { readTimeline, timelineAsCsv } from '../../../domain/back-office/timeline.ts';
import { unmaskTenant } from '../../../domain/back-office/unmask-tenant.ts';
import { viewTenant } from '../../../domain/back-office/view-tenant.ts';
import type { Route } from '../../route.ts';
import { operatorRoute } from '../operator-route.ts';

export const tenantRoutes: readonly Route[] = [
  operatorRoute({
    method: 'POST',
    path: '/search',
    who: 'operator',
    needs: 'read',
    kind: 'query',
    summary: 'Find a tenant, or what has an id or a number',
    body: searchInput,
    output: searchOutput,
    verb: (ctx, { body }) => search(ctx, body),
  }),
  operatorRoute({
    method: 'GET',
    path: '/tenants/{partner}/{external_id}',
    who: 'operator',
    needs: 'read',
    kind: 'query',
    summary: 'Read a tenant, and what happens next',
    params: tenantOfPartner,
    output: tenantPageOutput,
    verb: (ctx, { params }) => readTenantPage(ctx, params),
  }),
  operatorRoute({
    method: 'GET',
    path: '/tenants/{partner}/{external_id}/timeline',
    who: 'operator',
    needs: 'read',
    kind: 'query',
    summary: 'List what happened to a tenant',
    params: tenantOfPartner,
    query: timelineQuery,
    output: timelineOutput,
    async verb(ctx, { params, query }) {
      await ctx.writeRequestLog();
      return readTimeline(ctx, { ...params, ...query });
    },
  }),
  operatorRoute({
    method: 'GET',
    path: '/tenants/{partner}/{external_id}/timeline.csv',
    who: 'operator',
    needs: 'read',
    kind: 'query',
    summary: 'List what happened to a tenant, as CSV',
    params: tenantOfPartner,
    query: timelineCsvQuery,
    output: csvOutput,
    csv: () => 'timeline.csv',
    async verb(ctx, { params, query }) {
      await ctx.writeRequestLog();
      return timelineAsCsv(ctx, { ...params, ...query });
    },
  }),
  operatorRoute({
    method: 'POST',
    path: '/tenants/{partner}/{external_id}/unmask',
    who: 'operator',
    needs: 'unmask',
    kind: 'command',
    summary: 'See a tenant’s personal data for 15 minutes',
    params: tenantOfPartner,
    body: unmaskInput,
    output: unmaskOutput,
    audit: 'in_verb',
    verb: (ctx, { params, body }) => unmaskTenant(ctx, { ...params, ...body }),
  }),
  operatorRoute({
    method: 'POST',
    path: '/tenants/{partner}/{external_id}/view',
    who: 'operator',
    needs: 'read',
    kind: 'command',
    summary: 'Open the experience as the tenant sees it, for 10 minutes, without changing anything',
    params: tenantOfPartner,
    output: viewTenantOutput,
    audit: 'in_verb',
    verb: (ctx, { params }) => viewTenant(ctx, params),
  }),
];
