import type { Route } from '../route.ts';
import { queueRoutes } from './routes/queues.ts';
import { sessionRoutes } from './routes/session.ts';
import { tenantRoutes } from './routes/tenants.ts';

/** Every route of the operator's API below `/operator/v1`. */
export const operatorRoutes: readonly Route[] = [...sessionRoutes, ...tenantRoutes, ...queueRoutes];
