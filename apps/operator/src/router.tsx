import { readSearch, writeSearch } from '@svc/ui/console/filters/search-params.ts';
import { NotFound, PageError } from '@svc/ui/console/shell/error-pages.tsx';
import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router';
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
  component: OperatorShell,
});

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('./home/home-page.tsx'), 'HomePage'),
});

const routeTree = root.addChildren([home]);

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createOperatorRouter>;
  }
}
