import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runFolder } from '../../packages/db/src/testing.ts';
import { chromiumLaunchOptions } from '../chromium.mjs';
import { ROOT } from '../steps/run-command.mjs';

const run = promisify(execFile);
const { version } = JSON.parse(await readFile(join(ROOT, 'packages/sandbox/package.json'), 'utf8'));
const tarball = join(ROOT, 'dist/sdk', `svc-sandbox-${version}.tgz`);
const hasPytest = await run('python3', ['-m', 'pytest', '--version']).then(
  () => true,
  () => false,
);

let project: string;
/** Where the sandboxes of these tests keep temporary files. */
let temporary: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  await run(process.execPath, [join(ROOT, 'scripts/release/package-sandbox.mjs')], { cwd: ROOT });
  project = await mkdtemp(join(await runFolder(), 'a project é '));
  temporary = await mkdtemp(join(await runFolder(), 't'));
  env = { ...process.env, TMPDIR: temporary };
  await writeFile(join(project, 'package.json'), '{ "type": "module" }');
  // A registry that refuses connections: everything must be in the tarball.
  await run('npm', ['install', '--registry=http://127.0.0.1:9', tarball], { cwd: project });
});
afterAll(async () => {
  for (const folder of [project, temporary]) {
    if (folder) await rm(folder, { recursive: true, force: true });
  }
});

const program = () => join(project, 'node_modules/.bin/svc-sandbox');

interface Ready {
  url: string;
  api_key: string;
  pms: string;
  demo_url: string | null;
  pid: number;
}

/** Starts the program, and resolves with the line of JSON that it prints. */
async function start(...args: string[]): Promise<{ child: ChildProcess; ready: Ready }> {
  const child = spawn(program(), ['--json', '--port=0', ...args], { cwd: project, env });
  let printed = '';
  let errors = '';
  child.stderr?.on('data', (data) => {
    errors += data;
  });
  const ready = await new Promise<Ready>((resolve, reject) => {
    child.stdout?.on('data', (data) => {
      printed += data;
      if (printed.endsWith('\n')) resolve(JSON.parse(printed));
    });
    child.once('exit', () => reject(new Error(errors)));
  });
  return { child, ready };
}

async function stop({ child }: { child: ChildProcess }, signal: NodeJS.Signals = 'SIGINT') {
  child.kill(signal);
  const [code] = await once(child, 'exit');
  return code;
}

async function runScript(code: string): Promise<string> {
  const args = ['--input-type=module', '--eval', code];
  return (await run(process.execPath, args, { cwd: project, env })).stdout;
}

/** The program's output when it cannot start. */
async function refusal(...args: string[]): Promise<string> {
  const error = await run(program(), args, { cwd: project, env }).then(
    ({ stdout }) => new Error(`It started: ${stdout}`),
    (failed: Error & { code: number; stdout: string; stderr: string }) => failed,
  );
  expect(error).toMatchObject({ code: 1, stdout: '' });
  return (error as Error & { stderr: string }).stderr;
}

test('the package is one download of less than 25 MB that needs no other package', async () => {
  expect((await stat(tarball)).size).toBeLessThan(25_000_000);
  expect(await readdir(join(project, 'node_modules'))).toEqual([
    '.bin',
    '.package-lock.json',
    '@svc',
  ]);
  const folder = join(project, 'node_modules/@svc/sandbox');
  const names = await readdir(folder, { recursive: true });
  expect(names).toEqual(expect.arrayContaining(['README.md', 'LICENSE', 'dist/licenses.txt']));
  expect(
    names.filter((name) => /\.test\.|tsbuildinfo|svc-sandbox-.*\.tgz|\.key$/.test(name)),
  ).toEqual([]);
  const { packages } = JSON.parse(await readFile(join(ROOT, 'dist/sdk/index.json'), 'utf8')) as {
    packages: { name: string }[];
  };
  expect(packages.map(({ name }) => name)).toContain('@svc/sandbox');
});

