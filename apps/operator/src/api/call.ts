import type { OperatorRoutes } from '@svc/contract/operator';
import { listsOf } from '@svc/ui/console/api/api-list.ts';
import { createClient } from '@svc/ui/console/api/client.ts';

const client = createClient<OperatorRoutes>('/operator/v1');
export const { call, callAll, callPage } = client;

/** Declares a list of the API that a page shows. */
export const apiList = listsOf(client);
