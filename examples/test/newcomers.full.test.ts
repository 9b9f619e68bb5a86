import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SvcClient } from '@svc/node';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { chromiumLaunchOptions } from '../../scripts/chromium.mjs';
import { environment, freePort, type RunningService, startBuiltService } from './built-service.ts';
import {
  type Block,
  commandsOf,
  effortOf,
  offline,
  openTerminal,
  printedBlocks,
  type Terminal,
  writeBlock,
} from './newcomer.ts';

// Follows the quickstarts as a partner's developer does: types their commands in terminals, writes
// their files, opens the page in a browser, and ends with a settlement that the new app has verified
// and reported. The packages come from a real service, and nothing of ours from a registry.

const run = promisify(execFile);
let folder: string;
let service: RunningService;
let browser: Browser;
const terminals: Terminal[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-newcomers-'));
  [service, browser] = await Promise.all([
    startBuiltService(join(folder, 'service')),
    chromiumLaunchOptions().then((options) => chromium.launch(options)),
  ]);
});
afterEach(() => Promise.all(terminals.splice(0).map((terminal) => terminal.close())));
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** A terminal for the developer. npm finds no package of ours in a registry. */
function open(at: string, env: Record<string, string> = {}): Terminal {
  const terminal = openTerminal(at, {
    ...environment(),
    NEXT_TELEMETRY_DISABLED: '1',
    npm_config_userconfig: join(folder, 'npmrc'),
    npm_config_prefer_offline: 'true',
    npm_config_update_notifier: 'false',
    ...env,
  });
  terminals.push(terminal);
  return terminal;
}

/** What every reader fills in: the key, the name of the portal, and the port of the new app. */
function filledIn(text: string, { port, key, pms }: { port: number; key: string; pms: string }) {
  return text
    .replaceAll('localhost:3000', `localhost:${port}`)
    .replaceAll('--port 3000', `--port ${port}`)
    .replaceAll('svc_sandbox_…', key)
    .replaceAll('my-portal', pms);
}

interface Guide {
  /** Its page below `/docs`. */
  readonly page: string;
  /** The folder that the commands create. */
  readonly app: string;
  /** The command that starts the app and does not end. */
  readonly serves: string;
}

