import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestTarget, testKind, testTarget } from '@svc/db/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Entry, runEntry } from './run-entry.ts';
import { serviceTarget } from './support/service-database.ts';

let database: TestTarget;
let dataDir: string;
let settings: Record<string, string>;
let running: Entry[];
async function useDatabase(open = serviceTarget): Promise<void> {
  database = await open();
  const { target } = database;
  dataDir = 'dataDir' in target ? target.dataDir : await mkdtemp(join(tmpdir(), 'svc-data-'));
  settings = { SVC_DATA_DIR: dataDir, ...('url' in target ? { DATABASE_URL: target.url } : {}) };
}
beforeEach(async () => {
  await useDatabase();
  running = [];
});
afterEach(async () => {
  for (const entry of running) {
    if (entry.child.exitCode === null && entry.child.signalCode === null)
      await entry.end('SIGKILL');
  }
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

function run(...args: Parameters<typeof runEntry>): Entry {
  const [name, options] = args;
  const entry = runEntry(name, { ...options, settings: { ...settings, ...options?.settings } });
  running.push(entry);
  return entry;
}

async function started(): Promise<{ entry: Entry; demo: Record<string, string> }> {
  const entry = run('start');
  await entry.until('Stop with Ctrl-C');
  const demo = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8'));
  return { entry, demo };
}

function api(demo: Record<string, string>, path: string, key = demo.api_key) {
  return fetch(demo.base_url + path, { headers: { authorization: `Bearer ${key}` } });
}

async function svc(...args: string[]) {
  const { code, stdout, stderr } = await run('cli', { args }).end();
  return { code, stdout, stderr, key: /svc_sandbox_\w+/.exec(stdout)?.[0] ?? '' };
}

test('start seeds once, and a start after kill -9 reuses the partner', async () => {
  const first = await started();
  expect((await stat(join(dataDir, 'demo.json'))).mode & 0o777).toBe(0o600);
  expect(first.demo).toMatchObject({ pms: 'maple', pid: first.entry.child.pid });
  expect(first.entry.output().stdout).toContain(first.demo.demo_origin);
  expect(first.entry.output().stdout).toContain('SVC_ALLOW_PRIVATE_WEBHOOKS=1');
  expect((await api(first.demo, '/settlements')).status).toBe(200);
  await first.entry.end('SIGKILL');

  const { entry, demo } = await started();
  const { api_key, signing_secret, webhook_endpoint_id } = first.demo;
  expect(demo).toMatchObject({ api_key, signing_secret, webhook_endpoint_id });
  const endpoints = await (await api(demo, '/webhooks/endpoints')).json();
  expect(endpoints).toMatchObject({
    data: { items: [{ id: webhook_endpoint_id, url: `${demo.demo_origin}/webhooks/svc` }] },
  });
  const origins = await (await api(demo, '/partner/allowed_origins')).json();
  expect(origins).toMatchObject({ data: { allowed_origins: [demo.demo_origin] } });

  const stopped = await entry.end('SIGINT');
  expect(stopped).toMatchObject({ code: 0, stderr: '' });
  const { stdout } = entry.output();
  for (const secret of [demo.api_key, demo.signing_secret]) expect(stdout).not.toContain(secret);
});

test('the command line works while the service runs', async () => {
  const { demo } = await started();
  const partner = await svc('partner', 'create', 'oak');
  expect(partner).toMatchObject({ code: 0, stderr: '' });
  expect((await api(demo, '/settlements', partner.key)).status).toBe(200);
  const second = await svc('key', 'create', 'oak', '--reason', 'rotation');
  expect((await api(demo, '/settlements', second.key)).status).toBe(200);
  const id = /key_\w+/.exec(partner.stdout)?.[0] ?? '';
  expect(await svc('key', 'revoke', id)).toMatchObject({ code: 0, stderr: '' });
  expect((await api(demo, '/settlements', partner.key)).status).toBe(401);
  expect((await api(demo, '/settlements', second.key)).status).toBe(200);

  const again = await svc('partner', 'create', 'oak');
  expect(again).toMatchObject({ code: 1, stdout: '' });
  expect(again.stderr).toBe('A partner oak exists already: create a key for it instead.\n');

  const { code, stdout } = await svc('key', 'list', 'oak');
  expect(code).toBe(0);
  const lines = stdout.trimEnd().split('\n');
  const time = '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC';
  const line = (key: string, state: string) =>
    new RegExp(`^key_\\w+ +oak +everything +…${key.slice(-4)} +${time} +${time} +${state}$`);
  expect(lines).toHaveLength(3);
  expect(lines[1]).toMatch(line(second.key, 'live'));
  expect(lines[2]).toMatch(line(partner.key, `revoked ${time}`));
  expect(lines[2]).toContain(id);
  for (const { key } of [partner, second]) expect(stdout).not.toContain(key);

  const audit = await svc('audit', 'list', 'oak', '--action', 'key', '--json');
  expect(audit).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(audit.stdout)).toMatchObject({
    items: [
      { action: 'key.revoked', pms: 'oak', via: 'cli', subject_id: id },
      { action: 'key.created', pms: 'oak', via: 'cli', details: { reason: 'rotation' } },
    ],
    has_more: false,
  });
});

test('without a running service, the command line opens its database but does not create one', async () => {
  await database.drop();
  await useDatabase(testTarget);
  const unused = await svc('partner', 'create', 'elm');
  expect(unused).toMatchObject({ code: 1, stdout: '' });
  expect(unused.stderr).toContain('No service has used');
  expect(await readdir(dataDir)).not.toContain('secret.key');

  const partner = await svc('partner', 'create', 'elm', '--create-database');
  expect(partner).toMatchObject({ code: 0, stderr: '' });
  const place = testKind() === 'pglite' ? dataDir : new URL(settings.DATABASE_URL ?? '').pathname;
  expect(partner.stdout).toMatch(new RegExp(`^Done in .*${place}\\.$`, 'm'));

  const secretKey = join(dataDir, 'secret.key');
  await rename(secretKey, join(dataDir, 'elsewhere'));
  const keyless = await svc('key', 'create', 'elm');
  expect(keyless).toMatchObject({ code: 1, stdout: '' });
  expect(keyless.stderr).toContain(`there is none in ${secretKey}`);
  expect(await readdir(dataDir)).not.toContain('secret.key');
  await rename(join(dataDir, 'elsewhere'), secretKey);

  const { demo } = await started();
  expect((await api(demo, '/settlements', partner.key)).status).toBe(200);
});

test('the command line does not create a database in an empty folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-other-'));
  try {
    for (const verb of ['create', 'list']) {
      const entry = runEntry('cli', {
        args: ['key', verb, 'oak'],
        settings: { SVC_DATA_DIR: folder },
      });
      const { code, stdout, stderr } = await entry.end();
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain(`There is no database in the data folder ${folder}. `);
      expect(stderr).toContain('SVC_DATA_DIR');
    }
    expect(await readdir(folder)).toEqual([]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('wrong calls of the command line are explained', async () => {
  expect(await svc()).toMatchObject({ code: 0, stdout: expect.stringContaining('Usage:') });
  expect(await svc('key', 'destroy', 'x')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('There is no command "key destroy x".'),
  });
  expect(await svc('key', 'create', 'x', '--because', 'y')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('There is no option --because.'),
  });
  expect(await svc('loss', 'list', '--reason', 'y')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('takes no --reason'),
  });
  await svc('partner', 'create', 'oak', '--create-database');
  expect(await svc('key', 'revoke', 'key_none')).toMatchObject({
    code: 1,
    stderr: 'There is no key key_none.\n',
  });
});

