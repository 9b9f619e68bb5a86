import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  runFolder,
  startPostgres,
  startTcpProxy,
  type TcpProxy,
  type TestServer,
} from '../../packages/db/src/testing.ts';
import { ROOT } from '../steps/run-command.mjs';
import { findProgram } from './find-program.ts';
import { currentVersion } from './set-version.ts';

const run = promisify(execFile);
const podman = findProgram('podman', 'PODMAN_BIN');
const image = `localhost/svc:${currentVersion()}`;

/** Options that let podman start a container on this machine. */
interface Runtime {
  readonly runtime: readonly string[];
  readonly limits: readonly string[];
}
const lowLimits = ['--ulimit=nofile=4096:4096', '--ulimit=nproc=4096:4096'];
// A sandboxed machine may forbid raising limits, and crun refuses some control groups that runc accepts.
const runtimes: readonly Runtime[] = [
  { runtime: [], limits: [] },
  { runtime: [], limits: lowLimits },
  { runtime: ['--runtime=runc'], limits: lowLimits },
];

let folder: string;
let usable: Runtime | undefined;
let database: TestServer | undefined;
let proxy: TcpProxy | undefined;
let origin: string;
let options: string[];

/** Runs podman with separate storage, so that it has no images and containers but those of this test. */
function pod(...args: string[]) {
  const storage = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run')];
  return run(podman ?? '', [...storage, '--cgroup-manager=cgroupfs', ...args], {
    cwd: folder,
    maxBuffer: 50_000_000,
  });
}

/** Runs `podman run` with the options of deploy/container/compose.yaml. */
function podRun(own: readonly string[], ...command: string[]) {
  const { runtime, limits } = usable ?? { runtime: [], limits: [] };
  return pod(...runtime, 'run', ...limits, ...options, ...own, image, ...command);
}

describe.skipIf(podman === undefined)('the image (needs PODMAN_BIN, or podman on PATH)', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(await runFolder(), 'container-'));
    await importBaseImages();
    usable = await findRuntime();
    if (usable === undefined) return;
    await run(process.execPath, [join(ROOT, 'scripts/release/package.mjs')], { cwd: ROOT });
    database = await startPostgres();
    // Only the server's own user may open its socket.
    proxy = await startTcpProxy(database.url('postgres'));
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    options = await productionOptions(proxy.url, port);
  });
  afterAll(async () => {
    await pod('rm', '--force', '--all', '--time=0');
    await proxy?.close();
    await database?.stop();
    // Files of the image belong to other users where podman runs without root. With root, podman leaves a mount.
    const storage = join(folder, 'storage');
    await pod('unshare', 'rm', '-rf', storage).catch(() => undefined);
    await run('umount', ['--lazy', join(storage, 'overlay')]).catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
  });

  test('is built from the Containerfile, runs with a read-only root, and serves again after a kill', async (context) => {
    if (usable === undefined) return context.skip('podman cannot start a container here');
    await pod(
      'build',
      '--format=docker',
      `--file=${join(ROOT, 'deploy/container/Containerfile')}`,
      `--build-arg=VERSION=${currentVersion()}`,
      '--build-arg=REVISION=a-commit',
      '--build-context=node=container-image://localhost/node:test',
      '--build-context=base=container-image://localhost/base:test',
      `--tag=${image}`,
      join(ROOT, 'dist'),
    );
    const { stdout: inspected } = await pod('image', 'inspect', image);
    const [{ Config: config }] = JSON.parse(inspected);
    expect(config.User).toBe('10001:10001');
    expect(config.Labels).toMatchObject({
      'org.opencontainers.image.version': currentVersion(),
      'org.opencontainers.image.revision': 'a-commit',
    });

    await podRun(['--rm'], 'migrate', 'apply', '--create-database');
    await podRun(['--detach', '--name=svc', '--restart=always'], 'serve');
    await waitUntilReady();
    const inside = async (...command: string[]) => (await pod('exec', 'svc', ...command)).stdout;
    expect(await inside('id')).toMatch(/^uid=10001\(svc\) gid=10001\(svc\)/);
    await expect(pod('exec', 'svc', 'sh', '-c', 'echo > /opt/svc/file')).rejects.toMatchObject({
      stderr: expect.stringMatching(/Read-only file system/i),
    });
    // `command -v` finds none of them, and says so with its exit code.
    await expect(pod('exec', 'svc', 'sh', '-c', 'command -v npm npx yarn')).rejects.toMatchObject({
      code: 127,
    });
    expect(await inside('svc-admin', '--version')).toContain(currentVersion());
    await inside('svc-admin', 'money', 'stop', '--reason', 'drill');
    const { items } = JSON.parse(
      await inside('svc-admin', 'audit', 'list', '--action', 'money', '--json'),
    );
    expect(items[0].credential_id).toBe('svc');

    const before = await processId();
    await pod('unshare', 'kill', '-9', before).catch(() => process.kill(Number(before), 'SIGKILL'));
    await expect.poll(processId, { timeout: 60_000 }).not.toBe(before);
    await waitUntilReady();
    await pod('stop', '--time=45', 'svc');
    const { stdout } = await pod('inspect', '--format={{.State.ExitCode}}', 'svc');
    expect(stdout).toBe('0\n');
  }, 600_000);
});