test('it shows everything, keeps its data, and stops', async () => {
  const first = await start();
  const { url, demo_url, api_key } = first.ready;
  for (const page of [
    `${url}/`,
    `${url}/docs`,
    `${url}/docs/ci`,
    `${url}/docs/api`,
    `${url}/portal`,
    `${url}/experience/my-portal`,
    `${url}/sdk`,
    `${url}/sdk/svc-node-${version}.tgz`,
    `${url}/sdk/testing.js`,
    `${demo_url}/`,
    `${demo_url}/vendor/svc.js`,
  ]) {
    expect([page, (await fetch(page)).status]).toEqual([page, 200]);
  }
  const headers = { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ scenario: 'split' });
  const scenario = `${url}/v1/simulation/t-1/scenario`;
  expect((await fetch(scenario, { method: 'POST', headers, body })).status).toBe(200);

  // Only this machine reaches it.
  const { port } = new URL(url);
  const listening = (await readFile('/proc/net/tcp', 'utf8').catch(() => ''))
    .split('\n')
    .filter((line) =>
      line.includes(`:${Number(port).toString(16).toUpperCase().padStart(4, '0')} 00000000:0000`),
    );
  expect(listening.filter((line) => !line.includes(' 0100007F:'))).toEqual([]);

  expect(await refusal('--port=0')).toMatch(
    /^The data folder .*\.svc-sandbox is in use by process \d+: stop it, or choose another folder\.\n$/,
  );
  expect(await stop(first)).toBe(0);
  expect(await readFile(join(project, '.svc-sandbox/.gitignore'), 'utf8')).toBe('*\n');

  const second = await start('--no-demo');
  expect(second.ready).toMatchObject({ api_key, demo_url: null });
  const tenant = await fetch(`${second.ready.url}/v1/tenants/t-1`, { headers });
  expect(tenant.status).toBe(200);
  expect(await stop(second, 'SIGTERM')).toBe(0);
});

test('each data folder has its own keys', async () => {
  const [one, other] = await Promise.all([start('--data=one'), start('--data=other')]);
  expect(one.ready.api_key).not.toBe(other.ready.api_key);
  const secrets = ['one', 'other'].map((name) =>
    readFile(join(project, name, 'secret.key'), 'utf8'),
  );
  expect(new Set(await Promise.all(secrets)).size).toBe(2);
  await Promise.all([stop(one), stop(other)]);
});

test('ten starts in a row leave no process and no file', async () => {
  const printed = await runScript(`
    import { startSandbox } from '@svc/sandbox';
    for (let count = 0; count < 10; count++) {
      const sandbox = await startSandbox();
      const { settlement } = await sandbox.scenario('t-1', 'split');
      const event = await sandbox.nextWebhook('settlement.created', { externalId: 't-1' });
      if (event.data.settlement_id !== settlement.id) throw new Error('another settlement');
      await sandbox.stop();
    }
    console.log('done');`);
  expect(printed).toBe('done\n');
  expect(await readdir(temporary)).toEqual([]);
}, 300_000);

test('sandboxes end with a test runner that is killed', async () => {
  const code = `
    import { startSandbox } from '@svc/sandbox';
    const all = await Promise.all([startSandbox(), startSandbox(), startSandbox()]);
    console.log(all.map(({ url }) => url).join(' '));
    setInterval(() => {}, 1_000);`;
  const runner = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: project,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed] = await once(runner.stdout, 'data');
  const urls = String(printed).trim().split(' ');
  expect(new Set(urls).size).toBe(3);
  expect(await readdir(temporary)).toHaveLength(3);
  runner.kill('SIGKILL');
  await expect.poll(() => readdir(temporary)).toEqual([]);
  for (const url of urls) await expect(fetch(url)).rejects.toThrow('fetch failed');
});

