import { pickStrings, readSearch, writeSearch } from '@svc/ui/console/filters/search-params.ts';
import { NotFound, PageError } from '@svc/ui/console/shell/error-pages.tsx';
import { currentTime } from '@svc/ui/console/time/clock.ts';
import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouterHistory,
} from '@tanstack/react-router';
import { activityQuery, daysBack, healthQuery } from './api/activity.ts';
import { appearanceQuery } from './api/appearance.ts';
import { auditLogList } from './api/audit-log.ts';
import { deliveryList } from './api/deliveries.ts';
import { egressIpsQuery, endpointQuery, endpointsQuery } from './api/endpoints.ts';
import { eventTypesQuery } from './api/event-types.ts';
import { attemptsQuery, messageList, messageQuery, recentMessagesQuery } from './api/messages.ts';
import { payoutList } from './api/payouts.ts';
import { replayQuery, replaysQuery } from './api/replays.ts';
import { requestList } from './api/requests.ts';
import { openSessionsQuery } from './api/session.ts';
import { settlementList } from './api/settlements.ts';
import { tenantList } from './api/tenants.ts';
import { testPresetsQuery } from './api/test-presets.ts';
import { ConsoleShell } from './app/console-shell.tsx';
import { FrameShell } from './frame/frame-shell.tsx';
import { useSession } from './session/use-session.ts';

/** The routes of the console. Filters are stored in the URL, so that views can be shared. */
export function createConsoleRouter(queryClient: QueryClient, history?: RouterHistory) {
  return createRouter({
    ...(history && { history }),
    routeTree,
    basepath: '/portal',
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
  component: () => (useSession().view === null ? <ConsoleShell /> : <FrameShell />),
});

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  loader: ({ context }) => {
    void context.queryClient.prefetchQuery(endpointsQuery);
    void context.queryClient.prefetchQuery(healthQuery);
  },
  component: lazyRouteComponent(() => import('./home/home-page.tsx'), 'HomePage'),
});

const endpoints = createRoute({
  getParentRoute: () => root,
  path: '/endpoints',
  loader: ({ context }) => {
    void context.queryClient.prefetchQuery(endpointsQuery);
    void context.queryClient.prefetchQuery(healthQuery);
  },
  component: lazyRouteComponent(() => import('./endpoints/endpoint-list.tsx'), 'EndpointList'),
});

const newEndpoint = createRoute({
  getParentRoute: () => root,
  path: '/endpoints/new',
  loader: ({ context }) => void context.queryClient.prefetchQuery(eventTypesQuery),
  component: lazyRouteComponent(() => import('./endpoints/new-endpoint.tsx'), 'NewEndpoint'),
});

const endpoint = createRoute({
  getParentRoute: () => root,
  path: '/endpoints/$endpointId',
  loader: ({ context, params }) => {
    void context.queryClient.prefetchQuery(endpointQuery(params.endpointId));
    void context.queryClient.prefetchQuery(recentMessagesQuery(params.endpointId));
    void context.queryClient.prefetchQuery(egressIpsQuery);
  },
  component: lazyRouteComponent(() => import('./endpoints/endpoint-page.tsx'), 'EndpointPage'),
});

const editEndpoint = createRoute({
  getParentRoute: () => root,
  path: '/endpoints/$endpointId/edit',
  loader: ({ context, params }) => {
    void context.queryClient.prefetchQuery(endpointQuery(params.endpointId));
    void context.queryClient.prefetchQuery(eventTypesQuery);
  },
  component: lazyRouteComponent(() => import('./endpoints/edit-endpoint.tsx'), 'EditEndpoint'),
});

const verifyCode = createRoute({
  getParentRoute: () => root,
  path: '/endpoints/$endpointId/verify',
  validateSearch: (search) => pickStrings(search, 'lang'),
  loader: ({ context, params }) =>
    void context.queryClient.prefetchQuery(endpointQuery(params.endpointId)),
  component: lazyRouteComponent(() => import('./verify-code/verify-page.tsx'), 'VerifyPage'),
});

const messages = createRoute({
  getParentRoute: () => root,
  path: '/messages',
  validateSearch: messageList.readFilters,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => {
    void context.queryClient.prefetchInfiniteQuery(messageList.query(deps));
    void context.queryClient.prefetchQuery(endpointsQuery);
  },
  component: lazyRouteComponent(() => import('./messages/messages-page.tsx'), 'MessagesPage'),
});