async function waitUntilReady() {
  const status = () =>
    fetch(`${origin}/readyz`).then(
      (it) => it.status,
      () => 'no answer',
    );
  await expect.poll(status, { timeout: 60_000 }).toBe(200);
}

async function processId(): Promise<string> {
  return (await pod('inspect', '--format={{.State.Pid}}', 'svc')).stdout.trim();
}

async function productionOptions(databaseUrl: string, port: number): Promise<string[]> {
  const secrets = join(folder, 'secrets');
  await mkdir(secrets);
  const url = Object.assign(new URL(databaseUrl), { pathname: '/svc' }).href;
  await writeFile(join(secrets, 'database_url'), url);
  await writeFile(join(secrets, 'svc_secret_key'), randomBytes(32).toString('base64'));
  const environment = {
    DATABASE_URL_FILE: '/run/secrets/database_url',
    SVC_SECRET_KEY_FILE: '/run/secrets/svc_secret_key',
    SVC_PUBLIC_ORIGIN: 'https://svc.example',
    SVC_LENDER_NAME: 'Maple Bank',
    SVC_LENDER_ADDRESS: '1 Main St, Austin, TX 78701',
    SVC_SUPPORT_EMAIL: 'help@maple.example',
    SVC_MAIL: 'none',
    PORT: String(port),
  };
  return [
    '--read-only',
    '--cap-drop=ALL',
    '--security-opt=no-new-privileges',
    // The database listens on this machine's loopback address.
    '--network=host',
    `--volume=${secrets}:/run/secrets:ro`,
    ...Object.entries(environment).map(([name, value]) => `--env=${name}=${value}`),
  ];
}

/**
 * Imports substitutes for the base images, because a test uses no registry: this machine's Node, some programs,
 * and the libraries that they load.
 */
async function importBaseImages(): Promise<void> {
  const programs = ['/bin/sh', '/usr/bin/readlink', '/usr/bin/dirname', '/usr/bin/id'];
  const files = [...programs, ...(await librariesOf([process.execPath, ...programs]))];
  await importImage('base', Object.fromEntries(files.map((path) => [path, path])));
  await importImage('node', { '/usr/local/bin/node': process.execPath });
}

/** @param files the file of this machine for each path in the image */
async function importImage(name: string, files: Record<string, string>): Promise<void> {
  const root = join(folder, name);
  for (const [path, source] of Object.entries(files)) {
    await mkdir(join(root, dirname(path)), { recursive: true });
    await copyFile(source, join(root, path));
  }
  const owner = ['--owner=0', '--group=0', '--mode=a+rX'];
  await run('tar', ['--create', `--file=${root}.tar`, ...owner, `--directory=${root}`, '.']);
  await pod('import', '--quiet', `${root}.tar`, `localhost/${name}:test`);
}

async function librariesOf(programs: string[]): Promise<string[]> {
  const { stdout } = await run('ldd', programs);
  return [...new Set([...stdout.matchAll(/(\/\S+) \(0x/g)].map(([, path = '']) => path))];
}

async function findRuntime(): Promise<Runtime | undefined> {
  for (const candidate of runtimes) {
    const { runtime, limits } = candidate;
    const command = [
      'run',
      '--rm',
      '--network=host',
      ...limits,
      'localhost/base:test',
      '/usr/bin/id',
    ];
    const started = await pod(...runtime, ...command).then(
      () => true,
      () => false,
    );
    if (started) return candidate;
  }
  return undefined;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
