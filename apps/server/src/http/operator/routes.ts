import type { Route } from '../route.ts';
import { sessionRoutes } from './routes/session.ts';

/** Every route of the operator's API below `/operator/v1`. */
export const operatorRoutes: readonly Route[] = [...sessionRoutes];