/** Follows a guide to its end. Resolves with the terminals' last output, or why it cannot be followed. */
async function follow({ page, app, serves }: Guide) {
  const written = await printedBlocks(service.origin, page);
  await writeFile(join(folder, 'npmrc'), '@svc:registry=http://127.0.0.1:9/\n');
  const [port, home] = await Promise.all([freePort(), mkdtemp(join(folder, 'home-'))]);
  // Both guides use the same service, so each creates a portal with a different name.
  const pms = `my-portal-${port}`;
  const [createPartner, ...blocks] = written;
  const created = await service.operate(partnerArgs(createPartner, pms));
  const key = /API key +(\S+)/.exec(created)?.[1] ?? '';
  const start = blocks.findIndex(({ code }) => code.includes(serves));
  const local = blocks.map((block) => ({
    ...block,
    code: filledIn(block.code, { port, key, pms }),
  }));

  const first = open(home, { PORT: String(port) });
  try {
    for (const block of local.slice(0, start)) {
      if (block.title !== null) await writeBlock(join(home, app), block);
      else for (const command of commandsOf(block)) await first.run(command);
    }
  } catch (error) {
    if (offline.test(String(error))) return { skipped: 'the registries cannot be reached', key };
    throw error;
  }
  for (const command of commandsOf(local[start] as Block)) first.start(command);
  await clickThrough(`http://localhost:${port}`, first);

  const second = open(join(home, app));
  const last = local.slice(start + 1).flatMap(commandsOf);
  for (const command of last.slice(0, -1)) {
    expect(await second.run(command), command).not.toMatch(/"error":\{/);
  }
  const look = last.at(-1) ?? '';
  await expect.poll(() => second.run(look), { timeout: 60_000 }).toContain('"status":"verified"');
  return { key, port, effort: effortOf(written), project: join(home, app) };
}

/** `svc-admin partner create my-portal`, as the guide's first block says. */
function partnerArgs(block: Block | undefined, pms: string): string[] {
  const [, args = ''] = /^npm run svc-admin -- (.+)$/m.exec(block?.code ?? '') ?? [];
  return args.replace('my-portal', pms).split(' ');
}

/** Opens the page and clicks the widget, so that the app reports the tenant and the rent. */
async function clickThrough(address: string, app: Terminal): Promise<void> {
  await expect
    .poll(
      () =>
        fetch(address).then(
          ({ status }) => status,
          () => app.output(),
        ),
      {
        timeout: 180_000,
      },
    )
    .toBe(200);
  const page = await browser.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  await page.goto(address);
  await page.getByRole('button', { name: 'See my options' }).click({ timeout: 60_000 });
  await page
    .frameLocator('dialog iframe')
    .getByRole('heading')
    .first()
    .waitFor({ timeout: 60_000 });
  expect(faults).toEqual([]);
  await page.close();
}

/** Messages that the app must refuse, and that it did take ours. */
async function checkReceiver(key: string, port: number): Promise<void> {
  const forged = await fetch(`http://localhost:${port}/api/svc/webhooks`, {
    method: 'POST',
    body: '{"type":"settlement.created","data":{"settlement_id":"stl_1"}}',
    headers: {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
      'webhook-signature': 'v1,AAAA',
    },
  });
  expect(forged.status).toBe(400);
  // An attempt is recorded after its answer, so the last ones may follow.
  const statuses = async () => {
    const answer = await fetch(`${service.origin}/v1/webhooks/attempts`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const { data } = (await answer.json()) as { data: { items: { status: number | null }[] } };
    return [...new Set(data.items.map((it) => it.status))];
  };
  await expect.poll(statuses).toEqual([204]);
}

/**
 * Builds for production, where Next.js checks types and renders what it can ahead. In a container or in
 * CI the build has no settings: they come when the app starts.
 */
async function checkProduction(project: string): Promise<void> {
  const settings = join(project, '.env.local');
  const config = join(project, 'next.config.ts');
  const [variables, withCacheComponents] = await Promise.all([
    readFile(settings, 'utf8'),
    readFile(config, 'utf8'),
  ]);
  expect(withCacheComponents).toContain('cacheComponents: true');
  const terminal = open(project, { NODE_ENV: 'production' });
  await rm(settings);
  // Older apps have no cache components. Tailwind is part of the configuration, so the rest stays.
  await writeFile(
    config,
    withCacheComponents.replace(/^.*(cacheComponents|partialPrefetching).*$/gm, ''),
  );
  await terminal.run('npx next build');
  await writeFile(config, withCacheComponents);
  await terminal.run('npx next build');
  await writeFile(settings, variables);
  const port = await freePort();
  terminal.start(`npx next start --port ${port}`);
  const page = () =>
    fetch(`http://localhost:${port}`).then(
      (response) => response.text(),
      () => terminal.output(),
    );
  await expect.poll(page, { timeout: 60_000 }).toMatch(/signature[^0-9a-f]+[0-9a-f]{64}/);
}

/** Certifies an app with the cases about its debits. Resolves with those that did not pass. */
async function certifyDebits({ key, port }: { key: string; port: number }) {
  const svc = new SvcClient({ apiKey: key, baseUrl: `${service.origin}/v1` });
  const tenant_query_url = `http://localhost:${port}/api/svc/tenant`;
  const { id } = await svc.certifications.start({ tenant_query_url });
  const names = [
    'handshake',
    'duplicates',
    'outage',
    'debited_once',
    'reported',
    'report_repeated',
    'returned',
    'daily_report',
  ] as const;
  for (const name of names) await svc.certifications.runCase(id, name);
  const { cases } = await svc.certifications.finish(id);
  return cases
    .filter(({ name, status }) => names.some((it) => it === name) && status !== 'pass')
    .map(({ name, status, summary, cause }) => ({ name, status, summary, cause }));
}

function report(name: string, { commands, lines }: ReturnType<typeof effortOf>): void {
  console.info(`${name}: ${commands.length} commands, ${lines} lines\n  ${commands.join('\n  ')}`);
}

test('a new Next.js app takes its first settlement, as the quickstart says', async (context) => {
  const guide = { page: 'quickstart-nextjs', app: 'rent', serves: 'npm run dev' };
  const result = await follow(guide);
  if ('skipped' in result) return context.skip(result.skipped);
  const { key, port, effort, project } = result;
  await checkReceiver(key, port);
  report('Next.js', effort);
  expect(effort.commands.length).toBeLessThanOrEqual(12);
  // Nine of them keep the build from rendering the tenant's part, for which it has no settings.
  expect(effort.lines).toBeLessThanOrEqual(70);
  const added = await printedBlocks(service.origin, 'tenant-query');
  for (const block of added.filter(({ title }) => title?.startsWith('app/'))) {
    const code = filledIn(block.code, { port, key, pms: '' });
    await writeBlock(project, { ...block, code });
  }
  expect(await certifyDebits({ key, port })).toEqual([]);
  await Promise.all(terminals.splice(0).map((terminal) => terminal.close()));
  await checkProduction(project);
  const { dependencies } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'));
  expect(dependencies['@svc/react']).toBe(`${service.origin}/sdk/svc-react-0.3.0.tgz`);
}, 900_000);

const python = await run('python3', ['-c', 'import venv, ensurepip']).then(
  () => true,
  () => false,
);

test.skipIf(!python)(
  'a new Flask app takes its first settlement, as the quickstart says',
  async (context) => {
    const result = await follow({
      page: 'quickstart-flask',
      app: 'rent',
      serves: 'flask run',
    });
    if ('skipped' in result) return context.skip(result.skipped);
    const { key, port, effort, project } = result;
    await checkReceiver(key, port);
    report('Flask', effort);
    expect(effort.commands.length).toBeLessThanOrEqual(12);
    expect(effort.lines).toBeLessThanOrEqual(60);
    const added = await printedBlocks(service.origin, 'tenant-query');
    const routes = added.find(({ title }) => title === 'app.py')?.code ?? '';
    const app = await readFile(join(project, 'app.py'), 'utf8');
    const [before = ''] = app.split('@app.post("/api/svc/webhooks")');
    await writeFile(join(project, 'app.py'), `import base64, time\n${before}${routes}`);
    await Promise.all(terminals.splice(0).map((terminal) => terminal.close()));
    const terminal = open(project);
    await terminal.run('. .venv/bin/activate && . ./settings.sh');
    terminal.start(`flask run --port ${port}`);
    const isUp = () =>
      fetch(`http://localhost:${port}`).then(
        ({ ok }) => ok,
        () => false,
      );
    await expect.poll(isUp, { timeout: 60_000 }).toBe(true);
    expect(await certifyDebits({ key, port })).toEqual([]);
  },
  600_000,
);

test('the React package installs into a new Vite project with one command', async (context) => {
  await writeFile(join(folder, 'npmrc'), '@svc:registry=http://127.0.0.1:9/\n');
  const terminal = open(folder);
  try {
    await terminal.run('npm create --yes vite@8 portal -- --template react-ts --no-interactive');
    await terminal.run('cd portal && npm install');
  } catch (error) {
    if (offline.test(String(error))) return context.skip('the registry cannot be reached');
    throw error;
  }
  const page = await (await fetch(`${service.origin}/sdk`)).text();
  const [, command = ''] = /<code>(npm install \S+ \S+svc-react\S+)<\/code>/.exec(page) ?? [];
  await terminal.run(command);
  await writeFile(
    join(folder, 'portal/src/App.tsx'),
    `import { Environment, SvcWidget } from '@svc/react';
export default function App() {
  return (
    <SvcWidget balance={152012} pms="my-portal" externalId="t-100" signature="0"
      environment={Environment.Sandbox} onEvent={console.log} onWidgetClickCallback={() => null} />
  );
}
`,
  );
  expect(await terminal.run('npm run build')).toContain('built in');
}, 600_000);
