import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Published, published } from './roll-up-types.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const dependencies = ['standardwebhooks', '@types/react', 'react', 'csstype'];
const run = promisify(execFile);
let project: string;

/** A fresh project with only the packages, as they would be published. */
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'svc-packed-'));
  await Promise.all([...published.map(install), ...dependencies.map(link), writeConsumer()]);
  await writeFile(join(project, 'package.json'), '{ "type": "module" }');
}, 120_000);
afterAll(() => rm(project, { recursive: true, force: true }));

function manifestOf(name: Published) {
  return createRequire(import.meta.url)(join(root, 'packages', name, 'package.json'));
}

/** `@svc/core`, `@svc/core/element`, … */
function entriesOf(name: Published): string[] {
  return Object.keys(manifestOf(name).exports).map((path) => `@svc/${name}${path.slice(1)}`);
}

function tarballOf(name: Published): string {
  return join(project, `svc-${name}-${manifestOf(name).version}.tgz`);
}

async function install(name: Published): Promise<void> {
  const folder = join(project, 'node_modules/@svc', name);
  await mkdir(folder, { recursive: true });
  const cwd = join(root, 'packages', name);
  await run('npm', ['pack', '--silent', '--pack-destination', project], { cwd });
  await run('tar', ['-xzf', tarballOf(name), '-C', folder, '--strip-components=1']);
}

async function link(name: string): Promise<void> {
  await mkdir(dirname(join(project, 'node_modules', name)), { recursive: true });
  await symlink(join(root, 'node_modules', name), join(project, 'node_modules', name));
}

async function node(...args: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, args, { cwd: project }).catch(
    (error: { stdout: string; stderr: string }) => {
      throw new Error(error.stdout + error.stderr);
    },
  );
  return stdout;
}

test('every entry is imported where there is no browser, without side effects', async () => {
  await writeFile(
    join(project, 'all.mjs'),
    `import { Environment, Svc } from '@svc/core';
     import { createMessage } from '@svc/core/message';
     import { defineSvcWidget } from '@svc/core/element';
     import { es } from '@svc/core/locales/es';
     import * as testing from '@svc/core/testing';
     import { SvcWidget } from '@svc/react';
     import { signWidget } from '@svc/node';
     try { Svc({}); } catch (error) { console.log(error.issues.length > 5); }
     console.log(typeof createMessage, typeof defineSvcWidget, es.language, Environment.Sandbox);
     console.log(testing.Environment.Sandbox === Environment.Sandbox, typeof testing.experiencePage());
     console.log(typeof SvcWidget, typeof signWidget);`,
  );
  expect((await node('all.mjs')).split('\n').slice(0, 4)).toEqual([
    'true',
    'function function es-US sandbox',
    'true string',
    'object function',
  ]);
}, 60_000);

test('a CommonJS program requires them', async () => {
  const entries = published.flatMap(entriesOf);
  await writeFile(
    join(project, 'all.cjs'),
    `for (const entry of ${JSON.stringify(entries)}) console.log(Object.keys(require(entry)).length > 0);`,
  );
  expect(await node('all.cjs')).toBe('true\n'.repeat(entries.length));
}, 60_000);

test('imported but unused, all entries together leave no byte in esbuild or Vite', async () => {
  const input = join(project, 'unused.js');
  const lines = published
    .flatMap(entriesOf)
    .map((entry, index) => `import '${entry}'; import * as all${index} from '${entry}';`);
  await writeFile(input, lines.join('\n'));
  const external = ['react'];
  const { build: esbuild } = createRequire(createRequire(import.meta.url).resolve('tsx'))(
    'esbuild',
  );
  const options = { bundle: true, format: 'esm', write: false, logLevel: 'error' };
  const { outputFiles } = await esbuild({ entryPoints: [input], external, ...options });
  expect(outputFiles[0].text).toBe('');
  const page = { write: false, rolldownOptions: { input, external } };
  const built = await build({ configFile: false, root: project, logLevel: 'error', build: page });
  expect(built).toMatchObject({ output: [{ code: '' }] });
});