test('a sandbox that is killed itself leaves a folder that a later start removes', async () => {
  const killed = await start('--memory');
  killed.child.kill('SIGKILL');
  await once(killed.child, 'exit');
  const [left = ''] = await readdir(temporary);
  const longAgo = new Date(Date.now() - 120_000);
  await run('touch', ['-d', longAgo.toISOString(), join(temporary, left)]);
  const next = await start('--memory');
  expect(await readdir(temporary)).not.toContain(left);
  await stop(next);
  expect(await readdir(temporary)).toEqual([]);
});

test('a start that cannot work is one sentence', async () => {
  await writeFile(join(project, 'a-file'), '');
  const inPlace = join(project, 'a-file');
  expect(await refusal('--prot=1')).toBe(
    `Unknown option '--prot'. "svc-sandbox --help" lists the options.\n`,
  );
  expect(await refusal(`--data=${inPlace}`, '--port=0')).toBe(
    `The data folder ${inPlace} cannot be used: a file is in its place; choose another folder.\n`,
  );
  const taken = createServer().listen(0, 'localhost');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  expect(await refusal('--memory', `--port=${port}`)).toBe(
    `Port ${port} is in use. Stop the other process, or set --port to a different port.\n`,
  );
  taken.close();
  expect(await readdir(temporary)).toEqual([]);
});

test('startSandbox says why it cannot start', async () => {
  const printed = await runScript(`
    import { startSandbox } from '@svc/sandbox';
    await startSandbox({ dataDir: 'a-file' }).catch((error) => console.log(error.name, error.message));`);
  expect(printed).toMatch(
    /^SandboxError The sandbox did not start\. The data folder .* a file is in its place/,
  );
});

test('a data folder of a newer version is one sentence', async () => {
  const made = await start('--data=newer');
  await stop(made);
  const { PGlite } = await import('@electric-sql/pglite');
  const database = await PGlite.create(join(project, 'newer/postgres'));
  await database.query(
    `insert into svc_migration (source, number, name, checksum, oldest_service)
     values ('server', 9999, '9999_later', '', '9.0.0')`,
  );
  await database.close();
  expect(await refusal('--data=newer', '--port=0')).toBe(
    `The database has server/9999_later, which needs version 9.0.0 or later, and this is ${version}: start version 9.0.0 or later, or choose another folder with --data.\n`,
  );
});

test('its types need no other package', async () => {
  const compilerOptions = {
    strict: true,
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2022', 'esnext.disposable', 'dom', 'dom.iterable'],
    types: [],
    noEmit: true,
  };
  await writeFile(
    join(project, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['use.ts'] }),
  );
  await writeFile(
    join(project, 'use.ts'),
    `import { startSandbox } from '@svc/sandbox';
     const sandbox = await startSandbox();
     const event = await sandbox.nextWebhook('settlement.created');
     event.data.amount_in_cents.toFixed();
     // @ts-expect-error no such type
     await sandbox.nextWebhook('settlement.lost');
     // @ts-expect-error no such scenario
     await sandbox.scenario('t-1', 'rich');`,
  );
  await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', project]);
});

/** Runs a test file of the project as its own Vitest would. */
async function runVitest(file: string) {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  // This run's own variables would make it a worker of this run.
  const own = Object.entries(env).filter(([name]) => !/^(VITEST|NODE_OPTIONS|TEST$)/.test(name));
  await writeFile(
    join(project, 'vitest.config.mjs'),
    `export default { test: { include: [${JSON.stringify(file)}], testTimeout: 60_000 } };`,
  );
  const args = [vitest, 'run', '--root', project, '--config', 'vitest.config.mjs'];
  return run(process.execPath, args, { cwd: project, env: Object.fromEntries(own) });
}

function runPytest(...args: string[]) {
  const all = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', ...args];
  return run('python3', all, { cwd: project, env });
}

