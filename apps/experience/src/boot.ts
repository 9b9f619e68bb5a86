import type { FromFrame, InitMessage, ToFrame } from '@svc/contract/frame';
import { applyAppearance, loadFont } from '@svc/ui/frame/apply-appearance.ts';
import { type Channel, connect } from '@svc/ui/frame/connect.ts';
import { readAllowedOrigins } from '@svc/ui/frame/page-settings.ts';
import { randomKey } from '@svc/ui/frame/random-key.ts';
import { createExperienceApi } from './api/experience-api.ts';
import { isToFrame } from './frame/is-to-frame.ts';
import { isSandboxPage, readLender, readPartner } from './frame/page-settings.ts';
import { takeLinkSecret } from './frame/take-link-secret.ts';

/** Values that boot.ts prepares before the app loads, for `start.tsx`. */
interface Boot {
  api: ReturnType<typeof createExperienceApi>;
  /** Null outside a frame. */
  channel: Channel<FromFrame> | null;
  /** The secret of a link, already removed from the address. Null inside a frame of another page. */
  link: string | null;
  /** Calls `receive` for each message, starting with those that have already arrived. */
  listen: (receive: (message: ToFrame) => void) => void;
  page: {
    isSandbox: boolean;
    lender: ReturnType<typeof readLender>;
    partner: ReturnType<typeof readPartner>;
  };
  newKey: () => string;
}

declare global {
  interface Window {
    boot: Boot;
  }
}

/** Returns whether a link opened the page: at the top, or in our own console, which shows what a tenant sees. */
function isOpenedByLink({ parent, location }: Window): boolean {
  if (parent === window) return true;
  try {
    return location.hash.startsWith('#link=svc_es_') && parent.location.origin === location.origin;
  } catch {
    // The page around this one has another origin.
    return false;
  }
}

// inline-boot.ts inlines this file into the page: it connects to the SDK and requests the session
// while the app is still loading.
const api = createExperienceApi(randomKey());
const isLink = isOpenedByLink(window);
const partner = readPartner(document);
const buffered: ToFrame[] = [];
let receive = exchangeEarly;

// The brand is applied before the first paint, so that no other one flashes.
applyAppearance(document.documentElement, partner?.appearance ?? null, null);
loadFont(document, partner?.appearance ?? null);

window.boot = {
  api,
  link: isLink ? takeLinkSecret(window) : null,
  channel: isLink
    ? null
    : connect<ToFrame, FromFrame>({
        self: window,
        allowedOrigins: readAllowedOrigins(document),
        nonce: randomKey(),
        isKnown: isToFrame,
        onMessage: (message) => receive(message),
      }),
  listen(next) {
    receive = next;
    for (const message of buffered.splice(0)) next(message);
  },
  page: { isSandbox: isSandboxPage(document), lender: readLender(document), partner },
  newKey: randomKey,
};

/** Buffers the message for the app, and starts the exchange once there are settings and a token. */
function exchangeEarly(message: ToFrame): void {
  buffered.push(message);
  const init = buffered.find((it): it is InitMessage => it.type === 'init');
  const token = 'token' in message ? message.token : null;
  if (init !== undefined && token !== null) void api.exchange(token, init, { isEarly: true });
}