test('the core depends on nothing, and the React package on the core only', () => {
  expect(manifestOf('core')).not.toHaveProperty('dependencies');
  expect(manifestOf('core')).not.toHaveProperty('peerDependencies');
  const { dependencies, peerDependencies } = manifestOf('react');
  expect([dependencies, peerDependencies]).toEqual([
    { '@svc/core': manifestOf('core').version },
    { react: '>=16.8.0' },
  ]);
});

/** The current compiler with both module resolutions, the older ones with one of them. */
test.each([
  ['5.0', 'node16', 'versions/typescript-5.0/node_modules/typescript/lib/tsc.js'],
  ['5.9', 'bundler', 'versions/typescript-5.9/node_modules/typescript/lib/tsc.js'],
  ['6.0', 'node16', 'versions/typescript-6.0/node_modules/typescript/lib/tsc.js'],
  ['7.0', 'bundler', 'node_modules/typescript/bin/tsc'],
  ['7.0', 'node16', 'node_modules/typescript/bin/tsc'],
])(
  'the types stand alone for a strict project on TypeScript %s with %s',
  async (_, way, compiler) => {
    const config = join(project, `${way}.json`);
    expect(await node(join(root, compiler), '--project', config)).toBe('');
  },
  120_000,
);

async function writeConsumer(): Promise<void> {
  const copies = { 'core/test/types.ts': '@svc/core', 'react/test/types.tsx': '@svc/react' };
  for (const [path, name] of Object.entries(copies)) {
    const text = await readFile(join(root, 'packages', path), 'utf8');
    await writeFile(
      join(project, path.replace('/test/', '-')),
      text.replace('../src/index.ts', name),
    );
  }
  await writeFile(join(project, 'others.ts'), others);
  for (const [moduleResolution, module] of Object.entries({
    bundler: 'esnext',
    node16: 'node16',
  })) {
    const compilerOptions = {
      module,
      moduleResolution,
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      skipDefaultLibCheck: true,
      noEmit: true,
      target: 'es2022',
      lib: ['es2022', 'dom', 'dom.iterable'],
      jsx: 'react-jsx',
      types: [],
    };
    const config = JSON.stringify({ compilerOptions, include: ['*.ts', '*.tsx'] });
    await writeFile(join(project, `${moduleResolution}.json`), config);
  }
}

/** Covers what the packages' own type tests do not: the other entries, and the backend. */
const others = `
import { Environment, Svc, type SvcEventMap } from '@svc/core';
import { createMessage } from '@svc/core/message';
import { defineSvcWidget, type SvcWidgetElement } from '@svc/core/element';
import { es } from '@svc/core/locales/es';
import { fakeExperiences } from '@svc/core/testing';
import { SvcClient, SvcError, type WebhookEvent, verifyWebhook } from '@svc/node';
const svc = Svc({ balance: 1, pms: 'maple', externalId: 't', signature: '', locale: es,
  environment: Environment.Sandbox, onWidgetClickCallback() {},
  onEvent: (type, data) => { if (type === 'REPAY') data.amount_in_cents.toFixed(); } });
svc.on('ERROR', ({ code }) => code.toFixed());
createMessage({ amount: 1, locale: es }).element.remove();
defineSvcWidget();
export const step: SvcEventMap['EXPERIENCE_CLOSED']['last_step'] = 'done';
export const open: boolean | undefined = fakeExperiences[0]?.open;
export const tag: SvcWidgetElement['settings'] = {};
// @ts-expect-error no such setting
svc.update({ color: 'red' });
export const client = new SvcClient({ apiKey: 'svc_sandbox_1', baseUrl: 'https://localhost' });
export async function received(event: WebhookEvent): Promise<number> {
  if (event.type === 'settlement.created') return event.data.amount_in_cents;
  // @ts-expect-error a tenant has no amount
  if (event.type === 'tenant.updated') return event.data.amount_in_cents;
  for await (const endpoint of client.webhooks.endpoints.list()) endpoint.url.trim();
  // @ts-expect-error the status is one of five
  await client.settlements.update('stl_1', { status: 'lost' });
  return 0;
}
export const receiver = client.webhooks.handler(
  { 'plan.activated': ({ data }) => void data.fee_in_cents.toFixed() },
  { secret: 'whsec_1' },
);
// @ts-expect-error the other event types have no function
client.webhooks.handler({ 'plan.activated': () => undefined }, { secret: 'whsec_1', exhaustive: true });
export const refused = (error: unknown) => error instanceof SvcError && error.status;
export const event: WebhookEvent = verifyWebhook('', {}, 'whsec_1');
`;