/** Links what a project has installed from a service and from a registry. */
async function linkPackages(...names: string[]) {
  for (const name of names) {
    await mkdir(join(project, 'node_modules', name, '..'), { recursive: true });
    await symlink(join(ROOT, 'node_modules', name), join(project, 'node_modules', name));
  }
}

describe('the examples of the page "Test your integration in CI"', () => {
  beforeAll(async () => {
    await cp(join(ROOT, 'examples/sandbox-tests'), project, { recursive: true });
    await linkPackages('@svc/core', '@svc/node', 'standardwebhooks', 'playwright-core', 'vitest');
  });

  test('node:test', async () => {
    await run(process.execPath, ['--test', 'rent.test.mjs'], { cwd: project, env });
  });

  test('Vitest', async () => {
    await runVitest('rent.vitest.ts');
  });

  test('Playwright with a page', async () => {
    const { stdout } = await run(process.execPath, ['rent-page.mjs'], {
      cwd: project,
      env: { ...env, CHROMIUM_OPTIONS: JSON.stringify(await chromiumLaunchOptions()) },
    });
    expect(stdout).toMatch(/^ok: \S/);
  });

  test.skipIf(!hasPytest)('pytest (needs python3 with pytest)', async () => {
    await runPytest('test_rent.py');
  });

  test('none of them leaves anything', async () => {
    expect((await readdir(temporary)).filter((name) => name.startsWith('svc-'))).toEqual([]);
  });
});

describe('a test that svc tenant fork exports', () => {
  let service: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    service = await start('--memory', '--no-demo');
    await svc('scenario', 'split', 't-100');
  });
  afterAll(() => stop(service));

  /** The output of the command line. */
  async function svc(...args: string[]): Promise<string> {
    const { url, api_key } = service.ready;
    const own = { ...env, SVC_URL: url, SVC_API_KEY: api_key };
    const program = join(ROOT, 'packages/cli/dist/svc.mjs');
    return (await run(process.execPath, [program, ...args], { cwd: project, env: own })).stdout;
  }

  /** Exports a copy of the tenant, a month later and with a failed payment, into the project. */
  async function exportAs(runner: string) {
    const output = await svc('tenant', 'fork', 't-100', '--fail-next-payment', 'R01');
    const [copy = ''] = /t-100~fork-\d/.exec(output) ?? [];
    await svc('tenant', 'fork', copy, '--advance', '1mo', '--as', runner, '--force');
    return copy.replace('~', '-');
  }

  /** Changes what the recording says about the second webhook's plan. */
  async function editRecording(name: string) {
    const file = join(project, `${name}.recording.json`);
    const recording = JSON.parse(await readFile(file, 'utf8'));
    const created = recording.events.find(({ type }: { type: string }) => type === 'plan.created');
    created.data.fee_in_cents = 1;
    await writeFile(file, JSON.stringify(recording));
  }
  const difference = /plan\.created, evt_\w+\), data\.fee_in_cents was 1, and is 3000 in the copy/;

  /** The output of a test run that must fail. */
  const failureOf = (running: Promise<unknown>): Promise<string> =>
    running.then(
      () => 'It passed.',
      (failed: Error & { stdout: string; stderr: string }) => failed.stdout + failed.stderr,
    );

  test('passes in Vitest, and names the difference after an edit of the recording', async () => {
    const name = await exportAs('vitest');
    expect(await readFile(join(project, `${name}.test.ts`), 'utf8')).toContain(
      "'installment.failed'",
    );
    await runVitest(`${name}.test.ts`);
    await editRecording(name);
    expect(await failureOf(runVitest(`${name}.test.ts`))).toMatch(difference);
  });

  test.skipIf(!hasPytest)('passes in pytest, and names the difference (needs pytest)', async () => {
    const name = await exportAs('pytest');
    const file = `test_${name.replaceAll('-', '_')}.py`;
    await runPytest(file);
    await editRecording(name);
    expect(await failureOf(runPytest(file))).toMatch(difference);
  });
});
