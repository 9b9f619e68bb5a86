import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { environment, freePort, type RunningService, startBuiltService } from './built-service.ts';
import { offline, printedBlocks } from './newcomer.ts';
import { springPom } from './spring-pom.ts';

// Runs the backends of docs/backend.md and docs/existing-app.md against a real service, with the libraries
// that the pages name: each signs the widget, gets a tenant token, takes a real settlement.created and
// refuses a forgery.
// A language whose tools or registry are missing is skipped by name.

const run = promisify(execFile);
const minutes = 60_000;

interface Backend {
  readonly name: string;
  /** The page with the program, without `.md`. */
  readonly page: 'backend' | 'existing-app';
  /** The files that the page shows. */
  readonly shown: readonly string[];
  /** Programs that have to be on PATH, each with an argument that prints its version. */
  readonly needs: readonly (readonly [program: string, argument: string])[];
  /** Further files of the project. */
  readonly files?: Readonly<Record<string, string>>;
  /** Where the file goes, if not to the project's root. */
  readonly folder?: string;
  readonly install: (origin: string) => readonly string[];
  /** The command that serves at the port, and does not end. */
  readonly serve: (port: number) => readonly string[];
}

const gemfile =
  'source "https://rubygems.org"\ngem "sinatra"\ngem "rackup"\ngem "puma"\ngem "standardwebhooks"\n';

const csproj =
  '<Project Sdk="Microsoft.NET.Sdk.Web"><PropertyGroup><TargetFramework>net8.0</TargetFramework><ImplicitUsings>enable</ImplicitUsings><Nullable>enable</Nullable></PropertyGroup></Project>\n';

const webhooksLibrary = `<dependency>
  <groupId>com.standardwebhooks</groupId>
  <artifactId>standardwebhooks</artifactId>
  <version>1.1.0</version>
</dependency>`;

const backends: readonly Backend[] = [
  {
    name: 'Node.js',
    page: 'backend',
    shown: ['server.mjs'],
    needs: [['npm', '--version']],
    files: { 'package.json': '{ "private": true }' },
    install: (origin) => ['npm', 'install', `${origin}/sdk/svc-node-0.3.0.tgz`, 'express'],
    serve: () => ['node', 'server.mjs'],
  },
  {
    name: 'Python',
    page: 'backend',
    shown: ['app.py'],
    needs: [['python3', '--version']],
    install: () => [
      'sh',
      '-c',
      'python3 -m venv .venv && .venv/bin/pip install -q flask requests standardwebhooks',
    ],
    serve: (port) => ['.venv/bin/flask', 'run', '--port', String(port)],
  },
  {
    name: 'Ruby',
    page: 'backend',
    shown: ['app.rb'],
    needs: [
      ['ruby', '--version'],
      ['bundle', '--version'],
    ],
    files: { Gemfile: gemfile },
    install: () => ['bundle', 'install', '--quiet'],
    serve: (port) => ['bundle', 'exec', 'ruby', 'app.rb', '-p', String(port)],
  },
  {
    name: 'PHP',
    page: 'backend',
    shown: ['index.php'],
    needs: [
      ['php', '--version'],
      ['composer', '--version'],
    ],
    install: () => ['composer', 'require', '--quiet', 'standard-webhooks/standard-webhooks'],
    serve: (port) => ['php', '-S', `127.0.0.1:${port}`, 'index.php'],
  },
  {
    name: 'Go',
    page: 'backend',
    shown: ['main.go'],
    needs: [['go', 'version']],
    install: () => [
      'sh',
      '-c',
      'go mod init rent && go get github.com/standard-webhooks/standard-webhooks/libraries && go vet . && go build -o rent .',
    ],
    serve: () => ['./rent'],
  },
  {
    name: 'Java',
    page: 'backend',
    shown: ['RentController.java'],
    needs: [['mvn', '--version']],
    files: { 'pom.xml': springPom('rent', webhooksLibrary) },
    folder: 'src/main/java',
    install: () => ['mvn', '-q', '-B', 'package'],
    serve: (port) => ['java', '-jar', 'target/rent-1.jar', `--server.port=${port}`],
  },
  {
    name: 'C#',
    page: 'backend',
    shown: ['Program.cs'],
    needs: [['dotnet', '--version']],
    files: { 'rent.csproj': csproj },
    install: () => [
      'sh',
      '-c',
      'dotnet add package StandardWebhooks && dotnet build -o out --nologo',
    ],
    serve: () => ['dotnet', 'out/rent.dll'],
  },
  {
    name: 'Node.js, an existing app',
    page: 'existing-app',
    shown: ['svc-router.mjs', 'app.mjs'],
    needs: [['npm', '--version']],
    files: { 'package.json': '{ "private": true }' },
    install: (origin) => ['npm', 'install', `${origin}/sdk/svc-node-0.3.0.tgz`, 'express'],
    serve: () => ['node', 'app.mjs'],
  },
  {
    name: 'Python, an existing app',
    page: 'existing-app',
    shown: ['svc_routes.py', 'app.py'],
    needs: [['python3', '--version']],
    install: () => [
      'sh',
      '-c',
      'python3 -m venv .venv && .venv/bin/pip install -q flask requests standardwebhooks',
    ],
    serve: (port) => ['.venv/bin/flask', 'run', '--port', String(port)],
  },
  {
    name: 'PHP, an existing app',
    page: 'existing-app',
    shown: ['signatures.php', 'svc.php', 'index.php'],
    needs: [['php', '--version']],
    install: () => ['mkdir', 'public'],
    serve: (port) => ['php', '-S', `127.0.0.1:${port}`, '-t', 'public', 'index.php'],
  },
  {
    name: 'Ruby, an existing app',
    page: 'existing-app',
    shown: ['signatures.rb', 'svc_routes.rb', 'app.rb'],
    needs: [
      ['ruby', '--version'],
      ['bundle', '--version'],
    ],
    files: { Gemfile: gemfile },
    install: () => ['bundle', 'install', '--quiet'],
    serve: (port) => ['bundle', 'exec', 'ruby', 'app.rb', '-p', String(port)],
  },
  {
    name: 'C#, an existing app',
    page: 'existing-app',
    shown: ['Signatures.cs', 'SvcRoutes.cs', 'Program.cs'],
    needs: [['dotnet', '--version']],
    files: { 'rent.csproj': csproj },
    install: () => ['dotnet', 'build', '-o', 'out', '--nologo'],
    serve: () => ['dotnet', 'out/rent.dll'],
  },
];

