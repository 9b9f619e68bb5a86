import { healthOutput } from '@svc/contract/operator';
import { describeHealth } from '../../../domain/back-office/health.ts';
import type { Route } from '../../route.ts';
import { operatorRoute } from '../operator-route.ts';

export const healthRoutes: readonly Route[] = [
  operatorRoute({
    method: 'GET',
    path: '/health',
    who: 'operator',
    needs: 'read',
    kind: 'query',
    summary: 'Say what runs and what does not',
    output: healthOutput,
    verb: async (ctx) =>
      describeHealth(await ctx.measure(), { at: ctx.now, docs: ctx.service.publicOrigin }),
  }),
];
