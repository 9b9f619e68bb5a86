import type { Project } from './project.ts';

interface TemplateValues {
  /** `Sandbox` or `Production`: a member of the SDK's `Environment`. */
  readonly environment: string;
}

export interface Template {
  /** Below the project's folder. */
  readonly path: string;
  readonly content: string;
}

/** The files and settings that a project gets. */
export interface Blueprint {
  readonly files: readonly Template[];
  /** Our packages. */
  readonly packages: readonly string[];
  /** Packages of the registry that the files import. */
  readonly others: readonly string[];
  /** The file with secrets. */
  readonly envFile: string;
  /** How to start it, and where the page is. */
  readonly start: string;
  readonly page: string;
  readonly webhooks: string;
  /** The next steps, beyond trying it out. */
  readonly notes: readonly string[];
}

export function blueprintOf(project: Project, values: TemplateValues): Blueprint {
  switch (project.framework) {
    case 'next':
      return nextBlueprint(project, values);
    case 'vite':
      return viteBlueprint(project, values);
    case 'express':
      return expressBlueprint(project, values);
  }
}

/** Returns TypeScript's annotations only where the file is TypeScript. */
function annotate(typescript: boolean): (text: string) => string {
  return (text) => (typescript ? text : '');
}

function nextBlueprint(project: Project, { environment }: TemplateValues): Blueprint {
  const { sources, typescript } = project;
  const [js, jsx] = typescript ? ['ts', 'tsx'] : ['js', 'jsx'];
  const t = annotate(typescript);
  return {
    packages: ['@svc/core', '@svc/react', '@svc/node'],
    others: [],
    envFile: '.env.local',
    start: 'npx next dev',
    page: 'http://localhost:3000/rent',
    webhooks: 'http://localhost:3000/api/svc/webhooks',
    notes: [
      `Replace currentTenant() in ${sources}lib/svc.${js} by your session and your database.`,
    ],
    files: [
      { path: `${sources}lib/svc.${js}`, content: settingsModule(t) },
      {
        path: `${sources}app/rent/page.${jsx}`,
        content: `import { signWidget } from '@svc/node';
import { connection } from 'next/server';
import { Suspense } from 'react';
import { currentTenant, readSettings } from '../../lib/svc';
import { RentWidget } from './rent-widget';

export default function Page() {
  return (
    <main>
      <h1>Your rent</h1>
      <Suspense fallback={<div style={{ minHeight: 250 }} />}>
        <Rent />
      </Suspense>
    </main>
  );
}

async function Rent() {
  // The tenant differs with each request, so this part is never prerendered.
  await connection();
  const { apiKey, pms, baseUrl } = readSettings();
  const tenant = await currentTenant();
  const signature = await signWidget({ apiKey, pms, externalId: tenant.id });
  return (
    <RentWidget
      balance={tenant.balanceInCents}
      pms={pms}
      externalId={tenant.id}
      signature={signature}
      baseUrl={baseUrl}
    />
  );
}
`,
      },
      {
        path: `${sources}app/rent/rent-widget.${jsx}`,
        content: `'use client'; // callbacks cannot be passed from a server component

${reactWidget(t, environment, '/api/svc/token')}`,
      },
      {
        path: `${sources}app/api/svc/token/route.${js}`,
        content: `import { currentTenant, createTenantToken } from '../../../../lib/svc';

/** On click: a tenant token, with which the page opens the experience. */
export async function POST()${t(': Promise<Response>')} {
  const token = await createTenantToken(await currentTenant());
  return Response.json({ token });
}
`,
      },
      {
        path: `${sources}app/api/svc/webhooks/route.${js}`,
        content: `import { verifyWebhook, WebhookVerificationError } from '@svc/node';
import { handleEvent, readSettings } from '../../../../lib/svc';

/** Verifies the raw body and answers 2xx within 15 seconds. Anything else is sent again. */
export async function POST(request${t(': Request')})${t(': Promise<Response>')} {
  const body = new Uint8Array(await request.arrayBuffer());
  try {
    handleEvent(verifyWebhook(body, request.headers, readSettings().webhookSecret));
    return new Response(null, { status: 204 });
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return new Response(error.message, { status: 400 });
  }
}
`,
      },
    ],
  };
}