test.each(published)(
  'publint and attw find nothing in @svc/%s',
  async (name) => {
    const bins = join(root, 'node_modules');
    await Promise.all([
      node(join(bins, 'publint/src/cli.js'), tarballOf(name), '--strict'),
      // Node requires ES modules itself since 20.19, so there is no second build for CommonJS.
      node(
        join(bins, '@arethetypeswrong/cli/dist/index.js'),
        tarballOf(name),
        '--profile=esm-only',
      ),
    ]);
  },
  60_000,
);

test.each(published)(
  '@svc/%s carries its license, its README, one file of types for each entry, and no source files',
  async (name) => {
    const names = await readdir(join(project, 'node_modules/@svc', name), { recursive: true });
    expect(names).toEqual(
      expect.arrayContaining(['README.md', 'LICENSE', 'package.json', 'dist/types/index.d.ts']),
    );
    expect(names.filter((it) => /test\.|tsbuildinfo|\.d\.ts\.map$|^src/.test(it))).toEqual([]);
    const declared = names.filter((it) => it.endsWith('.d.ts')).map((it) => `./${it}`);
    const expected = Object.values<{ types: string }>(manifestOf(name).exports);
    expect(declared.sort()).toEqual(expected.map(({ types }) => types).sort());
  },
);

test('each minified file of the core has a source map with its sources', async () => {
  const folder = join(project, 'node_modules/@svc/core/dist');
  const scripts = (await readdir(folder)).filter((name) => name.endsWith('.js'));
  expect(scripts).toContain('svc.js');
  for (const script of scripts) {
    expect(await readFile(join(folder, script), 'utf8')).toContain(
      `//# sourceMappingURL=${script}.map`,
    );
    const { sourcesContent } = JSON.parse(await readFile(join(folder, `${script}.map`), 'utf8'));
    expect(sourcesContent.length).toBeGreaterThan(0);
  }
});

test('@svc/cli is a program in one file, which needs no other package', async () => {
  const cwd = join(root, 'packages/cli');
  const { version } = JSON.parse(await readFile(join(cwd, 'package.json'), 'utf8'));
  const tarball = join(project, `svc-cli-${version}.tgz`);
  const alone = join(project, 'cli');
  await mkdir(alone);
  await run('npm', ['pack', '--silent', '--pack-destination', project], { cwd });
  await run('tar', ['-xzf', tarball, '-C', alone, '--strip-components=1']);
  const names = (await readdir(alone, { recursive: true })).sort();
  expect(names).toEqual(
    ['LICENSE', 'README.md', 'dist', 'dist/licenses.txt', 'dist/svc.mjs', 'package.json'].sort(),
  );
  const manifest = JSON.parse(await readFile(join(alone, 'package.json'), 'utf8'));
  expect(manifest).not.toHaveProperty('dependencies');
  // The bundle's own imports; those of the files that `svc init` writes have single quotes.
  const program = await readFile(join(alone, 'dist/svc.mjs'), 'utf8');
  const imported = [...program.matchAll(/^import .*? from "([^"]+)";$/gm)];
  expect(imported.length).toBeGreaterThan(5);
  expect(imported.map(([, name]) => name).filter((name) => !name?.startsWith('node:'))).toEqual([]);
  expect(await readFile(join(alone, 'dist/licenses.txt'), 'utf8')).toContain('commander 14');
  expect(await node(join(alone, manifest.bin.svc), '--version')).toBe(`${version}\n`);
  const bins = join(root, 'node_modules');
  await node(join(bins, 'publint/src/cli.js'), tarball, '--strict');
  await node(join(bins, '@arethetypeswrong/cli/dist/index.js'), tarball, '--profile=esm-only');
}, 60_000);
