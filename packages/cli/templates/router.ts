import { signWidget } from '@svc/node';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import express from 'express';
import { createTenantToken, currentTenant, readSettings, webhooks } from './backend.js';

/**
 * Mount it before express.json(): a webhook is verified with the raw body.
 *
 *   app.use(svcRouter);
 */
export const svcRouter = express.Router();

/** With the page: what the widget needs. The signature never expires, so you can cache it. */
async function widgetSettings() {
  const { apiKey, pms, baseUrl } = readSettings();
  const tenant = await currentTenant();
  const signature = await signWidget({ apiKey, pms, externalId: tenant.id });
  return { balance: tenant.balanceInCents, pms, externalId: tenant.id, signature, baseUrl };
}

/** On click: a tenant token, with which the page opens the experience. */
svcRouter.post(
  '/api/svc/token',
  handle(async (_request, response) => {
    response.json({ token: await createTenantToken(await currentTenant()) });
  }),
);

svcRouter.post('/api/svc/webhooks', webhooks.node);

// #if vite
svcRouter.get(
  '/api/svc/settings',
  handle(async (_request, response) => {
    response.json(await widgetSettings());
  }),
);

// #endif
// #if express
svcRouter.get(
  '/rent',
  handle(async (_request, response) => {
    response.type('html').send(rentPage(await widgetSettings(), await sdkScript()));
  }),
);

/** The SDK of the service. Its URL never changes, and the browser checks its hash. */
async function sdkScript(): Promise<string> {
  const { origin } = new URL(readSettings().baseUrl);
  const { files } = await (await fetch(`${origin}/sdk/release.json`)).json();
  const { path, integrity } = files['svc.iife.js'];
  return `<script src="${origin}${path}" integrity="${integrity}" crossorigin="anonymous" defer></script>`;
}

function rentPage(settings: object, sdk: string): string {
  const json = JSON.stringify({ ...settings, environment: 'sandbox' });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Your rent</title>
<link rel="icon" href="data:,">
${sdk}
</head>
<body>
<main style="max-width: 560px">
<h1>Your rent</h1>
<div id="rent" style="min-height: 250px"></div>
</main>
<script type="module">
const svc = globalThis.Svc({
  ...${json.replaceAll('<', '\\u003c')},
  onEvent: (type, data) => console.log(type, data),
  async onWidgetClickCallback() {
    const answer = await fetch('/api/svc/token', { method: 'POST' });
    if (!answer.ok) throw new Error('The token request failed with ' + answer.status + '.');
    const { token } = await answer.json();
    await svc.openExperienceAndSetToken(token);
  },
});
document.getElementById('rent').append(svc.createWidget());
</script>
</body>
</html>`;
}

// #endif
/** Express 4 does not catch what an async function throws. */
function handle(work: (request: Request, response: Response) => Promise<void>): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    work(request, response).catch(next);
  };
}
