import { savedView, savedViewsOutput, saveViewInput } from '@svc/contract/operator';
import { z } from 'zod';
import { listViews, removeView, saveView } from '../../../domain/operators/saved-views.ts';
import type { Route } from '../../route.ts';
import { operatorRoute } from '../operator-route.ts';

const own = { who: 'operator', needs: 'read' } as const;
const audit = { none: 'a person’s own bookmark' } as const;

export const viewRoutes: readonly Route[] = [
  operatorRoute({
    ...own,
    method: 'GET',
    path: '/views',
    kind: 'query',
    summary: 'List the views that you saved',
    output: savedViewsOutput,
    verb: async (ctx) => ({ items: await listViews(ctx.tx, ctx.actor) }),
  }),
  operatorRoute({
    ...own,
    method: 'POST',
    path: '/views',
    kind: 'command',
    summary: 'Save a list with its filters',
    body: saveViewInput,
    output: savedView,
    audit,
    verb: (ctx, { body }) => saveView(ctx, body),
  }),
  operatorRoute({
    ...own,
    method: 'POST',
    path: '/views/{id}/remove',
    kind: 'command',
    summary: 'Remove a view that you saved',
    params: z.strictObject({ id: z.string().min(1).max(100) }),
    output: z.null(),
    audit,
    verb: (ctx, { params }) => removeView(ctx, params),
  }),
];
