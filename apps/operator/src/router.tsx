import { pickStrings, readSearch, writeSearch } from '@svc/ui/console/filters/search-params.ts';
import { NotFound, PageError } from '@svc/ui/console/shell/error-pages.tsx';
import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router';
import { commandsQuery } from './api/commands.ts';
import { healthQuery } from './api/health.ts';
import { queueList, queuesQuery } from './api/queues.ts';
import { factorsQuery, sessionsQuery } from './api/sign-in.ts';
import { tenantQuery, timelineList } from './api/tenants.ts';
import { OperatorShell } from './app/operator-shell.tsx';

/** The routes of the console. Filters are stored in the address, personal data never. */
export function createOperatorRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    basepath: '/operator',
    context: { queryClient },
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    defaultErrorComponent: PageError,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: true,
    parseSearch: readSearch,
    stringifySearch: writeSearch,
  });
}

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  // Before the first page is shown, so that its buttons do not move anything when they appear.
  loader: ({ context }) => context.queryClient.prefetchQuery(commandsQuery),
  component: OperatorShell,
});

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  loader: ({ context }) => {
    void context.queryClient.prefetchQuery(queuesQuery);
    void context.queryClient.prefetchQuery(healthQuery);
  },
  component: lazyRouteComponent(() => import('./home/home-page.tsx'), 'HomePage'),
});

const tenant = createRoute({
  getParentRoute: () => root,
  path: '/tenants/$partner/$externalId',
  validateSearch: (search) => pickStrings(search, 'kinds', 'about'),
  loaderDeps: ({ search: { kinds } }) => ({ kinds }),
  loader: ({ context, params, deps }) => {
    void context.queryClient.prefetchQuery(tenantQuery(params));
    void context.queryClient.prefetchInfiniteQuery(timelineList(params, deps.kinds));
  },
  component: lazyRouteComponent(() => import('./tenants/tenant-page.tsx'), 'TenantPage'),
});

const queues = createRoute({
  getParentRoute: () => root,
  path: '/queues',
  loader: ({ context }) => void context.queryClient.prefetchQuery(queuesQuery),
  component: lazyRouteComponent(() => import('./queues/queues-page.tsx'), 'QueuesPage'),
});

const queue = createRoute({
  getParentRoute: () => root,
  path: '/queues/$queue',
  validateSearch: (search) => pickStrings(search, 'snoozed'),
  loaderDeps: ({ search: { snoozed } }) => ({ snoozed }),
  loader: ({ context, params, deps }) =>
    void context.queryClient.prefetchInfiniteQuery(queueList(params.queue, deps.snoozed)),
  component: lazyRouteComponent(() => import('./queues/queue-page.tsx'), 'QueuePage'),
});

const health = createRoute({
  getParentRoute: () => root,
  path: '/health',
  loader: ({ context }) => void context.queryClient.prefetchQuery(healthQuery),
  component: lazyRouteComponent(() => import('./health/health-page.tsx'), 'HealthPage'),
});

const account = createRoute({
  getParentRoute: () => root,
  path: '/account',
  loader: ({ context }) => {
    void context.queryClient.prefetchQuery(factorsQuery);
    void context.queryClient.prefetchQuery(sessionsQuery);
  },
  component: lazyRouteComponent(() => import('./account/account-page.tsx'), 'AccountPage'),
});

const actions = createRoute({
  getParentRoute: () => root,
  path: '/actions',
  loader: ({ context }) => void context.queryClient.prefetchQuery(commandsQuery),
  component: lazyRouteComponent(() => import('./commands/actions-page.tsx'), 'ActionsPage'),
});

const routeTree = root.addChildren([home, tenant, queues, queue, actions, health, account]);

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createOperatorRouter>;
  }
}
