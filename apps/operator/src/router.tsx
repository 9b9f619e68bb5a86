import { pickStrings, readSearch, writeSearch } from '@svc/ui/console/filters/search-params.ts';
import { NotFound, PageError } from '@svc/ui/console/shell/error-pages.tsx';
import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router';
import { bankFilesQuery } from './api/bank-files.ts';
import { commandsQuery } from './api/commands.ts';
import { healthQuery } from './api/health.ts';
import {
  booksDayQuery,
  booksDaysQuery,
  exceptionsQuery,
  payoutsQuery,
  postingsList,
  trialBalanceQuery,
} from './api/money.ts';
import { controlsQuery, partnerQuery, partnersQuery, secretsQuery } from './api/partners.ts';
import { queueList, queuesQuery } from './api/queues.ts';
import { factorsQuery, sessionsQuery } from './api/sign-in.ts';
import { tenantQuery, timelineList } from './api/tenants.ts';
import { termsQuery, termsVersionQuery } from './api/terms.ts';
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
  // Loads before the first page is shown, so that the buttons of commands do not shift the layout by appearing later.
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

const found = createRoute({
  getParentRoute: () => root,
  path: '/find/$id',
  component: lazyRouteComponent(() => import('./find/found-page.tsx'), 'FoundPage'),
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
  validateSearch: (search) => pickStrings(search, 'snoozed', 'owner'),
  loaderDeps: ({ search }) => search,
  loader: ({ context, params, deps }) =>
    void context.queryClient.prefetchInfiniteQuery(queueList(params.queue, deps)),
  component: lazyRouteComponent(() => import('./queues/queue-page.tsx'), 'QueuePage'),
});

const health = createRoute({
  getParentRoute: () => root,
  path: '/health',
  loader: ({ context }) => {
    void context.queryClient.prefetchQuery(healthQuery);
    void context.queryClient.prefetchQuery(controlsQuery());
  },
  component: lazyRouteComponent(() => import('./health/health-page.tsx'), 'HealthPage'),
});

const partners = createRoute({
  getParentRoute: () => root,
  path: '/partners',
  loader: ({ context }) => void context.queryClient.prefetchQuery(partnersQuery),
  component: lazyRouteComponent(() => import('./partners/partners-page.tsx'), 'PartnersPage'),
});

const partner = createRoute({
  getParentRoute: () => root,
  path: '/partners/$pms',
  loader: ({ context, params }) => {
    void context.queryClient.prefetchQuery(partnerQuery(params.pms));
    void context.queryClient.prefetchQuery(controlsQuery(params.pms));
    void context.queryClient.prefetchQuery(termsQuery);
  },
  component: lazyRouteComponent(() => import('./partners/partner-page.tsx'), 'PartnerPage'),
});

const terms = createRoute({
  getParentRoute: () => root,
  path: '/terms',
  validateSearch: (search) => pickStrings(search, 'status', 'pms', 'state'),
  loader: ({ context }) => void context.queryClient.prefetchQuery(termsQuery),
  component: lazyRouteComponent(() => import('./terms/terms-page.tsx'), 'TermsPage'),
});

const newTerms = createRoute({
  getParentRoute: () => root,
  path: '/terms/new',
  validateSearch: (search) => pickStrings(search, 'from'),
  loader: ({ context }) => void context.queryClient.prefetchQuery(partnersQuery),
  component: lazyRouteComponent(() => import('./terms/new-terms-page.tsx'), 'NewTermsPage'),
});

const termsVersion = createRoute({
  getParentRoute: () => root,
  path: '/terms/$version',
  loader: ({ context, params }) =>
    void context.queryClient.prefetchQuery(termsVersionQuery(params.version)),
  component: lazyRouteComponent(() => import('./terms/terms-version-page.tsx'), 'TermsVersionPage'),
});

const secrets = createRoute({
  getParentRoute: () => root,
  path: '/secrets',
  loader: ({ context }) => void context.queryClient.prefetchQuery(secretsQuery),
  component: lazyRouteComponent(() => import('./secrets/secrets-page.tsx'), 'SecretsPage'),
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

const days = createRoute({
  getParentRoute: () => root,
  path: '/money/days',
  loader: ({ context }) => void context.queryClient.prefetchQuery(booksDaysQuery),
  component: lazyRouteComponent(() => import('./money/days-page.tsx'), 'DaysPage'),
});

const day = createRoute({
  getParentRoute: () => root,
  path: '/money/days/$day',
  validateSearch: (search) => pickStrings(search, 'bank'),
  loader: ({ context, params: { day } }) => {
    void context.queryClient.prefetchQuery(booksDaysQuery);
    void context.queryClient.prefetchQuery(booksDayQuery(day));
    void context.queryClient.prefetchQuery(exceptionsQuery(day));
  },
  component: lazyRouteComponent(() => import('./money/day-page.tsx'), 'DayPage'),
});

const balance = createRoute({
  getParentRoute: () => root,
  path: '/money/balance',
  validateSearch: (search) => pickStrings(search, 'as_of'),
  loaderDeps: ({ search: { as_of } }) => ({ as_of }),
  loader: ({ context, deps }) =>
    void context.queryClient.prefetchQuery(trialBalanceQuery(deps.as_of)),
  component: lazyRouteComponent(() => import('./money/balance-page.tsx'), 'BalancePage'),
});

const ledgerAccount = createRoute({
  getParentRoute: () => root,
  path: '/money/accounts/$account',
  validateSearch: (search) => pickStrings(search, 'partner', 'from', 'to'),
  loaderDeps: ({ search }) => search,
  loader: ({ context, params, deps }) =>
    void context.queryClient.prefetchInfiniteQuery(postingsList(params.account, deps)),
  component: lazyRouteComponent(() => import('./money/account-page.tsx'), 'AccountPage'),
});

const payouts = createRoute({
  getParentRoute: () => root,
  path: '/money/payouts',
  validateSearch: (search) => pickStrings(search, 'partner', 'status'),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => void context.queryClient.prefetchQuery(payoutsQuery(deps)),
  component: lazyRouteComponent(() => import('./money/payouts-page.tsx'), 'PayoutsPage'),
});

const reports = createRoute({
  getParentRoute: () => root,
  path: '/money/reports',
  validateSearch: (search) => pickStrings(search, 'report'),
  component: lazyRouteComponent(() => import('./money/reports-page.tsx'), 'ReportsPage'),
});

const files = createRoute({
  getParentRoute: () => root,
  path: '/money/files',
  loader: ({ context }) => void context.queryClient.prefetchQuery(bankFilesQuery),
  component: lazyRouteComponent(() => import('./money/files-page.tsx'), 'FilesPage'),
});

const money = [days, day, balance, ledgerAccount, payouts, files, reports] as const;

const routeTree = root.addChildren([
  home,
  tenant,
  found,
  queues,
  queue,
  actions,
  partners,
  partner,
  terms,
  newTerms,
  termsVersion,
  secrets,
  health,
  account,
  ...money,
]);

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createOperatorRouter>;
  }
}