/** The widget as a React component, for Next.js and Vite. */
function reactWidget(t: (text: string) => string, environment: string, tokenPath: string): string {
  const props = t(`interface RentWidgetProps {
  balance: number; // cents
  pms: string;
  externalId: string;
  signature: string;
  baseUrl: string;
}

`);
  return `import { Environment, openExperienceAndSetToken, SvcWidget } from '@svc/react';

${props}export function RentWidget(props${t(': RentWidgetProps')}) {
  return (
    <SvcWidget
      {...props}
      environment={Environment.${environment}}
      onEvent={(type, data) => console.log(type, data)}
      onWidgetClickCallback={async () => {
        const response = await fetch('${tokenPath}', { method: 'POST' });
        if (!response.ok) throw new Error(\`The token request failed with \${response.status}.\`);
        const { token } = await response.json();
        await openExperienceAndSetToken({ token });
      }}
    />
  );
}
`;
}

/** Settings, the tenant and the token: the part of the backend that every framework shares. */
function settingsModule(t: (text: string) => string): string {
  const types = t(`export interface Tenant {
  id: string;
  firstName: string;
  lastName: string;
  email: string;
  balanceInCents: number;
}

`);
  return `import { SvcClient${t(', type WebhookEvent')} } from '@svc/node';

${types}/** From the environment. The API key never reaches the browser. */
export function readSettings() {
  const { SVC_API_KEY, SVC_PMS, SVC_URL, SVC_WEBHOOK_SECRET } = process.env;
  if (!SVC_API_KEY || !SVC_PMS || !SVC_URL || !SVC_WEBHOOK_SECRET) {
    throw new Error('Set SVC_API_KEY, SVC_PMS, SVC_URL and SVC_WEBHOOK_SECRET: "svc init" does.');
  }
  return {
    apiKey: SVC_API_KEY,
    pms: SVC_PMS,
    baseUrl: \`\${SVC_URL}/v1\`,
    webhookSecret: SVC_WEBHOOK_SECRET,
  };
}

/** The signed-in tenant. Replace it with your session and your database. */
export async function currentTenant()${t(': Promise<Tenant>')} {
  return {
    id: 't-100',
    firstName: 'Ada',
    lastName: 'Lane',
    email: 'ada@example.com',
    balanceInCents: 152012,
  };
}

/** Reports the tenant and the open charges, and returns a tenant token for the page. */
export async function createTenantToken(tenant${t(': Tenant')})${t(': Promise<string | null>')} {
  const { apiKey, baseUrl } = readSettings();
  const svc = new SvcClient({ apiKey, baseUrl });
  const { token, warnings } = await svc.portalInfo(tenant.id, {
    first_name: tenant.firstName,
    last_name: tenant.lastName,
    email: tenant.email,
    charges: [
      // Every open charge of your ledger. The due date is a day in the home's time zone. A charge can be
      // split from seven days before it is due until nine days after.
      {
        id: 'C-1',
        due_date: new Date().toISOString().slice(0, 10),
        amount_in_cents: tenant.balanceInCents,
      },
    ],
  });
  for (const { message } of warnings) console.warn(message);
  return token;
}

const handled = new Set${t('<string>')}(); // stands for your database

/** Handles each event once: a message can arrive twice. */
export function handleEvent(event${t(': WebhookEvent')})${t(': void')} {
  if (handled.has(event.id)) return;
  handled.add(event.id);
  console.log(event.type, event.external_id);
  // Test sends and events that you publish yourself have example data: never debit for them.
  if (event.test || event.custom) return;
  if (event.type === 'settlement.created') {
    console.log('Debit', event.data.settlement_id, event.data.amount_in_cents);
  }
}
`;
}