describe('a start that fails prints one line and exits with 1', () => {
  async function refusal(name: 'start' | 'serve', own: Record<string, string>): Promise<string> {
    const { code, stdout, stderr } = await run(name, { settings: own }).end();
    expect(code).toBe(1);
    expect(stdout).not.toContain('ready');
    expect(stderr.trim().split('\n')).toHaveLength(1);
    return stderr;
  }

  test('a port that is in use', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, 'localhost', resolve));
    const port = String((taken.address() as AddressInfo).port);
    expect(await refusal('serve', { PORT: port })).toContain(`Port ${port} is in use`);
    taken.close();
    const demo = createServer();
    await new Promise<void>((resolve) => demo.listen(0, '127.0.0.1', resolve));
    const demoPort = String((demo.address() as AddressInfo).port);
    expect(await refusal('start', { DEMO_PORT: demoPort })).toContain(`Port ${demoPort} is in use`);
    demo.close();
  });

  test('a wrong setting, production by npm start, another secret key', async () => {
    expect(await refusal('serve', { PORT: 'http' })).toContain('PORT must be a port');
    const production = {
      SVC_ENVIRONMENT: 'production',
      SVC_MAIL: 'none',
      SVC_PUBLIC_ORIGIN: 'https://svc.example',
      SVC_SECRET_KEY: randomBytes(32).toString('base64'),
      SVC_ALLOW_EMBEDDED: '1',
      SVC_LENDER_NAME: 'Ash Credit',
      SVC_LENDER_ADDRESS: '1 Ash St, Austin, TX 78701',
      SVC_SUPPORT_EMAIL: 'help@ash.example',
    };
    expect(await refusal('start', production)).toContain('use npm run serve');
    await svc('partner', 'create', 'ash', '--create-database');
    const other = { SVC_SECRET_KEY: randomBytes(32).toString('base64') };
    expect(await refusal('serve', other)).toContain('set up with another secret key');
  });

  if (testKind() === 'pglite') {
    test('a data folder in use, and a file in its place', async () => {
      const service = run('serve');
      await service.until('answers at');
      expect(await refusal('serve', {})).toContain(`in use by process ${service.child.pid}`);
      expect(await service.end('SIGTERM')).toMatchObject({ code: 0 });
      const file = join(dataDir, 'file');
      await writeFile(file, '');
      expect(await refusal('serve', { SVC_DATA_DIR: file })).toContain('a file is in its place');
    });
  } else {
    test('a database that does not answer', async () => {
      const DATABASE_URL = 'postgres://svc:hunter2@127.0.0.1:1/svc';
      const message = await refusal('serve', { DATABASE_URL });
      expect(message).toContain('The database at 127.0.0.1:1/svc cannot be used');
      expect(message).not.toContain('hunter2');
      const list = await refusal('serve', {
        DATABASE_URL: 'postgres://svc:hunter2@127.0.0.1:1,[::1]:1/svc',
      });
      expect(list).toContain('The database at 127.0.0.1:1,[::1]:1/svc cannot be used: none');
      expect(list).toContain('check that one of them is the primary');
      expect(list).not.toContain('hunter2');
    });
  }
});