const deliveries = createRoute({
  getParentRoute: () => root,
  path: '/deliveries',
  validateSearch: deliveryList.readFilters,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => {
    void context.queryClient.prefetchInfiniteQuery(deliveryList.query(deps));
    void context.queryClient.prefetchQuery(endpointsQuery);
  },
  component: lazyRouteComponent(() => import('./deliveries/deliveries-page.tsx'), 'DeliveriesPage'),
});

const delivery = createRoute({
  getParentRoute: () => deliveries,
  path: '/$messageId/$attemptId',
  loader: ({ context, params }) => {
    void context.queryClient.prefetchQuery(messageQuery(params.messageId));
    void context.queryClient.prefetchQuery(attemptsQuery(params.messageId));
  },
  component: lazyRouteComponent(() => import('./deliveries/delivery-page.tsx'), 'DeliveryPage'),
});

const message = createRoute({
  getParentRoute: () => messages,
  path: '/$messageId',
  validateSearch: (search) => pickStrings(search, 'attempt'),
  loader: ({ context, params }) => {
    void context.queryClient.prefetchQuery(messageQuery(params.messageId));
    void context.queryClient.prefetchQuery(attemptsQuery(params.messageId));
  },
  component: lazyRouteComponent(() => import('./messages/message-page.tsx'), 'MessagePage'),
});

const catalog = createRoute({
  getParentRoute: () => root,
  path: '/event-catalog',
  validateSearch: (search) => pickStrings(search, 'q'),
  loader: ({ context }) => {
    void context.queryClient.prefetchQuery(eventTypesQuery);
    void context.queryClient.prefetchQuery(endpointsQuery);
  },
  component: lazyRouteComponent(() => import('./event-catalog/catalog-page.tsx'), 'CatalogPage'),
});

const eventType = createRoute({
  getParentRoute: () => catalog,
  path: '/$eventType',
  component: lazyRouteComponent(
    () => import('./event-catalog/event-type-page.tsx'),
    'EventTypePage',
  ),
});

const testing = createRoute({
  getParentRoute: () => root,
  path: '/testing',
  validateSearch: (search) => pickStrings(search, 'way', 'endpoint_id', 'event_type'),
  loader: ({ context }) => {
    void context.queryClient.prefetchQuery(eventTypesQuery);
    void context.queryClient.prefetchQuery(endpointsQuery);
    void context.queryClient.prefetchQuery(testPresetsQuery);
  },
  component: lazyRouteComponent(() => import('./testing/testing-page.tsx'), 'TestingPage'),
});

const replays = createRoute({
  getParentRoute: () => root,
  path: '/replays',
  loader: ({ context }) => {
    void context.queryClient.prefetchInfiniteQuery(replaysQuery);
    void context.queryClient.prefetchQuery(endpointsQuery);
  },
  component: lazyRouteComponent(() => import('./replays/replay-list.tsx'), 'ReplayList'),
});

const newReplay = createRoute({
  getParentRoute: () => root,
  path: '/replays/new',
  validateSearch: (search) =>
    pickStrings(
      search,
      'endpoint_id',
      'status_class',
      'error_class',
      'event_type',
      'external_id',
      'channel',
      'since',
      'until',
    ),
  loader: ({ context }) => void context.queryClient.prefetchQuery(endpointsQuery),
  component: lazyRouteComponent(() => import('./replays/new-replay.tsx'), 'NewReplay'),
});

const replay = createRoute({
  getParentRoute: () => root,
  path: '/replays/$replayId',
  loader: ({ context, params }) =>
    void context.queryClient.prefetchQuery(replayQuery(params.replayId)),
  component: lazyRouteComponent(() => import('./replays/replay-page.tsx'), 'ReplayPage'),
});

const activity = createRoute({
  getParentRoute: () => root,
  path: '/activity',
  validateSearch: (search) => ({
    ...pickStrings(search, 'view', 'days'),
    ...auditLogList.readFilters(search),
  }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps: { view, days = '1', ...filters } }) => {
    const { queryClient } = context;
    void queryClient.prefetchQuery(endpointsQuery);
    if (view === 'sessions') void queryClient.prefetchQuery(openSessionsQuery);
    else if (view === 'audit-log')
      void queryClient.prefetchInfiniteQuery(auditLogList.query(filters));
    else
      void queryClient.prefetchQuery(
        activityQuery({ days: daysBack(days), endpoint_id: filters.endpoint_id }, currentTime()),
      );
  },
  component: lazyRouteComponent(() => import('./activity/activity-page.tsx'), 'ActivityPage'),
});

