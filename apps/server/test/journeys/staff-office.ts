import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type PortalInfo, SvcClient } from '@svc/node';
import { build } from 'vite';
import { runAsSystem, seedPartner } from '../../src/seed-partner.ts';
import { ada } from '../harness.ts';
import type { OpenDemo } from './open-demo.ts';

export type Office = Awaited<ReturnType<typeof openOffice>>;

/** The tenants' ids, each with the scenario that the tenant is in. */
const tenants = { 't-1': 'split', 't-2': 'installment_failed' } as const;

/**
 * Opens a partner's back office on another site than the service, with tenants, settlements and an endpoint. Its
 * backend creates the tokens.
 */
export async function openOffice({ service }: OpenDemo, pms: string) {
  const script = await bundlePage();
  const serviceOrigin = service.listeningAt.replace('127.0.0.1', 'localhost');
  const apiKey = await runAsSystem(service, (ctx) => seedPartner(ctx, { pms, name: 'Oak Homes' }));
  const svc = new SvcClient({ apiKey, baseUrl: `${service.listeningAt}/v1` });
  const server = createServer((request, response) => {
    if (request.url === '/page.js') {
      response.setHeader('content-type', 'text/javascript').end(script);
      return;
    }
    if (request.url !== '/token') {
      const policy = new URL(request.url ?? '', 'http://localhost').searchParams.get('policy');
      if (policy) response.setHeader('content-security-policy', policy);
      response.setHeader('content-type', 'text/html').end(page);
      return;
    }
    let body = '';
    request.on('data', (chunk) => {
      body += String(chunk);
    });
    request.on('end', () => {
      svc
        .portalToken(JSON.parse(body))
        .then((token) => response.end(JSON.stringify(token)))
        .catch((error: Error) => response.writeHead(500).end(error.message));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  await svc.allowedOrigins.set([origin]);
  for (const [id, scenario] of Object.entries(tenants)) {
    await svc.portalInfo(id, ada as PortalInfo);
    await svc.simulation.scenario(id, { scenario });
  }
  await svc.webhooks.endpoints.create({ url: `${origin}/hook`, description: 'Ledger' });
  return {
    svc,
    apiKey,
    pms,
    origin,
    /** This server under another name, which the partner has not allowed. */
    foreignOrigin: `http://localhost:${port}`,
    serviceOrigin,
    addressOf(settings: Record<string, string> = {}, from = origin) {
      const all = { pms, service: serviceOrigin, ...settings };
      return `${from}/?${new URLSearchParams(all)}`;
    },
    close: () => new Promise((closed) => server.close(closed)),
  };
}

const page = `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Back office</title><style>body { margin: 24px; font-family: system-ui } #root { display: grid; gap: 24px }</style>
<main><h1>Back office</h1><div id="root"></div></main><script type="module" src="/page.js"></script>`;

async function bundlePage(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    mode: 'development',
    define: { 'process.env.NODE_ENV': '"development"' },
    resolve: { conditions: ['source'] },
    build: {
      write: false,
      minify: false,
      rolldownOptions: { input: fileURLToPath(new URL('staff-page.tsx', import.meta.url)) },
    },
  });
  const [first] = Array.isArray(built) ? built : [built];
  if (!first || !('output' in first)) throw new Error('the build gave no bundle');
  return first.output[0].code;
}