let folder: string;
let service: RunningService;
let serving: ChildProcess | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-backends-'));
  service = await startBuiltService(join(folder, 'service'));
});
afterEach(async () => {
  const child = serving;
  if (child?.pid === undefined || child.exitCode !== null) return;
  const ended = once(child, 'exit');
  process.kill(-child.pid, 'SIGKILL');
  await ended;
});
afterAll(async () => {
  await service?.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function missingOf({ needs }: Backend): Promise<string | undefined> {
  for (const [program, argument] of needs) {
    const found = await run(program, [argument]).then(
      () => true,
      () => false,
    );
    if (!found) return program;
  }
  return undefined;
}

/**
 * The project of a reader who copied the language's blocks one after the other, as the service prints
 * them. Only the port of the reader's own server is another one.
 */
async function writeProject(
  { page, shown, files = {}, folder: place = '' }: Backend,
  port: number,
) {
  const project = await mkdtemp(join(folder, 'project-'));
  await mkdir(join(project, place), { recursive: true });
  const blocks = await printedBlocks(service.origin, page);
  for (const name of shown) {
    const text = blocks
      .filter(({ title }) => title === name)
      .map(({ code }) => code)
      .join('\n')
      .replace(/(127\.0\.0\.1|localhost):3000/, `$1:${port}`)
      .replace('listen(3000)', `listen(${port})`);
    await writeFile(join(project, place, name), text);
  }
  for (const [name, content] of Object.entries(files))
    await writeFile(join(project, name), content);
  return project;
}

async function callApi(key: string, method: string, path: string, body?: object) {
  const answer = await fetch(`${service.origin}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const { error, data } = (await answer.json()) as { error: unknown; data: unknown };
  expect(error).toBe(null);
  return data;
}

test.for(backends)(
  'the backend in $name signs, gets a token and receives webhooks',
  {
    timeout: 10 * minutes,
  },
  async (backend, { skip }) => {
    const absent = await missingOf(backend);
    if (absent !== undefined) skip(`${absent} is not installed`);
    const port = await freePort();
    const project = await writeProject(backend, port);
    const [installer = '', ...args] = backend.install(service.origin);
    const network = { ...environment(), npm_config_userconfig: join(folder, 'npmrc') };
    await run(installer, args, { cwd: project, env: network, timeout: 8 * minutes }).catch(
      (error: Error & { stdout?: string; stderr?: string }) => {
        const said = `${error.message}\n${error.stdout}\n${error.stderr}`;
        if (offline.test(said)) skip(`the registry of ${backend.name} cannot be reached`);
        throw new Error(said);
      },
    );

    const pms = `portal-${port}`;
    const created = await service.operate(['partner', 'create', pms]);
    const key = /API key +(\S+)/.exec(created)?.[1] ?? '';
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    const [program = '', ...options] = backend.serve(port);
    const child = spawn(program, options, {
      cwd: project,
      // Python otherwise buffers what it prints until it ends.
      env: {
        ...network,
        PYTHONUNBUFFERED: '1',
        SVC_API_KEY: key,
        SVC_PMS: pms,
        SVC_WEBHOOK_SECRET: secret,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let output = '';
    // Whole lines: Python writes a line's end after its text, and a log line from the other stream would
    // come between the two and extend the settlement's id.
    for (const input of [child.stdout, child.stderr])
      createInterface({ input }).on('line', (line) => (output += `${line}\n`));
    serving = child;

    const at = `http://127.0.0.1:${port}`;
    const settings = () =>
      fetch(`${at}/api/svc/settings`).then(
        (answer) => answer.json(),
        () => output,
      );
    const signature = createHmac('sha256', key).update(`${pms}+t-100`).digest('hex');
    await expect.poll(settings, { timeout: minutes }).toEqual({
      pms,
      externalId: 't-100',
      balance: 152012,
      signature,
      environment: 'sandbox',
      baseUrl: `${service.origin}/v1`,
    });
    const issued = await fetch(`${at}/api/svc/token`, { method: 'POST' });
    expect(await issued.json(), output).toEqual({ token: expect.stringMatching(/^svc_tt_/) });

    const url = `${at}/api/svc/webhooks`;
    const endpoint = await callApi(key, 'POST', '/webhooks/endpoints', { url, secret });
    await callApi(key, 'POST', '/simulation/t-100/scenario', { scenario: 'split' });
    const statuses = async () => {
      const { items } = (await callApi(key, 'GET', '/webhooks/deliveries?limit=100')) as Attempts;
      return {
        types: new Set(items.map((it) => it.event_type)),
        statuses: items.map((it) => it.status),
      };
    };
    await expect
      .poll(async () => (await statuses()).types, { timeout: minutes })
      .toContain('settlement.created');
    expect(new Set((await statuses()).statuses), output).toEqual(new Set([204]));
    await expect.poll(() => output, { timeout: minutes }).toMatch(/stl_\w+/);
    const acted = output;
    const { id } = endpoint as { id: string };
    if (backend.page === 'existing-app') {
      await checkExistingApp(key, id, /stl_\w+/.exec(output)?.[0] ?? '');
    }

    // While its secret is rotated, a message has two signatures, and this backend knows only the old one.
    await callApi(key, 'POST', `/webhooks/endpoints/${id}/secret/rotate`, {});
    const test = `/webhooks/endpoints/${id}/test`;
    const sent = await callApi(key, 'POST', test, { event_type: 'plan.created' });
    expect(sent, output).toMatchObject({ status: 204 });

    // A test send and a custom event are received, and nothing is debited for them.
    const example = { event_type: 'settlement.created' };
    await callApi(key, 'POST', test, example);
    const custom = { ...example, data: { settlement_id: 'stl_example' } };
    const published = await callApi(key, 'POST', '/webhooks/messages', custom);
    const attempts = `/webhooks/messages/${(published as { id: string }).id}/attempts`;
    const answers = async () => ((await callApi(key, 'GET', attempts)) as Attempts).items;
    await expect
      .poll(async () => (await answers()).map((it) => it.status), { timeout: minutes })
      .toEqual([204]);
    expect(output.slice(acted.length)).not.toContain('stl_');

    const forged = await fetch(url, {
      method: 'POST',
      body: '{"type":"settlement.created","data":{"settlement_id":"stl_1"}}',
      headers: {
        'content-type': 'application/json',
        'webhook-id': 'evt_1',
        'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
        'webhook-signature': `v1,${randomBytes(32).toString('base64')}`,
      },
    });
    expect(forged.status, output).toBe(400);
  },
);

/** The receiver reports its debit, and gets the message again and one about a tenant that it doesn't know. */
async function checkExistingApp(key: string, endpointId: string, settlementId: string) {
  await expect
    .poll(() => callApi(key, 'GET', `/settlements/${settlementId}`), { timeout: minutes })
    .toMatchObject({ status: 'verified', processor_transaction_id: `tr_${settlementId}` });
  const created = async (externalId: string) => {
    const query = `external_id=${externalId}&event_type=settlement.created`;
    const { items } = (await callApi(key, 'GET', `/webhooks/messages?${query}`)) as Messages;
    return items[0]?.id;
  };
  const answersTo = async (message: string | undefined) =>
    ((await callApi(key, 'GET', `/webhooks/messages/${message}/attempts`)) as Attempts).items.map(
      (it) => it.status,
    );
  const first = await created('t-100');
  await callApi(key, 'POST', `/webhooks/messages/${first}/replay`, { endpoint_id: endpointId });
  await expect.poll(() => answersTo(first), { timeout: minutes }).toEqual([204, 204]);
  await callApi(key, 'POST', '/simulation/t-200/scenario', { scenario: 'split' });
  const foreign = await created('t-200');
  await expect.poll(() => answersTo(foreign), { timeout: minutes }).toEqual([204]);
}

interface Messages {
  readonly items: readonly { readonly id: string }[];
}

interface Attempts {
  readonly items: readonly { event_type: string; status: number | null }[];
}
