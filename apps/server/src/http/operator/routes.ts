import type { Route } from '../route.ts';
import { openApiRoute } from './openapi.ts';
import { bankFileRoutes } from './routes/bank-files.ts';
import { booksRoutes } from './routes/books.ts';
import { commandRoutes } from './routes/commands.ts';
import { factorRoutes } from './routes/factors.ts';
import { healthRoutes } from './routes/health.ts';
import { oidcRoutes } from './routes/oidc.ts';
import { partnerRoutes } from './routes/partners.ts';
import { queueRoutes } from './routes/queues.ts';
import { reportRoutes } from './routes/reports.ts';
import { sessionRoutes } from './routes/session.ts';
import { signInRoutes } from './routes/sign-in.ts';
import { tenantRoutes } from './routes/tenants.ts';
import { viewRoutes } from './routes/views.ts';

const described: readonly Route[] = [
  ...signInRoutes,
  ...oidcRoutes,
  ...sessionRoutes,
  ...factorRoutes,
  ...tenantRoutes,
  ...queueRoutes,
  ...partnerRoutes,
  ...commandRoutes,
  ...healthRoutes,
  ...booksRoutes,
  ...bankFileRoutes,
  ...reportRoutes,
  ...viewRoutes,
];

/** Every route of the operator's API below `/operator/v1`. */
export const operatorRoutes: readonly Route[] = [...described, openApiRoute(described)];