const signatureDebugger = createRoute({
  getParentRoute: () => root,
  path: '/debugger',
  validateSearch: (search) => pickStrings(search, 'message_id', 'attempt_id'),
  loader: ({ context }) => void context.queryClient.prefetchQuery(endpointsQuery),
  component: lazyRouteComponent(() => import('./debugger/debugger-page.tsx'), 'DebuggerPage'),
});

const appearance = createRoute({
  getParentRoute: () => root,
  path: '/appearance',
  loader: ({ context }) => void context.queryClient.prefetchQuery(appearanceQuery),
  component: lazyRouteComponent(() => import('./appearance/appearance-page.tsx'), 'AppearancePage'),
});

// Pages that need the scope `admin` have no loader, because its requests would be refused for other sessions.
// They load their data themselves.
const requests = createRoute({
  getParentRoute: () => root,
  path: '/requests',
  validateSearch: requestList.readFilters,
  component: lazyRouteComponent(() => import('./requests/requests-page.tsx'), 'RequestsPage'),
});

const request = createRoute({
  getParentRoute: () => requests,
  path: '/$requestId',
  component: lazyRouteComponent(() => import('./requests/request-page.tsx'), 'RequestPage'),
});

const apiKeys = createRoute({
  getParentRoute: () => root,
  path: '/api-keys',
  component: lazyRouteComponent(() => import('./api-keys/api-keys-page.tsx'), 'ApiKeysPage'),
});

const origins = createRoute({
  getParentRoute: () => root,
  path: '/origins',
  component: lazyRouteComponent(() => import('./origins/origins-page.tsx'), 'OriginsPage'),
});

const doctor = createRoute({
  getParentRoute: () => root,
  path: '/doctor',
  component: lazyRouteComponent(() => import('./doctor/doctor-page.tsx'), 'DoctorPage'),
});

const certify = createRoute({
  getParentRoute: () => root,
  path: '/certify',
  component: lazyRouteComponent(() => import('./certify/certify-page.tsx'), 'CertifyPage'),
});

const newCertification = createRoute({
  getParentRoute: () => root,
  path: '/certify/new',
  component: lazyRouteComponent(
    () => import('./certify/new-certification.tsx'),
    'NewCertification',
  ),
});

const certification = createRoute({
  getParentRoute: () => root,
  path: '/certify/$certificationId',
  component: lazyRouteComponent(
    () => import('./certify/certification-page.tsx'),
    'CertificationPage',
  ),
});

const timeMachine = createRoute({
  getParentRoute: () => root,
  path: '/time-machine',
  validateSearch: (search) => pickStrings(search, 'tenant', 'copy'),
  component: lazyRouteComponent(
    () => import('./time-machine/time-machine-page.tsx'),
    'TimeMachinePage',
  ),
});

const tenants = createRoute({
  getParentRoute: () => root,
  path: '/tenants',
  validateSearch: tenantList.readFilters,
  component: lazyRouteComponent(() => import('./tenants/tenants-page.tsx'), 'TenantsPage'),
});

const tenant = createRoute({
  getParentRoute: () => tenants,
  path: '/$externalId',
  component: lazyRouteComponent(() => import('./tenants/tenant-page.tsx'), 'TenantPage'),
});

const settlements = createRoute({
  getParentRoute: () => root,
  path: '/settlements',
  validateSearch: settlementList.readFilters,
  component: lazyRouteComponent(
    () => import('./settlements/settlements-page.tsx'),
    'SettlementsPage',
  ),
});

const payouts = createRoute({
  getParentRoute: () => root,
  path: '/payouts',
  validateSearch: payoutList.readFilters,
  component: lazyRouteComponent(() => import('./payouts/payouts-page.tsx'), 'PayoutsPage'),
});

const settlement = createRoute({
  getParentRoute: () => settlements,
  path: '/$settlementId',
  component: lazyRouteComponent(
    () => import('./settlements/settlement-page.tsx'),
    'SettlementPage',
  ),
});

const routeTree = root.addChildren([
  home,
  endpoints,
  newEndpoint,
  endpoint,
  editEndpoint,
  verifyCode,
  messages.addChildren([message]),
  deliveries.addChildren([delivery]),
  catalog.addChildren([eventType]),
  testing,
  replays,
  newReplay,
  replay,
  activity,
  signatureDebugger,
  appearance,
  requests.addChildren([request]),
  apiKeys,
  origins,
  doctor,
  certify,
  newCertification,
  certification,
  timeMachine,
  tenants.addChildren([tenant]),
  settlements.addChildren([settlement]),
  payouts,
]);

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