/** The routes of a backend on Express, with the page in it or only with its settings. */
function routerModule(t: (text: string) => string, settings: string, page: string): string {
  const types = t(`import type { NextFunction, Request, RequestHandler, Response } from 'express';
`);
  return `import { signWidget, verifyWebhook, WebhookVerificationError } from '@svc/node';
${types}import express from 'express';
import { createTenantToken, currentTenant, handleEvent, readSettings } from './${settings}';

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

/** Verifies the raw body and answers 2xx within 15 seconds. Anything else is sent again. */
svcRouter.post('/api/svc/webhooks', express.raw({ type: '*/*' }), (request, response) => {
  try {
    handleEvent(verifyWebhook(request.body, request.headers, readSettings().webhookSecret));
    response.sendStatus(204);
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    response.status(400).send(error.message);
  }
});

${page}
/** Express 4 does not catch what an async function throws. */
function handle(work${t(': (request: Request, response: Response) => Promise<void>')})${t(': RequestHandler')} {
  return (request${t(': Request')}, response${t(': Response')}, next${t(': NextFunction')}) => {
    work(request, response).catch(next);
  };
}
`;
}

const settingsRoute = `svcRouter.get(
  '/api/svc/settings',
  handle(async (_request, response) => {
    response.json(await widgetSettings());
  }),
);
`;

const portInUse = `server.on('error', (error) => {
  if (error.code !== 'EADDRINUSE') throw error;
  console.error(\`Port \${port} is in use. Stop the other program, or set PORT to a free one.\`);
  process.exitCode = 1;
});
`;

function viteBlueprint(project: Project, { environment }: TemplateValues): Blueprint {
  const { react, typescript } = project;
  const t = annotate(typescript);
  const jsx = typescript ? 'tsx' : 'jsx';
  const script = react ? `src/svc/rent.${jsx}` : `src/svc/rent.${typescript ? 'ts' : 'js'}`;
  const none = annotate(false);
  return {
    packages: react ? ['@svc/core', '@svc/react', '@svc/node'] : ['@svc/core', '@svc/node'],
    others: project.dependencies.has('express') ? [] : ['express'],
    envFile: '.env.local',
    start: 'node --env-file=.env.local server/svc.mjs',
    page: 'http://localhost:3000/rent.html',
    webhooks: 'http://localhost:3000/api/svc/webhooks',
    notes: [
      'Replace currentTenant() in server/svc-backend.mjs by your session and your database.',
      'In production, mount svcRouter in your own server, next to the files that "vite build" writes.',
    ],
    files: [
      { path: 'server/svc-backend.mjs', content: settingsModule(none) },
      {
        path: 'server/svc-router.mjs',
        content: routerModule(none, 'svc-backend.mjs', settingsRoute),
      },
      {
        path: 'server/svc.mjs',
        content: `import { createServer } from 'node:http';
import express from 'express';
import { createServer as createVite } from 'vite';
import { svcRouter } from './svc-router.mjs';

// Vite and the backend on one port, so that the page needs neither CORS nor a proxy.
const port = Number(process.env.PORT ?? 3000);
const app = express();
const server = createServer(app);
${portInUse}app.use(svcRouter);
const vite = await createVite({ server: { middlewareMode: true, hmr: { server } } });
app.use(vite.middlewares);
server.listen(port, () => console.log(\`http://localhost:\${port}/rent.html\`));
server.on('close', () => vite.close());
`,
      },
      {
        path: 'rent.html',
        content: `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Your rent</title>
    <link rel="icon" href="data:," />
    <script type="module" src="/${script}"></script>
  </head>
  <body>
    <main style="max-width: 560px">
      <h1>Your rent</h1>
      <div id="rent" style="min-height: 250px"></div>
    </main>
  </body>
</html>
`,
      },
      react
        ? { path: script, content: viteReactScript(t, environment) }
        : { path: script, content: vitePlainScript(t, environment) },
    ],
  };
}

function viteReactScript(t: (text: string) => string, environment: string): string {
  return `${reactWidget(t, environment, '/api/svc/token').replace(
    `from '@svc/react';\n`,
    `from '@svc/react';\nimport { createRoot } from 'react-dom/client';\n`,
  )}
const box = document.getElementById('rent');
const response = await fetch('/api/svc/settings');
if (!response.ok) throw new Error(\`The settings request failed with \${response.status}.\`);
const settings = await response.json();
if (box) createRoot(box).render(<RentWidget {...settings} />);
`;
}

