import type { CreateEndpointInput, UpdateEndpointInput } from '@svc/contract';
import type { PartnerActor } from '../../domain/access/actor.ts';
import { createPortalLink } from '../../domain/access/portal-links.ts';
import { recordAudit } from '../../domain/audit/record.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { SvixEndpoints } from '../../relay/svix/svix-endpoints.ts';
import { givenFields } from '../input/given-fields.ts';
import { paginate } from '../input/paginate.ts';
import type { Route, RouteCtx } from '../route.ts';

/**
 * The routes of a service that hands its webhooks to Svix. Those about endpoints call the Svix server,
 * outside any transaction. Those about our engine's deliveries refuse. All others stay as they are.
 */
export function routesThroughSvix(routes: readonly Route[], endpoints: SvixEndpoints): Route[] {
  const through = throughSvix(endpoints);
  return routes.map((row) => {
    const name = `${row.method} ${row.path}`;
    if (engineOnly.has(name)) return refuseRoute(row);
    const change = through[name];
    return change ? { ...row, ...change(row) } : row;
  });
}

/** Deliveries, attempts, replays and test sends of our engine. */
export const engineOnly: ReadonlySet<string> = new Set([
  'GET /webhooks/endpoints/health',
  'POST /webhooks/endpoints/{id}/public_key/rotate',
  'GET /webhooks/public_keys/{partner}/{endpoint}',
  'POST /webhooks/endpoints/{id}/test',
  'GET /webhooks/messages/{id}/attempts',
  'GET /webhooks/attempts',
  'POST /webhooks/messages/{id}/replay',
  'GET /webhooks/deliveries',
  'GET /webhooks/deliveries/export.csv',
  'GET /webhooks/deliveries/export.json',
  'POST /webhooks/replays',
  'GET /webhooks/replays',
  'GET /webhooks/replays/{id}',
  'POST /webhooks/replays/{id}/pause',
  'POST /webhooks/replays/{id}/resume',
  'POST /webhooks/replays/{id}/cancel',
  'GET /webhooks/activity',
]);

function refuseRoute(row: Route): Route {
  return {
    ...row,
    kind: 'query',
    audit: undefined,
    before: undefined,
    verb: async () => {
      throw new Refusal('delivered_by_svix', {
        message: `${row.docs?.id ?? row.summary} is not available: this service hands its webhooks to Svix. Use the portal or the API of Svix.`,
      });
    },
  };
}

type PartnerCtx = RouteCtx<PartnerActor>;
interface AnyOf {
  readonly params: { readonly id: string };
  readonly query: { readonly limit: number; readonly cursor?: string };
  readonly body: Record<string, unknown>;
}

/** The changes of each route. The input was parsed with the schemas of the row. */
function throughSvix(endpoints: SvixEndpoints): Record<string, (row: Route) => Partial<Route>> {
  const verbOf = (run: (ctx: PartnerCtx, input: AnyOf) => Promise<unknown>): Route['verb'] =>
    ((ctx: PartnerCtx, input: AnyOf) => run(ctx, input)) as Route['verb'];
  /** Reads the endpoint before the change, for the audit entry. */
  const auditing = (row: Route, prior: (ctx: PartnerCtx, input: AnyOf) => Promise<unknown>) =>
    typeof row.audit === 'object' && 'entry' in row.audit
      ? { audit: { ...row.audit, prior: prior as never } }
      : {};
  const current = (ctx: PartnerCtx, { params }: AnyOf) => endpoints.get(ctx.actor, params.id);
  const currentId = async (ctx: PartnerCtx, input: AnyOf) => (await current(ctx, input)).id;
  return {
    'GET /webhooks/endpoints': () => ({
      kind: 'action',
      verb: verbOf(async (ctx, { query }) => paginate(await endpoints.list(ctx.actor), query)),
    }),
    'GET /webhooks/endpoints/{id}': () => ({
      kind: 'action',
      verb: verbOf((ctx, { params }) => endpoints.get(ctx.actor, params.id)),
    }),
    'POST /webhooks/endpoints': () => ({
      kind: 'action',
      verb: verbOf((ctx, { body }) =>
        endpoints.create(ctx.actor, givenFields(body) as CreateEndpointInput),
      ),
    }),
    'PATCH /webhooks/endpoints/{id}': (row) => ({
      kind: 'action',
      ...auditing(row, current),
      verb: verbOf((ctx, { params, body }) =>
        endpoints.update(ctx.actor, params.id, givenFields(body) as UpdateEndpointInput),
      ),
    }),
    'DELETE /webhooks/endpoints/{id}': (row) => ({
      kind: 'action',
      ...auditing(row, current),
      verb: verbOf(async (ctx, { params }) => {
        await endpoints.delete(ctx.actor, params.id);
        return null;
      }),
    }),
    'GET /webhooks/endpoints/{id}/secret': (row) => ({
      kind: 'action',
      ...auditing(row, currentId),
      verb: verbOf(async (ctx, { params }) => ({
        secret: await endpoints.secret(ctx.actor, params.id),
        previous: [],
      })),
    }),
    'POST /webhooks/endpoints/{id}/secret/rotate': (row) => ({
      kind: 'action',
      ...auditing(row, currentId),
      verb: verbOf(async (ctx, { params, body }) => ({
        secret: await endpoints.rotateSecret(ctx.actor, params.id, Number(body.overlap_seconds)),
        previous: [],
      })),
    }),
    'GET /partner/webhook_portal_url': () => ({
      kind: 'steps',
      verb: verbOf(async (ctx, { query }) => {
        const { scope, read_only, person } = query as PortalQuery;
        const input = { scope: scope ?? ('webhooks' as const), read_only: read_only ?? false };
        const named = person === undefined ? {} : { person };
        if (input.scope === 'admin') {
          return ctx.steps.step((step) => createPortalLink(step, { ...input, ...named }));
        }
        const url = await endpoints.portalUrl(ctx.actor, { readOnly: input.read_only });
        await ctx.steps.step((step) =>
          recordAudit(step, ctx.actor, {
            action: 'portal.link_created',
            details: { ...input, ...named },
          }),
        );
        return { url };
      }),
    }),
  };
}

interface PortalQuery {
  readonly scope?: 'webhooks' | 'admin';
  readonly read_only?: boolean;
  readonly person?: string;
}
