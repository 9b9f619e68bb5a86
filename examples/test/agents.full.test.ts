import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  getDefaultEnvironment,
  StdioClientTransport,
} from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { pageCaseNames } from '@svc/contract';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { environment, freePort, type RunningService, startBuiltService } from './built-service.ts';
import { type Block, blocksIn, offline, openTerminal, type Terminal } from './newcomer.ts';
import { runCertify } from './run-certify.ts';
import { type Agent, blocksOfTab, commandOfTab, openAgent } from './scripted-agent.ts';
import { springPom } from './spring-pom.ts';

// Integrates portals with nothing but the answers of the MCP tools, over both transports. A script decides
// which tool to call next, because no model can be reached from here: see scripted-agent.ts. The user gives
// it a project, and the key in .env, as docs/agents.md says.

const run = promisify(execFile);
const minutes = 60_000;
const root = fileURLToPath(new URL('../..', import.meta.url));

interface Portal {
  /** The tab of the page "existing-app". */
  readonly stack: string;
  readonly transport: 'http' | 'stdio';
  /** Whether a browser opens its page, which is the same one for each stack. */
  readonly opensPage?: boolean;
  /** Programs that have to be on PATH, if not every machine for these tests has them. */
  readonly needs?: readonly string[];
  /** Files of the project that the user has. */
  readonly files?: Readonly<Record<string, string>>;
  /** Makes the rest of this project. */
  readonly create: readonly string[];
  /** Typed in each of the user's terminals. */
  readonly activate?: string;
}

const portals: readonly Portal[] = [
  {
    stack: 'Express',
    transport: 'stdio',
    opensPage: true,
    create: ['sh', '-c', `echo '{ "private": true }' > package.json && npm install express`],
  },
  {
    stack: 'Next.js',
    transport: 'http',
    files: {
      'package.json': JSON.stringify({ private: true, dependencies: nextVersions() }),
      'app/layout.js':
        'export default ({ children }) => <html lang="en"><body>{children}</body></html>;\n',
      'app/page.js': 'export default () => <h1>Your account</h1>;\n',
    },
    create: ['npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts'],
  },
  {
    stack: 'Flask',
    transport: 'http',
    create: ['sh', '-c', 'python3 -m venv .venv && .venv/bin/pip install -q flask'],
    activate: '. .venv/bin/activate',
  },
  {
    stack: 'Django',
    transport: 'stdio',
    create: [
      'sh',
      '-c',
      'python3 -m venv .venv && .venv/bin/pip install -q django && .venv/bin/django-admin startproject portal .',
    ],
    activate: '. .venv/bin/activate',
  },
  {
    stack: 'Go',
    transport: 'http',
    create: ['go', 'mod', 'init', 'portal'],
  },
  {
    // With Spring.
    stack: 'Java',
    transport: 'stdio',
    needs: ['java', 'mvn'],
    files: {
      'pom.xml': springPom('portal'),
      'src/main/java/portal/PortalApplication.java': `package portal;

@org.springframework.boot.autoconfigure.SpringBootApplication
class PortalApplication {
  public static void main(String[] args) {
    org.springframework.boot.SpringApplication.run(PortalApplication.class, args);
  }
}
`,
    },
    // Also downloads what a build needs.
    create: ['mvn', '-q', '-B', 'package'],
  },
];

/** Those of examples/next, whose packages npm has in its cache then. */
function nextVersions(): Record<string, string | undefined> {
  const manifest = readFileSync(join(root, 'examples/next/package.json'), 'utf8');
  const { dependencies } = JSON.parse(manifest) as { dependencies: Record<string, string> };
  const { next, react, 'react-dom': dom } = dependencies;
  return { next, react, 'react-dom': dom };
}