function vitePlainScript(t: (text: string) => string, environment: string): string {
  return `import { Environment, Svc } from '@svc/core';

const response = await fetch('/api/svc/settings');
if (!response.ok) throw new Error(\`The settings request failed with \${response.status}.\`);
const svc = Svc({
  ...(await response.json()),
  environment: Environment.${environment},
  onEvent: (type${t(': string')}, data${t(': unknown')}) => console.log(type, data),
  async onWidgetClickCallback() {
    const answer = await fetch('/api/svc/token', { method: 'POST' });
    if (!answer.ok) throw new Error(\`The token request failed with \${answer.status}.\`);
    const { token } = await answer.json();
    await svc.openExperienceAndSetToken(token);
  },
});
document.getElementById('rent')?.append(svc.createWidget());
`;
}

function expressBlueprint(project: Project, { environment }: TemplateValues): Blueprint {
  const { typescript, sources, modules } = project;
  const t = annotate(typescript);
  const js = typescript ? 'ts' : modules ? 'js' : 'mjs';
  const folder = `${sources}svc`;
  // TypeScript resolves the compiled name.
  const imported = typescript ? 'js' : js;
  const start = `${typescript ? 'npx tsx' : 'node'} --env-file=.env ${folder}/server.${js}`;
  return {
    packages: ['@svc/node'],
    others: project.dependencies.has('express') ? [] : ['express'],
    envFile: '.env',
    start,
    page: 'http://localhost:3000/rent',
    webhooks: 'http://localhost:3000/api/svc/webhooks',
    notes: [
      `Replace currentTenant() in ${folder}/backend.${js} by your session and your database.`,
      `Mount svcRouter of ${folder}/router.${js} in your app, before express.json().`,
    ],
    files: [
      { path: `${folder}/backend.${js}`, content: settingsModule(t) },
      {
        path: `${folder}/router.${js}`,
        content: routerModule(t, `backend.${imported}`, expressPage(t, environment)),
      },
      {
        path: `${folder}/server.${js}`,
        content: `import express from 'express';
import { svcRouter } from './router.${imported}';

// To try the page at once, without the rest of your app.
const port = Number(process.env.PORT ?? 3000);
const app = express();
app.use(svcRouter);
const server = app.listen(port, (error${t('?: Error')}) => {
  if (!error) console.log(\`http://localhost:\${port}/rent\`);
});
${portInUse.replace('(error)', `(error${t(': NodeJS.ErrnoException')})`)}`,
      },
    ],
  };
}

/** A page with the SDK of the service, by script tag and hash. */
function expressPage(t: (text: string) => string, environment: string): string {
  return `svcRouter.get(
  '/rent',
  handle(async (_request, response) => {
    response.type('html').send(rentPage(await widgetSettings(), await sdkScript()));
  }),
);

/** The SDK of the service. Its URL never changes, and the browser checks its hash. */
async function sdkScript()${t(': Promise<string>')} {
  const { origin } = new URL(readSettings().baseUrl);
  const { files } = await (await fetch(\`\${origin}/sdk/release.json\`)).json();
  const { path, integrity } = files['svc.iife.js'];
  return \`<script src="\${origin}\${path}" integrity="\${integrity}" crossorigin="anonymous"></script>\`;
}

function rentPage(settings${t(': object')}, sdk${t(': string')})${t(': string')} {
  const json = JSON.stringify({ ...settings, environment: '${environment.toLowerCase()}' });
  return \`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Your rent</title>
<link rel="icon" href="data:,">
\${sdk}
</head>
<body>
<main style="max-width: 560px">
<h1>Your rent</h1>
<div id="rent" style="min-height: 250px"></div>
</main>
<script type="module">
const svc = globalThis.Svc({
  ...\${json.replaceAll('<', '\\\\u003c')},
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
</html>\`;
}
`;
}
