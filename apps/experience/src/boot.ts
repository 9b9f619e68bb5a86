import type { InitMessage, ToFrame } from '@svc/contract/frame';
import { createExperienceApi } from './api/experience-api.ts';
import { type Channel, connect } from './frame/connect.ts';
import { readAllowedOrigins, readLender, readsSandbox } from './frame/page-settings.ts';
import { randomKey } from './frame/random-key.ts';
import { takeLink } from './frame/take-link.ts';

/** The results of the work that the page does before the app loads. Read by `start.tsx`. */
export interface Boot {
  api: ReturnType<typeof createExperienceApi>;
  /** Null outside of a frame. */
  channel: Channel | null;
  /** The secret of a mail's link, outside of a frame; no longer in the address. */
  link: string | null;
  /** Passes all messages to `receive` from now on, starting with those that arrived earlier. */
  listen: (receive: (message: ToFrame) => void) => void;
  page: { isSandbox: boolean; lender: ReturnType<typeof readLender> };
  newKey: () => string;
}

declare global {
  interface Window {
    boot: Boot;
  }
}

// This file stands inside the page itself (inline-boot.ts): it shakes hands and asks for the
// session while the app is still on its way.
const api = createExperienceApi(randomKey());
const waiting: ToFrame[] = [];
let receive = askAhead;

window.boot = {
  api,
  link: window.parent === window ? takeLink(window) : null,
  channel:
    window.parent === window
      ? null
      : connect({
          self: window,
          allowedOrigins: readAllowedOrigins(document),
          nonce: randomKey(),
          onMessage: (message) => receive(message),
        }),
  listen(next) {
    receive = next;
    for (const message of waiting.splice(0)) next(message);
  },
  page: { isSandbox: readsSandbox(document), lender: readLender(document) },
  newKey: randomKey,
};

function askAhead(message: ToFrame): void {
  waiting.push(message);
  const init = waiting.find((it): it is InitMessage => it.type === 'init');
  const token = message.type === 'appearance' ? null : message.token;
  if (init !== undefined && token !== null) void api.exchange(token, init, { isAhead: true });
}
