import '@svc/ui/tokens.css';
import '@svc/ui/components.css';
import '@svc/ui/console/styles.css';
import { readPageAppearance } from '@svc/contract/appearance';
import type { ConsoleInitMessage, FromConsoleFrame, ToConsoleFrame } from '@svc/contract/frame';
import { FrameToken, sendFrameToken } from '@svc/ui/console/api/frame-token.ts';
import { createQueryClient } from '@svc/ui/console/api/query-client.ts';
import { watchUserActivity } from '@svc/ui/console/api/user-activity.ts';
import { SessionProvider } from '@svc/ui/console/session/session-gate.tsx';
import { currentTime } from '@svc/ui/console/time/clock.ts';
import { applyAppearance, loadFont, themeOf } from '@svc/ui/frame/apply-appearance.ts';
import { connect, type FrameMessage } from '@svc/ui/frame/connect.ts';
import { readAllowedOrigins, readStoredAppearance } from '@svc/ui/frame/page-settings.ts';
import { randomKey } from '@svc/ui/frame/random-key.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { type Session, sessionQuery } from '../api/session.ts';
import { createConsoleRouter } from '../router.tsx';
import { findMismatch } from './find-mismatch.ts';
import { reportHeight } from './report-height.ts';
import { saveDownloads } from './save-downloads.ts';
import { scheduleRenewal } from './schedule-renewal.ts';

// Shows one view of the console in a frame on a partner's page. The page sends the token over a private
// message port.

const pms = decodeURIComponent(location.pathname.split('/').at(-1) ?? '');
const stored = readStoredAppearance(document);
const element = document.getElementById('root') ?? document.body;
const queryClient = createQueryClient();
const root = createRoot(element);
const token = new FrameToken(askForToken);
let isTokenRequested = false;
let init: ConsoleInitMessage | undefined;
let isShown = false;

watchUserActivity(window);
sendFrameToken(token);
saveDownloads();
applyAppearance(document.documentElement, stored, null);
loadFont(document, stored);

const channel = connect<ToConsoleFrame, FromConsoleFrame>({
  self: window,
  allowedOrigins: readAllowedOrigins(document),
  nonce: randomKey(),
  isKnown,
  onMessage(message) {
    if (message.type !== 'token') followPage(message);
    if (message.type === 'init') init ??= message;
    if (message.type !== 'appearance' && message.token !== null) void accept(message.token);
  },
});
reportHeight(element, (height) => channel.send({ svc: 1, type: 'resize', height }));

function isKnown(data: FrameMessage): boolean {
  const isText = (name: string) => typeof data[name] === 'string';
  if (data.type === 'token') return isText('token');
  if (data.type === 'appearance') return isText('theme');
  const isTextOrNull = (name: string) => data[name] === null || isText(name);
  return (
    data.type === 'init' &&
    ['view', 'theme'].every(isText) &&
    ['externalId', 'token'].every(isTextOrNull)
  );
}

/** Applies the page's theme and brand. The page's theme overrides a stored one only if it was chosen. */
function followPage(message: Extract<ToConsoleFrame, { theme: string }>): void {
  const page = readPageAppearance(message.appearance);
  const storedTheme = stored?.theme ?? 'auto';
  const theme = page.hasTheme || storedTheme === 'auto' ? themeOf(message.theme) : storedTheme;
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  applyAppearance(document.documentElement, stored, page);
}

/** Uses a token from the page. Nothing is shown before the service has said what the token is for. */
async function accept(newToken: string): Promise<void> {
  if (init === undefined) return;
  isTokenRequested = false;
  token.set(newToken);
  const session = await queryClient
    .fetchQuery({ ...sessionQuery, staleTime: 0 })
    .catch((error: Error) => error);
  if (session === null) {
    askForToken();
    return;
  }
  if (session instanceof Error) {
    // A view that is shown already stays, with a notice that it cannot be refreshed. Otherwise the SDK stops waiting.
    if (isShown) channel.send({ svc: 1, type: 'ready' });
    return;
  }
  const msg = findMismatch({ ...init, pms }, session);
  if (msg !== undefined) {
    root.unmount();
    channel.send({ svc: 1, type: 'mismatch', msg });
    return;
  }
  scheduleRenewal(Date.parse(session.expires_at) - currentTime(), askForToken);
  show(session);
  channel.send({ svc: 1, type: 'ready' });
}

function askForToken(): void {
  if (isTokenRequested) return;
  isTokenRequested = true;
  channel.send({ svc: 1, type: 'token_needed' });
}

/** The first route of each view. Their loaders request only what the view's token allows. */
const firstRoutes = {
  settlements: '/settlements',
  tenant_plan: '/tenants',
  webhooks: '/endpoints',
} as const;

function show(session: Session): void {
  if (isShown || init === undefined) return;
  isShown = true;
  // A memory history changes neither the page's history nor the frame's URL.
  const history = createMemoryHistory({ initialEntries: [`/portal${firstRoutes[init.view]}`] });
  const router = createConsoleRouter(queryClient, history);
  root.render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <SessionProvider value={session}>
          <RouterProvider router={router} />
        </SessionProvider>
      </QueryClientProvider>
    </StrictMode>,
  );
}