let folder: string;
let service: RunningService;
const terminals: Terminal[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-agents-'));
  service = await startBuiltService(join(folder, 'service'));
});
afterEach(() => Promise.all(terminals.splice(0).map((terminal) => terminal.close())));
afterAll(async () => {
  await service?.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

function connect(transport: Portal['transport'], key: string) {
  if (transport === 'http') {
    return openAgent(
      new StreamableHTTPClientTransport(new URL(`${service.origin}/mcp?write=true`), {
        requestInit: { headers: { authorization: `Bearer ${key}` } },
      }),
    );
  }
  return openAgent(
    new StdioClientTransport({
      command: process.execPath,
      args: [join(root, 'packages/cli/dist/svc.mjs'), 'mcp', '--write'],
      env: { ...getDefaultEnvironment(), SVC_API_KEY: key, SVC_URL: service.origin },
    }),
  );
}

async function open(project: string, { activate }: Portal): Promise<Terminal> {
  const env = { ...environment(), PYTHONUNBUFFERED: '1', npm_config_prefer_offline: 'true' };
  const terminal = openTerminal(project, env);
  terminals.push(terminal);
  if (activate !== undefined) await terminal.run(activate);
  return terminal;
}

test.for(portals)(
  'the tools’ answers are enough to integrate a portal in $stack, over $transport',
  { timeout: 10 * minutes },
  async (portal, { skip }) => {
    for (const program of portal.needs ?? []) {
      await run(program, ['-version']).catch(() => skip(`${program} is not installed`));
    }
    const project = await mkdtemp(join(folder, 'project-'));
    for (const [path, text] of Object.entries(portal.files ?? {})) await write(project, path, text);
    const [program = '', ...args] = portal.create;
    const creating = run(program, args, { cwd: project, env: environment() });
    await creating.catch((error: Error & { stdout: string }) => {
      // Maven prints its errors to stdout.
      if (offline.test(error.message + error.stdout))
        skip(`the registry of ${portal.stack} cannot be reached`);
      throw error;
    });
    const port = await freePort();
    const pms = `agent-${port}`;
    const created = await service.operate(['partner', 'create', pms]);
    const key = /API key +(\S+)/.exec(created)?.[1] ?? '';
    await writeFile(join(project, '.env'), `SVC_API_KEY=${key}\nSVC_PMS=${pms}\n`);
    const agent = await connect(portal.transport, key);
    try {
      expect(await agent.json('show_partner')).toMatchObject({ pms, environment: 'sandbox' });
      await integrate(agent, portal, { project, port, key });
    } finally {
      await agent.close();
    }
  },
);

async function integrate(
  agent: Agent,
  portal: Portal,
  { project, port, key }: { project: string; port: number; key: string },
): Promise<void> {
  const { quote, use, json } = agent;
  // The portal runs at another port than the docs' samples.
  const local = (text: string) =>
    quote(text)
      .replaceAll('localhost:3000', `localhost:${port}`)
      .replaceAll(/(--port |port=|:)3000\b/g, `$1${port}`)
      .replaceAll('listen(3000)', `listen(${port})`);

  const { results } = await json<{ results: { page: string }[] }>('search_docs', {
    query: `existing app ${portal.stack}`,
  });
  const found = results.map(({ page }) => page.split('#')[0]);
  expect(found).toContain(quote('existing-app'));
  const guide = await agent.read('existing-app');
  const blocks = blocksOfTab(guide, portal.stack);

  const terminal = await open(project, portal);
  await terminal.run(quote(commandOfTab(guide, portal.stack, 'Install')));
  await addDependency(project, quote(commandOfTab(guide, portal.stack, pomCaption)));
  for (const { title, code } of blocks) {
    if (title !== null) await write(project, quote(title), local(code));
  }
  const page = blocksIn(await agent.read(quote('html#fallback')));
  const widget = page.find(({ title }) => title === 'rent.html') as Block;
  await write(project, quote('public/rent.html'), local(widget.code));

  await use('allow_origin', { origin: local('http://localhost:3000') });
  const { endpoint, next } = await json<{ endpoint: { id: string }; next: { command: string } }>(
    'create_endpoint',
    { url: local('http://localhost:3000/api/svc/webhooks') },
  );
  expect((await terminal.run(quote(next.command))).trim()).toBe('');
  expect(await readFile(join(project, '.env'), 'utf8')).toMatch(/^SVC_WEBHOOK_SECRET=whsec_/m);

  const server = await open(project, portal);
  server.start(local(commandOfTab(guide, portal.stack, 'Start')));
  const report = local('curl -X POST http://localhost:3000/api/svc/token');
  await expect
    .poll(() => terminal.run(report).catch(() => server.output()), { timeout: minutes })
    .toContain('svc_tt_');

  const checks = async () => {
    const { checks: all } = await json<{ checks: { id: string; status: string }[] }>('run_doctor', {
      page_url: local('http://localhost:3000/rent.html'),
      external_id: quote('t-100'),
    });
    return all.filter(({ status }) => status === 'fail' || status === 'warn');
  };
  expect(await checks(), server.output()).toEqual([]);
  if (portal.opensPage) {
    const page = local('http://localhost:3000/rent.html');
    expect(await certifyPage(agent, page, key), server.output()).toEqual([]);
  }

  await use('play_scenario', { external_id: 't-100', scenario: quote('split') });
  const settlements = async () =>
    (await json<{ items: object[] }>('list_settlements', { external_id: 't-100' })).items;
  await expect
    .poll(settlements, { timeout: minutes })
    .toMatchObject([{ status: 'verified', processor_transaction_id: expect.any(String) }]);

  // A repeated message is accepted, and nothing is debited again.
  const { items } = await json<{ items: { id: string }[] }>('list_messages', {
    external_id: 't-100',
    event_type: 'settlement.created',
  });
  const message_id = items[0]?.id ?? '';
  const attempts = async () =>
    (await json<{ attempts: { status: number }[] }>('show_message', { message_id })).attempts.map(
      ({ status }) => status,
    );
  // The portal reports the settlement before it remembers the event and answers.
  await expect.poll(attempts, { timeout: minutes }).toEqual([204]);
  await use('replay_message', { message_id, endpoint_id: endpoint.id });
  await expect.poll(attempts, { timeout: minutes }).toEqual([204, 204]);
  expect(server.output().match(/^Debit 152012/gm)).toHaveLength(1);
  // The charge is credited, so nothing of the integration is left to correct.
  expect(await terminal.run(report)).toContain('svc_tt_');
  expect(await checks(), server.output()).toEqual([]);

  expect(await certify(agent), server.output()).toEqual([]);
}

/** Runs the cases that need no browser, and returns those that fail. */
async function certify({ json }: Agent): Promise<object[]> {
  const { id, cases } = await json<{ id: string; cases: { name: string; area: string }[] }>(
    'start_certification',
  );
  // Others may be skipped: those that need a tenant query, which is no part of the guide.
  const mustPass = ['handshake', 'debited_once', 'reported', 'daily_report'];
  const failed: object[] = [];
  for (const { name } of cases.filter(({ area }) => area !== 'page')) {
    const input = { certification_id: id, case: name };
    const result = await json<{ status: string; cause: string }>('run_certification_case', input);
    if (result.status === 'fail' || (result.status !== 'pass' && mustPass.includes(name))) {
      failed.push({ ...result, steps: [] });
    }
  }
  await json('finish_certification', { certification_id: id });
  return failed;
}

/**
 * Runs the cases of the page with the command of the guide. Two of them split the rent more than once, which the
 * portal of the guide allows once: its ledger has the rent as paid then.
 */
async function certifyPage({ quote, read }: Agent, page: string, apiKey: string) {
  await read('certify');
  const names = pageCaseNames.filter((name) => !['click_to_done', 'keyboard_only'].includes(name));
  const options = [quote('--page'), page, quote('--only'), names.map(quote).join(',')];
  const cases = await runCertify({ origin: service.origin, apiKey, home: folder }, options);
  return cases
    .filter(({ name, status }) => names.some((it) => it === name) && !/^(pass|warn)$/.test(status))
    .map((it) => ({ ...it, steps: [] }));
}

const pomCaption = 'Add to the dependencies in pom.xml';

async function addDependency(project: string, dependency: string): Promise<void> {
  if (dependency === '') return;
  const pom = join(project, 'pom.xml');
  const text = await readFile(pom, 'utf8');
  await writeFile(pom, text.replace('</dependencies>', `${dependency}\n</dependencies>`));
}

async function write(project: string, path: string, code: string): Promise<void> {
  await mkdir(join(project, path, '..'), { recursive: true });
  await writeFile(join(project, path), code);
}
