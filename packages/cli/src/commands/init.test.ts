import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signedHeaders } from '../listen/sign.ts';
import { envelope, listenLocally, openCli } from '../testing/open-cli.ts';

// A busy machine may take seconds for what a free one does at once.
const soon = { timeout: 20_000 };

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const execute = promisify(execFile);
const cli = await openCli({ SVC_API_KEY: 'svc_sandbox_abc' });
const children: ChildProcess[] = [];
let service: Awaited<ReturnType<typeof listenLocally>>;

beforeAll(async () => {
  service = await listenLocally(({ path }) => {
    if (path === '/v1/partner') return envelope({ pms: 'maple', environment: 'sandbox' });
    if (path.startsWith('/v1/tenant/portal_info/')) {
      return envelope({ token: 'svc_tt_1', warnings: [] });
    }
    const packages = Object.fromEntries(
      ['core', 'react', 'node'].map((name) => [`@svc/${name}`, { path: `/sdk/svc-${name}-1.tgz` }]),
    );
    const files = { 'svc.iife.js': { path: '/sdk/1/svc.iife.js', integrity: 'sha384-x' } };
    return { status: 200, body: { packages, files } };
  });
});
afterAll(async () => {
  for (const child of children) {
    if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit');
  }
  await service.close();
  await cli.close();
});

