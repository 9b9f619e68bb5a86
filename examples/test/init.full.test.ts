import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  foreignSecret,
  freePort,
  repository,
  sendWebhook,
  startProgram,
  webhookSecretIn,
  writeProject,
} from '../../packages/cli/src/testing/open-project.ts';
import { environment } from './built-service.ts';

// `svc init`, as a partner's developer runs it: the packed command line, in new projects, with packages
// that only the service has.

const run = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), 'svc-init-'));
const sdk = join(folder, 'sdk');
const tsc = join(repository, 'node_modules/typescript/bin/tsc');
let service: Server;
let url: string;

beforeAll(async () => {
  await mkdir(sdk);
  for (const name of ['core', 'react', 'node', 'cli']) {
    const cwd = join(repository, 'packages', name);
    await run('npm', ['pack', '--silent', '--pack-destination', sdk], { cwd });
  }
  const tarballs = await readdir(sdk);
  service = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://service');
    const tarball = tarballs.find((name) => pathname === `/sdk/${name}`);
    if (tarball) return void response.end(await readFile(join(sdk, tarball)));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answer(pathname, tarballs)));
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  await writeProject(join(folder, 'tools'), {}, {}, { linked: false });
  const cli = tarballs.find((name) => name.includes('cli')) ?? '';
  // Offline: the command line needs nothing from a registry.
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(sdk, cli)], {
    cwd: join(folder, 'tools'),
  });
});
afterAll(async () => {
  service?.closeAllConnections();
  service?.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

function answer(pathname: string, tarballs: readonly string[]): object {
  if (pathname === '/v1/partner') {
    return { error: null, data: { pms: 'maple', environment: 'sandbox' } };
  }
  if (pathname.startsWith('/v1/tenant/portal_info/')) {
    return { error: null, data: { token: 'svc_tt_1', warnings: [] } };
  }
  const packages = tarballs.map((file) => [
    file.replace(/^svc-(\w+)-.*$/, '@svc/$1'),
    { path: `/sdk/${file}` },
  ]);
  const files = { 'svc.iife.js': { path: '/sdk/1/svc.iife.js', integrity: 'sha384-x' } };
  return { packages: Object.fromEntries(packages), files };
}

function svc(cwd: string, ...args: string[]) {
  const env = {
    ...environment(),
    SVC_CONFIG_DIR: join(folder, 'config'),
    SVC_API_KEY: 'svc_sandbox_abc',
    SVC_URL: url,
  };
  return run(join(folder, 'tools/node_modules/.bin/svc'), args, { cwd, env, timeout: 300_000 });
}

/** A new project, with `svc init` run in it. Returns null where npm cannot reach its registry. */
async function initialized(name: string, manifest: object, files: Record<string, string>) {
  const project = join(folder, name);
  await writeProject(project, { private: true, type: 'module', ...manifest }, files, {
    linked: false,
  });
  try {
    await svc(project, 'init', '--yes');
    return project;
  } catch (error) {
    const { stderr } = error as { stderr: string };
    // Only a missing network excuses it.
    if (!/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH/.test(stderr)) throw error;
    console.warn(`${name} is skipped: npm cannot reach its registry.`);
    return null;
  }
}

async function expectBackend(origin: string, envFile: string): Promise<void> {
  const token = await fetch(`${origin}/api/svc/token`, { method: 'POST' });
  expect(await token.json()).toEqual({ token: 'svc_tt_1' });
  const secret = await webhookSecretIn(envFile);
  expect(await sendWebhook(origin, secret)).toBe(204);
  expect(await sendWebhook(origin, foreignSecret)).toBe(400);
}

const compilerOptions = {
  target: 'es2022',
  lib: ['es2024', 'dom', 'dom.iterable'],
  strict: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  noEmit: true,
  isolatedModules: true,
  jsx: 'react-jsx',
};

test('Next.js with TypeScript and cache components builds, and its page and routes work', async () => {
  const project = await initialized(
    'next',
    {
      dependencies: { next: '16.4.6', react: '19.3.1', 'react-dom': '19.3.1' },
      devDependencies: {
        typescript: '5.9.3',
        '@types/node': '20.19.43',
        '@types/react': '19.3.0',
        '@types/react-dom': '19.3.0',
      },
    },
    {
      'app/layout.tsx': `import type { ReactNode } from 'react';
export default function Layout({ children }: { children: ReactNode }) {
  return <html lang="en"><body>{children}</body></html>;
}`,
      'app/page.tsx': 'export default function Page() { return <p>Home</p>; }',
      'next.config.ts': 'export default { cacheComponents: true };',
      'tsconfig.json': JSON.stringify({
        compilerOptions: {
          ...compilerOptions,
          module: 'esnext',
          moduleResolution: 'bundler',
          plugins: [{ name: 'next' }],
        },
        include: ['next-env.d.ts', '**/*.ts', '**/*.tsx'],
        exclude: ['node_modules'],
      }),
    },
  );
  if (!project) return;
  const next = [process.execPath, 'node_modules/next/dist/bin/next'] as const;
  const env = { PATH: process.env.PATH, HOME: project, NEXT_TELEMETRY_DISABLED: '1' };
  await run(next[0], [next[1], 'build'], { cwd: project, env: { ...env, NODE_ENV: 'production' } });
  const port = String(await freePort());
  const server = await startProgram(project, [...next, 'start', '-p', port], env);
  const page = await (await fetch(`${server.origin}/rent`)).text();
  expect(page).toContain('Your rent');
  expect(page).toMatch(/signature[^0-9a-f]+[0-9a-f]{64}/);
  expect(page).not.toContain('svc_sandbox_abc');
  await expectBackend(server.origin, join(project, '.env.local'));
  await server.stop();
}, 600_000);

test.each([
  [
    'React',
    { react: '19.3.1', 'react-dom': '19.3.1' },
    { '@types/react': '19.3.0', '@types/react-dom': '19.3.0', '@vitejs/plugin-react': '6.3.0' },
    'rent.tsx',
  ],
  ['no framework', {}, {}, 'rent.ts'],
])(
  'Vite with TypeScript and %s compiles, and its server serves page and routes',
  async (name, dependencies, devDependencies, script) => {
    const project = await initialized(
      `vite ${name}`,
      { dependencies, devDependencies: { vite: '8.3.8', ...devDependencies } },
      {
        'src/main.ts': '',
        'tsconfig.json': JSON.stringify({
          compilerOptions: {
            ...compilerOptions,
            module: 'esnext',
            moduleResolution: 'bundler',
            types: [],
          },
          include: ['src'],
        }),
      },
    );
    if (!project) return;
    const { stdout } = await run(process.execPath, [tsc, '-p', project]).catch(
      (error: { stdout: string }) => error,
    );
    expect(stdout).toBe('');
    const vite = join(project, 'node_modules/vite/bin/vite.js');
    const command = [process.execPath, '--env-file=.env.local', 'server/svc.mjs'];
    const server = await startProgram(project, command, { PORT: String(await freePort()) });
    expect(await (await fetch(`${server.origin}/rent.html`)).text()).toContain(
      `/src/svc/${script}`,
    );
    const transformed = await (await fetch(`${server.origin}/src/svc/${script}`)).text();
    expect(transformed).toContain('/api/svc/settings');
    const settings = await (await fetch(`${server.origin}/api/svc/settings`)).json();
    expect(settings).toMatchObject({ pms: 'maple', externalId: 't-100', balance: 152012 });
    await expectBackend(server.origin, join(project, '.env.local'));
    await server.stop();
    await run(process.execPath, [vite, 'build'], { cwd: project });
    expect(await readdir(join(project, 'dist'))).toContain('rent.html');
  },
  600_000,
);

test('Express with TypeScript compiles, and its routes work', async () => {
  const project = await initialized(
    'express',
    {
      dependencies: { express: '5.3.0' },
      devDependencies: { tsx: '4.23.15', '@types/express': '5.0.6', '@types/node': '20.19.43' },
    },
    {
      'src/index.ts': '',
      'tsconfig.json': JSON.stringify({
        compilerOptions: { ...compilerOptions, module: 'nodenext', types: ['node'] },
        include: ['src'],
      }),
    },
  );
  if (!project) return;
  const { stdout } = await run(process.execPath, [tsc, '-p', project]).catch(
    (error: { stdout: string }) => error,
  );
  expect(stdout).toBe('');
  const tsx = join(project, 'node_modules/tsx/dist/cli.mjs');
  const command = [process.execPath, tsx, '--env-file=.env', 'src/svc/server.ts'];
  const server = await startProgram(project, command, { PORT: String(await freePort()) });
  expect(await (await fetch(`${server.origin}/rent`)).text()).toContain('integrity="sha384-x"');
  await expectBackend(server.origin, join(project, '.env'));
  await server.stop();
}, 600_000);
