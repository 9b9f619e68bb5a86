import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

declare global {
  interface Window {
    /** Opens the experience with a token, and returns the time. */
    openNow: (token: string) => number;
    /** The time when the frame was first usable. */
    usable: Promise<number>;
  }
}

/** Serves a partner's page with the widget. A click only preloads; `openNow` opens the experience. */
export async function startPortal(service: string): Promise<{
  origin: string;
  close: () => Promise<void>;
}> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
    response.end(page(service));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const page = (service: string) => `<!doctype html><html lang="en"><head><title>Your rent</title>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,"><style>#rent{width:358px;height:260px}</style>
<script src="${service}/sdk/svc.iife.js"></script></head><body><main id="rent"></main><script>
// The frame is inert until its first screen is painted. The SDK's shadow roots are closed, so observe them on creation.
const attach = Element.prototype.attachShadow;
window.usable = new Promise((resolve) => {
  Element.prototype.attachShadow = function (init) {
    const root = attach.call(this, init);
    new MutationObserver(() => {
      const frame = root.querySelector('iframe');
      if (frame && opened && !frame.inert) resolve(performance.now());
    }).observe(root, { subtree: true, childList: true, attributes: true });
    return root;
  };
});
let opened = false;
const { externalId, signature } = Object.fromEntries(new URLSearchParams(location.search));
const svc = Svc({
  balance: 152012, pms: 'elm', externalId, signature, environment: 'sandbox', baseUrl: '${service}',
  onEvent: () => {}, onWidgetClickCallback: () => {},
});
document.getElementById('rent').append(svc.createWidget());
window.openNow = (token) => {
  opened = true;
  const now = performance.now();
  svc.openExperienceAndSetToken(token);
  return now;
};
</script></body></html>`;
