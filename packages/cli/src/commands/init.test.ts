import { execFile } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { envelope, listenLocally, openCli } from '../testing/open-cli.ts';
import {
  filesOf,
  foreignSecret,
  freePort,
  repository,
  sendEvent,
  sendWebhook,
  startProgram,
  webhookSecretIn,
  writeProject,
} from '../testing/open-project.ts';

// examples/test/init.full.test.ts installs the packages and builds Next.js and Vite projects.

const cli = await openCli({ SVC_API_KEY: 'svc_sandbox_abc' });
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
  await service.close();
  await cli.close();
});

const project = (name: string, manifest: object, files: Record<string, string> = {}) =>
  writeProject(join(cli.home, name), manifest, files);
const init = (...args: string[]) => cli.run(['init', ...args], '', { SVC_URL: service.origin });

describe('an Express project', () => {
  test('gets a page, a token route and a webhook route that work', async () => {
    const folder = await project('express', { type: 'module', dependencies: { express: '5' } });
    const { code, output } = await init(folder, '--yes', '--no-install');
    expect(code).toBe(0);
    expect(output).toContain('Express, JavaScript, npm');
    expect(output).toContain('node --env-file=.env svc/server.js');
    // In the public registry, our package names may belong to somebody else.
    expect(output).toContain(`npm install ${service.origin}/sdk/`);
    expect(output).not.toMatch(/install .*@svc\//);
    expect(await filesOf(folder)).toEqual([
      '.env',
      '.gitignore',
      'AGENTS.md',
      'package.json',
      'svc/backend.js',
      'svc/router.js',
      'svc/server.js',
    ]);
    expect((await stat(join(folder, '.env'))).mode & 0o777).toBe(0o600);
    expect(await readFile(join(folder, '.gitignore'), 'utf8')).toBe('.env\n');

    const command = [process.execPath, '--env-file=.env', 'svc/server.js'];
    const server = await startProgram(folder, command, { PORT: String(await freePort()) });
    const { origin } = server;
    const page = await (await fetch(`${origin}/rent`)).text();
    expect(page).toContain(`src="${service.origin}/sdk/1/svc.iife.js" integrity="sha384-x"`);
    expect(page).toMatch(/"externalId":"t-100","signature":"[0-9a-f]{64}"/);
    expect(page).not.toContain('svc_sandbox_abc');
    const token = await fetch(`${origin}/api/svc/token`, { method: 'POST' });
    expect(await token.json()).toEqual({ token: 'svc_tt_1' });
    const secret = await webhookSecretIn(join(folder, '.env'));
    expect(await sendWebhook(origin, secret)).toBe(204);
    expect(await sendWebhook(origin, foreignSecret)).toBe(400);

    // Only the last two describe money, and they are one message. The others have made-up data.
    for (const [id, mark] of [
      ['evt_test', { test: true }],
      ['evt_custom', { custom: true }],
      ['evt_real', {}],
      ['evt_real', {}],
    ] as const) {
      const data = { settlement_id: `stl_of_${id}`, amount_in_cents: 152012 };
      const event = { id, type: 'settlement.created', external_id: 't-100', ...mark, data };
      expect(await sendEvent(origin, secret, event)).toBe(204);
    }
    await expect.poll(server.output).toContain('stl_of_evt_real');
    expect(server.output().match(/stl_\w+/g)).toEqual(['stl_of_evt_real']);
    await server.stop();
  });

  test('says in one line that its port is in use', async () => {
    const folder = join(cli.home, 'express');
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, resolve));
    const { port } = taken.address() as { port: number };
    const failure = await promisify(execFile)(
      process.execPath,
      ['--env-file=.env', 'svc/server.js'],
      { cwd: folder, env: { PATH: process.env.PATH, PORT: String(port) } },
    ).then(
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

describe('a Vite project', () => {
  const manifest = { type: 'module', dependencies: { vite: '8' } };
  const files = { 'index.html': '<!doctype html><p>Home</p>' };
  const config = (body: string) => `import { defineConfig } from 'vite';\n\n${body}\n`;
  const createdByVite = config("export default defineConfig({\n  envPrefix: ['APP_'],\n})");
  const plainObject = "export default { envPrefix: ['APP_'] };\n";

  test.each([
    ['has no configuration', {}, 'create     vite.config.js'],
    [
      'has the configuration of create-vite',
      { 'vite.config.js': createdByVite },
      'add to     vite',
    ],
    ['exports a plain object', { 'vite.config.mjs': plainObject }, 'add to     vite.config.mjs'],
  ])('that %s builds our page beside its own', async (name, own, planned) => {
    const folder = await project(`vite ${name}`, manifest, { ...files, ...own });
    const { code, output } = await init(folder, '--yes', '--no-install');
    expect(code).toBe(0);
    expect(output).toContain(planned);
    expect(output).not.toContain('rollupOptions');
    await promisify(execFile)(
      process.execPath,
      [join(repository, 'node_modules/vite/bin/vite.js'), 'build'],
      { cwd: folder, env: { PATH: process.env.PATH } },
    );
    const built = await filesOf(join(folder, 'dist'));
    expect(built).toEqual(expect.arrayContaining(['index.html', 'rent.html']));
    const page = await readFile(join(folder, 'dist/rent.html'), 'utf8');
    const [, script = ''] = /src="\/(assets\/[^"]+\.js)"/.exec(page) ?? [];
    const scripts = built.filter((path) => path.endsWith('.js'));
    expect(scripts).toContain(script);
    const sources = scripts.map((path) => readFile(join(folder, 'dist', path), 'utf8'));
    expect((await Promise.all(sources)).join('')).toContain('/api/svc/settings');
    // The developer's own settings are kept, and a second run has nothing to add.
    for (const path of Object.keys(own)) {
      expect(await readFile(join(folder, path), 'utf8')).toContain("envPrefix: ['APP_']");
    }
    expect((await init(folder, '--yes', '--no-install')).output).not.toMatch(/vite\.config/);
  });

  test.each([
    ['is a function', config('export default defineConfig(({ mode }) => ({ base: mode }));')],
    ['sets the build', config("export default defineConfig({ build: { outDir: 'out' } });")],
  ])('whose configuration %s is told what to change', async (name, own) => {
    const folder = await project(`vite ${name}`, manifest, { ...files, 'vite.config.ts': own });
    const { output } = await init(folder, '--yes', '--no-install');
    expect(output).toContain(
      `In vite.config.ts, set build.rollupOptions.input to ['./index.html', './rent.html'].`,
    );
    expect(await readFile(join(folder, 'vite.config.ts'), 'utf8')).toBe(own);
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
    const forced = await init(folder, '--yes', '--no-install', '--force');
    expect(forced.code).toBe(0);
    expect(forced.output).toMatch(/^ {2}overwrite +\.env\.local$/m);
    expect(await readFile(join(folder, 'lib/svc.js'), 'utf8')).toContain('readSettings');
    const variables = await readFile(join(folder, '.env.local'), 'utf8');
    expect(variables).toMatch(/^OTHER=1\nSVC_PMS=maple\nSVC_API_KEY=svc_sandbox_abc\n/);
    // A second time there is nothing to do, and no refusal.
    const again = await init(folder, '--yes', '--no-install');
    expect(again.code).toBe(0);
    expect(again.output).not.toMatch(/^ {2}(create|overwrite)/m);
  });

  test('writes a guide for coding agents, or a section of the project’s own', async () => {
    const express = { dependencies: { express: '5' } };
    const folder = await project('guided', express, { 'AGENTS.md': '# Ours\n\nUse tabs.\n' });
    const guide = () => readFile(join(folder, 'AGENTS.md'), 'utf8');
    const first = await init(folder, '--yes', '--no-install');
    expect(first.output).toMatch(/^ {2}add to +AGENTS\.md$/m);
    const written = await guide();
    expect(written).toMatch(/^# Ours\n\nUse tabs\.\n\n<!-- svc:begin/);
    for (const part of [
      '- `svc/router.mjs`: ',
      '- `.env`: ',
      'Verify webhooks on the raw body',
      '`webhook-id` once',
      'integer cents',
      '`test` or `custom`',
      'svc doctor http://localhost:3000/rent',
      'svc certify --page http://localhost:3000/rent',
      '"command": "svc", "args": ["mcp", "--write"]',
      `${service.origin}/docs/agents.md`,
    ]) {
      expect(written).toContain(part);
    }
    expect(written).not.toMatch(/npx|svc_sandbox_|whsec_|undefined/);
    expect((await init(folder, '--yes', '--no-install')).output).toMatch(/unchanged +AGENTS\.md/);

    // The text around the section belongs to the project. A change in it is not lost without --force.
    await writeFile(
      join(folder, 'AGENTS.md'),
      `${written.replace('integer cents', 'euros')}\nMore.\n`,
    );
    expect((await init(folder, '--yes', '--no-install')).errors).toContain('AGENTS.md');
    await init(folder, '--yes', '--no-install', '--force');
    expect(await guide()).toBe(`${written}\nMore.\n`);
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
