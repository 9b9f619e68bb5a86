import type { ApiRoutes } from '@svc/contract';
import { listsOf } from '@svc/ui/console/api/api-list.ts';
import { createClient } from '@svc/ui/console/api/client.ts';

const client = createClient<ApiRoutes>('/v1');
export const { call, callAll } = client;

/** Declares a list of the API that a page shows. */
export const apiList = listsOf(client);
