import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { compile as compileSvelte } from 'svelte/compiler';
import { build } from 'vite';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { compileScript, parse as parseVue } from 'vue/compiler-sfc';
import { chromiumLaunchOptions } from '../../scripts/chromium.mjs';
import { environment, freePort, type RunningService, startBuiltService } from './built-service.ts';
import { type Block, printedBlocks } from './newcomer.ts';

// Opens each page of the frontend guides as a service on another port than 4000 prints it, with the
// backend of docs/backend.md behind it. Nothing in the printed code is changed: the widget has to find
// its service, and a click has to open the experience.

const root = new URL('../..', import.meta.url).pathname;
let folder: string;
let service: RunningService;
let browser: Browser;
let backend: ChildProcess;
let backendOrigin: string;
const servers: Server[] = [];

beforeAll(async () => {
  // Inside of the repository, whose packages the backend and the components import.
  await mkdir(join(root, '.cache'), { recursive: true });
  folder = await mkdtemp(join(root, '.cache/printed-docs-'));
  [service, browser] = await Promise.all([
    startBuiltService(await mkdtemp(join(tmpdir(), 'svc-printed-'))),
    chromiumLaunchOptions().then((options) => chromium.launch(options)),
  ]);
  if (service.origin.endsWith(':4000')) throw new Error('The docs must run on another port.');
  await startBackend();
});
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});
afterAll(async () => {
  await browser?.close();
  backend?.kill();
  await service?.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** The Node.js blocks of the backend's page, one after the other, on a free port. */
async function startBackend(): Promise<void> {
  const port = await freePort();
  const blocks = await printedBlocks(service.origin, 'backend');
  const program = blocks.filter(({ title }) => title === 'server.mjs').map(({ code }) => code);
  const file = join(folder, 'server.mjs');
  await writeFile(file, program.join('\n').replace('listen(3000)', `listen(${port})`));
  const pms = 'my-portal';
  const created = await service.operate(['partner', 'create', pms]);
  const key = /API key +(\S+)/.exec(created)?.[1] ?? '';
  backend = spawn(process.execPath, [file], {
    env: {
      ...environment(),
      SVC_API_KEY: key,
      SVC_PMS: pms,
      SVC_WEBHOOK_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    },
    stdio: 'inherit',
  });
  backendOrigin = `http://127.0.0.1:${port}`;
  const answers = () =>
    fetch(`${backendOrigin}/api/svc/settings`).then(
      ({ status }) => status,
      () => 0,
    );
  await vi.waitFor(
    async () => {
      const status = await answers();
      if (status !== 200) throw new Error(`The backend of the docs answers ${status}.`);
    },
    { timeout: 60_000, interval: 100 },
  );
}

/** Serves the reader's files; everything else goes to the reader's backend. */
async function serve(files: Readonly<Record<string, string>>): Promise<string> {
  const types = { html: 'text/html', js: 'text/javascript' };
  const server = createServer(async (request, response) => {
    const path = request.url ?? '/';
    const code = files[path];
    if (code !== undefined) {
      const type = types[path.split('.').at(-1) as 'html' | 'js'] ?? 'text/html';
      response.writeHead(200, { 'content-type': type }).end(code);
      return;
    }
    if (!path.startsWith('/api/')) {
      response.writeHead(404).end();
      return;
    }
    const answer = await fetch(backendOrigin + path, { method: request.method ?? 'GET' });
    response
      .writeHead(answer.status, { 'content-type': 'application/json' })
      .end(await answer.text());
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Opens a page, clicks its widget and waits for the experience's first heading. */
async function clickThrough(address: string): Promise<void> {
  const page = await browser.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    const isOurs = /Svc \d|Failed to load/.test(message.text());
    if (isOurs && !message.text().includes('favicon')) problems.push(message.text());
  });
  page.on('requestfailed', (request) => problems.push(`${request.url()} failed`));
  await page.goto(address);
  await page.getByRole('button', { name: 'See my options' }).click({ timeout: 30_000 });
  await page
    .frameLocator('dialog iframe')
    .getByRole('heading')
    .first()
    .waitFor({ timeout: 30_000 });
  await page.close();
  expect(problems.filter((it) => !it.includes('404'))).toEqual([]);
}

const htmlOf = (blocks: readonly Block[]) => blocks.filter(({ language }) => language === 'html');

test('each page of the plain HTML guide opens the experience', async () => {
  const blocks = await printedBlocks(service.origin, 'html');
  const pages = htmlOf(blocks);
  expect(pages).toHaveLength(4);
  const script = blocks.find(({ title }) => title === 'rent.js')?.code ?? '';
  for (const { code } of pages) {
    await clickThrough(`${await serve({ '/rent.html': code, '/rent.js': script })}/rent.html`);
  }
}, 300_000);

/** What a reader adds around the component of a guide: it fetches the settings, and can change the balance. */
const frameworks = [
  {
    page: 'react',
    component: 'rent.tsx',
    files: {
      'main.tsx': `import { createRoot } from 'react-dom/client';
import { Rent } from './rent.tsx';
const { externalId: id, balance: balanceInCents, signature } = await (await fetch('/api/svc/settings')).json();
const root = createRoot(document.querySelector('#app'));
window.setBalance = (cents) => root.render(<Rent tenant={{ id, balanceInCents: cents, signature }} />);
window.setBalance(balanceInCents);`,
    },
  },
  {
    page: 'vue',
    component: 'Rent.vue',
    files: {
      'main.tsx': `import { createApp, h, shallowRef } from 'vue';
import Rent from './Rent.vue';
const settings = shallowRef(await (await fetch('/api/svc/settings')).json());
const fetchToken = async () => (await (await fetch('/api/svc/token', { method: 'POST' })).json()).token;
window.setBalance = (balance) => { settings.value = { ...settings.value, balance }; };
createApp({ render: () => h(Rent, { settings: settings.value, fetchToken }) }).mount('#app');`,
    },
  },
  {
    page: 'svelte',
    component: 'Rent.svelte',
    files: {
      'App.svelte': `<script>
import Rent from './Rent.svelte';
const { first, fetchToken } = $props();
let settings = $state.raw(first);
window.setBalance = (balance) => { settings = { ...settings, balance }; };
</script>
<Rent {settings} {fetchToken} />`,
      'main.tsx': `import { mount } from 'svelte';
import App from './App.svelte';
const first = await (await fetch('/api/svc/settings')).json();
const fetchToken = async () => (await (await fetch('/api/svc/token', { method: 'POST' })).json()).token;
mount(App, { target: document.querySelector('#app'), props: { first, fetchToken } });`,
    },
  },
] as const;

test.each(frameworks)(
  'the component of the $page guide opens the experience and shows a new balance',
  async ({ page, component, files }) => {
    const printed = (await printedBlocks(service.origin, page)).find(
      ({ title }) => title === component,
    );
    // The name that the reader got with the key stands for itself: the service has this portal.
    const script = await bundle({ ...files, [component]: printed?.code ?? '' });
    const html =
      '<!doctype html><div id="app"></div><script type="module" src="/main.js"></script>';
    const address = await serve({ '/rent.html': html, '/main.js': script });
    await clickThrough(`${address}/rent.html`);
    const tab = await browser.newPage();
    await tab.goto(`${address}/rent.html`);
    await tab.getByText('$1,520.12').waitFor();
    await tab.evaluate(() => (globalThis as unknown as Reader).setBalance(98_000));
    await tab.getByText('$980.00').waitFor();
    await tab.close();
  },
  120_000,
);

interface Reader {
  setBalance(cents: number): void;
}

/** One script of a reader's files and what they import. */
async function bundle(files: Readonly<Record<string, string>>): Promise<string> {
  const project = await mkdtemp(join(folder, 'app-'));
  for (const [name, code] of Object.entries(files)) await writeFile(join(project, name), code);
  const result = await build({
    root: project,
    configFile: false,
    logLevel: 'warn',
    plugins: [
      {
        name: 'components',
        transform(code, id) {
          if (id.endsWith('.vue')) {
            const { descriptor } = parseVue(code);
            return compileScript(descriptor, { id: 'rent', inlineTemplate: true }).content;
          }
          if (id.endsWith('.svelte')) {
            return compileSvelte(code, { generate: 'client', filename: id }).js.code;
          }
          return null;
        },
      },
    ],
    esbuild: { jsx: 'automatic' },
    build: {
      write: false,
      target: 'es2023',
      modulePreload: false,
      rollupOptions: { input: join(project, 'main.tsx') },
    },
  });
  const [output] = Array.isArray(result) ? result : [result];
  const chunk = output && 'output' in output ? output.output[0] : undefined;
  if (chunk?.type !== 'chunk') throw new Error('The page was not bundled.');
  return chunk.code;
}
