import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SvcClient, signWidget } from '@svc/node';

/** The mistakes that this page can make. */
export interface PageFaults {
  /** Markup in place of the page, such as a sign-in. */
  readonly instead?: string;
  readonly status?: number;
  readonly redirectTo?: string;
  readonly lang?: string;
  readonly head?: string;
  readonly body?: string;
  readonly slot?: string;
  readonly fallback?: string;
  readonly csp?: string;
  readonly tenant?: string;
  /** The tenant that the signature is for. */
  readonly signed?: string;
  /** JavaScript source that is added to the settings object. */
  readonly settings?: string;
  /** JavaScript that runs before the widget is created. */
  readonly script?: string;
  /** The JavaScript body of the click callback. */
  readonly click?: string;
  readonly token?: { readonly status: number; readonly body: unknown };
  /** Loads the SDK in the head, before anything is drawn. */
  readonly blocksOnSdk?: boolean;
}

/** A portal with one page, which shows the widget to one tenant. `faults` can be changed at any time. */
export async function startPage({
  service,
  apiKey,
  pms,
}: {
  service: string;
  apiKey: string;
  pms: string;
}) {
  const svc = new SvcClient({ apiKey, baseUrl: `${service}/v1` });
  const externalId = 't-100';
  const page = { url: '', faults: {} as PageFaults, close };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => {
      response.writeHead(500).end(error.message);
    });
  });
  await new Promise<void>((listening) => server.listen(0, listening));
  page.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/rent`;
  return page;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { faults } = page;
    if (request.url === '/token') {
      const { status, body } = faults.token ?? { status: 200, body: await issueToken() };
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
      return;
    }
    const isSignedIn = request.headers.cookie === 'session=1';
    if (request.url === '/sign-in') {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>');
    } else if (faults.redirectTo && !isSignedIn) {
      response.writeHead(302, { location: faults.redirectTo }).end();
    } else {
      response.writeHead(faults.status ?? 200, {
        'content-type': 'text/html; charset=utf-8',
        ...(faults.csp ? { 'content-security-policy': faults.csp } : {}),
      });
      response.end(faults.instead ?? (await html(faults)));
    }
  }

  async function issueToken(): Promise<unknown> {
    const today = new Date().toISOString().slice(0, 10);
    return svc.portalInfo(externalId, {
      first_name: 'Ada',
      last_name: 'Lane',
      email: 'ada@example.com',
      charges: [{ id: 'C-1', due_date: today, amount_in_cents: 152_012 }],
    });
  }

  async function html(faults: PageFaults): Promise<string> {
    const signature = await signWidget({ apiKey, pms, externalId: faults.signed ?? externalId });
    const settings = {
      pms,
      externalId: faults.tenant ?? externalId,
      signature,
      balance: 152_012,
      environment: 'sandbox',
    };
    const create = `
      const settings = {
        ...${JSON.stringify(settings)},
        baseUrl: '${service}/v1',
        onEvent() {},
        async onWidgetClickCallback() {
          ${faults.click ?? 'return fetchToken();'}
        },
        ${faults.settings ?? ''}
      };
      async function fetchToken() {
        return (await (await fetch('/token', { method: 'POST' })).json()).token;
      }
      async function openAnother() {
        Svc(settings).openExperienceAndSetToken(await fetchToken());
      }
      document.getElementById('rent').replaceChildren(Svc(settings).createWidget());`;
    const sdk = faults.blocksOnSdk ? `<script src="${service}/sdk/svc.iife.js"></script>` : '';
    const load = faults.blocksOnSdk
      ? `<script>{${create}}</script>`
      : `<script type="module">import { Svc } from '${service}/sdk/svc.js';${faults.script ?? ''}${create}</script>`;
    return `<!doctype html><html${faults.lang === '' ? '' : ` lang="${faults.lang ?? 'en'}"`}>
      <head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
      <title>Your rent</title><link rel="icon" href="data:,">${sdk}
      <style>#rent { max-width: 560px; ${faults.slot ?? 'min-height: 250px'} }</style>${faults.head ?? ''}</head>
      <body><h1>Your rent</h1><p>$1,520.12 is due today.</p><a href="/home">Home</a>
      ${faults.body ?? ''}<div id="rent">${faults.fallback ?? '<p>Pay in full at the office.</p>'}</div>${load}</body></html>`;
  }

  function close(): Promise<void> {
    server.closeAllConnections();
    return new Promise((closed) => server.close(() => closed()));
  }
}
