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

/** One view of the console on a page of the partner. The page gives it a token over a private port. */
const pms = decodeURIComponent(location.pathname.split('/').at(-1) ?? '');
const stored = readStoredAppearance(document);
const element = document.getElementById('root') ?? document.body;
const queryClient = createQueryClient();
const root = createRoot(element);
const token = new FrameToken(askForToken);
let asked = false;
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

/** Takes over the page's theme and brand. The page's theme comes first only if it was chosen. */
function followPage(message: Extract<ToConsoleFrame, { theme: string }>): void {
  const page = readPageAppearance(message.appearance);
  const storedTheme = stored?.theme ?? 'auto';
  const theme = page.hasTheme || storedTheme === 'auto' ? themeOf(message.theme) : storedTheme;
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  applyAppearance(document.documentElement, stored, page);
}

/** Asks the service whose token it is, before anything of it is shown. */
async function accept(given: string): Promise<void> {
  if (init === undefined) return;
  asked = false;
  token.set(given);
  const session = await queryClient
    .fetchQuery({ ...sessionQuery, staleTime: 0 })
    .catch((error: Error) => error);
  if (session === null) {
    askForToken();
    return;
  }
  if (session instanceof Error) {
    // The page stays, and says that it cannot be refreshed. Otherwise the SDK stops waiting.
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
  if (asked) return;
  asked = true;
  channel.send({ svc: 1, type: 'token_needed' });
}

/** Routes whose loaders request nothing that the token does not reach. */
const starts = {
  settlements: '/settlements',
  tenant_plan: '/tenants',
  webhooks: '/endpoints',
} as const;

function show(session: Session): void {
  if (isShown || init === undefined) return;
  isShown = true;
  // The page's history stays as it is, and the frame's address says nothing.
  const history = createMemoryHistory({ initialEntries: [`/portal${starts[init.view]}`] });
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