/** A project with the packages of this repository. */
async function project(name: string, manifest: object, files: Record<string, string> = {}) {
  const folder = join(cli.home, name);
  await mkdir(folder, { recursive: true });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

const init = (...args: string[]) => cli.run(['init', ...args], '', { SVC_URL: service.origin });

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

/** Starts what the project's page needs, and returns its origin. */
async function start(folder: string, args: string[]): Promise<string> {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    // Built packages, as in a partner's project; without variables of this process.
    env: { PATH: process.env.PATH, HOME: cli.home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let printed = '';
  child.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  child.stderr.on('data', (chunk) => {
    printed += chunk;
  });
  await expect.poll(() => printed, soon).toMatch(/http:\/\/localhost:\d+/);
  return /http:\/\/localhost:\d+/.exec(printed)?.[0] ?? '';
}

async function secretIn(folder: string, file: string): Promise<string> {
  const text = await readFile(join(folder, file), 'utf8');
  return /^SVC_WEBHOOK_SECRET=(.*)$/m.exec(text)?.[1] ?? '';
}

async function sendWebhook(origin: string, secret: string, tampered = ''): Promise<number> {
  const text = '{"id":"evt_1","type":"plan.created","external_id":"t-100","data":{}}';
  const response = await fetch(`${origin}/api/svc/webhooks`, {
    method: 'POST',
    body: text + tampered,
    headers: {
      'content-type': 'application/json',
      ...signedHeaders(secret, { id: 'evt_1', text, at: new Date() }),
    },
  });
  return response.status;
}

describe('an Express project', () => {
  test('gets a page, a token route and a webhook route that work', async () => {
    const folder = await project('express', { type: 'module', dependencies: { express: '5' } });
    const { code, output } = await init(folder, '--yes', '--no-install');
    expect(code).toBe(0);
    expect(output).toContain('Express, JavaScript, npm');
    expect(output).toContain('node --env-file=.env svc/server.js');
    expect(await filesOf(folder)).toEqual([
      '.env',
      '.gitignore',
      'package.json',
      'svc/backend.js',
      'svc/router.js',
      'svc/server.js',
    ]);
    expect((await stat(join(folder, '.env'))).mode & 0o777).toBe(0o600);
    expect(await readFile(join(folder, '.gitignore'), 'utf8')).toBe('.env\n');

    const port = await freePort();
    await writeFile(
      join(folder, 'start.mjs'),
      `process.env.PORT = '${port}'; await import('./svc/server.js');`,
    );
    const origin = await start(folder, ['--env-file=.env', 'start.mjs']);
    const page = await (await fetch(`${origin}/rent`)).text();
    expect(page).toContain(`src="${service.origin}/sdk/1/svc.iife.js" integrity="sha384-x"`);
    expect(page).toMatch(/"externalId":"t-100","signature":"[0-9a-f]{64}"/);
    expect(page).not.toContain('svc_sandbox_abc');
    const token = await fetch(`${origin}/api/svc/token`, { method: 'POST' });
    expect(await token.json()).toEqual({ token: 'svc_tt_1' });
    const secret = await secretIn(folder, '.env');
    expect(await sendWebhook(origin, secret)).toBe(204);
    expect(await sendWebhook(origin, secret, ' ')).toBe(400);
  });

  test('says in one line that its port is in use', async () => {
    const folder = join(cli.home, 'express');
    const taken = createServer();
    await listen(taken);
    const { port } = taken.address() as { port: number };
    await writeFile(
      join(folder, 'busy.mjs'),
      `process.env.PORT = '${port}'; await import('./svc/server.js');`,
    );
    const failure = await execute(process.execPath, ['--env-file=.env', 'busy.mjs'], {
      cwd: folder,
    }).then(
      () => ({ code: 0, stderr: '' }),
      (error: { code: number; stderr: string }) => error,
    );
    expect(failure.code).toBe(1);
    expect(failure.stderr.trim()).toBe(
      `Port ${port} is in use. Stop the other program, or set PORT to a free one.`,
    );
    taken.close();
  });
});

describe('svc init', () => {
  const next = { dependencies: { next: '16', react: '19' } };

  test('shows what it would write for Next.js, and with --dry-run writes nothing', async () => {
    const folder = await project('next', next, {
      'src/app/page.tsx': '',
      'tsconfig.json': '{}',
      '.gitignore': '.env*\n',
    });
    const before = await filesOf(folder);
    const { code, output } = await init(folder, '--dry-run');
    expect(code).toBe(0);
    for (const line of [
      'Next.js (App Router), TypeScript, npm',
      '  create     src/lib/svc.ts',
      '  create     src/app/rent/page.tsx',
      '  create     src/app/rent/rent-widget.tsx',
      '  create     src/app/api/svc/token/route.ts',
      '  create     src/app/api/svc/webhooks/route.ts',
      '  create     .env.local',
      `  run        npm install ${service.origin}/sdk/svc-core-1.tgz ${service.origin}/sdk/svc-react-1.tgz ${service.origin}/sdk/svc-node-1.tgz`,
    ]) {
      expect(output).toContain(`${line}\n`);
    }
    expect(output).not.toContain('.gitignore');
    expect(await filesOf(folder)).toEqual(before);
  });

  test('overwrites nothing without --force, and keeps variables that are there', async () => {
    const folder = await project('kept', next, {
      'app/page.jsx': '',
      'lib/svc.js': '// mine',
      '.env.local': 'OTHER=1\nSVC_PMS=own',
    });
    const refused = await init(folder, '--yes', '--no-install');
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.errors).toContain('There already is lib/svc.js.');
    expect(refused.errors).toContain('Nothing was written. Pass --force');
    expect(await readFile(join(folder, '.env.local'), 'utf8')).toBe('OTHER=1\nSVC_PMS=own');
    await writeFile(join(folder, 'lib/svc.js'), '');
    expect((await init(folder, '--yes', '--no-install', '--force')).code).toBe(0);
    expect(await readFile(join(folder, 'lib/svc.js'), 'utf8')).toContain('readSettings');
    const variables = await readFile(join(folder, '.env.local'), 'utf8');
    expect(variables).toMatch(/^OTHER=1\nSVC_PMS=maple\nSVC_API_KEY=svc_sandbox_abc\n/);
    // A second time there is nothing to do, and no refusal.
    const again = await init(folder, '--yes', '--no-install');
    expect(again.code).toBe(0);
    expect(again.output).not.toMatch(/^ {2}(create|overwrite)/m);
  });

  test.each([
    ['a project of another kind', {}, {}, 'neither a Next.js nor a Vite nor an Express project'],
    ['the Pages Router', next, { 'pages/index.jsx': '' }, 'has no app folder'],
  ])('refuses %s', async (name, manifest, files, expected) => {
    const folder = await project(name, manifest, files);
    const { code, errors } = await init(folder, '--yes');
    expect({ code, errors }).toMatchObject({ code: 1, errors: expect.stringContaining(expected) });
  });

  test('asks on a terminal only; elsewhere it wants --yes', async () => {
    const folder = await project('asked', { dependencies: { express: '5' } });
    const { code, errors } = await init(folder, '--no-install');
    expect({ code, errors }).toMatchObject({ code: 2, errors: expect.stringContaining('--yes') });
    expect(await filesOf(folder)).toEqual(['package.json']);
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await listen(server);
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** On all interfaces, as Express listens. */
function listen(server: Server): Promise<void> {
  return new Promise((resolve) => server.listen(0, resolve));
}
