import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@svc/db';
import { testKind } from '@svc/db/testing';
import { systemClock } from '@svc/runtime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serviceTarget } from '../../test/support/service-database.ts';
import { readConfig } from '../config.ts';
import { openVault } from '../secret-key.ts';
import type { Config } from '../service-settings.ts';
import { checkSettings } from './check-settings.ts';

const log = { info() {}, warn() {}, error() {} };
const database = await serviceTarget();
const folder = await mkdtemp(join(tmpdir(), 'svc-check-'));
const api = createServer((request, response) => {
  if (request.url === '/livez') response.end('ok\n');
  else response.writeHead(404).end();
});
// An SMTP server that only greets, and refuses everything after that.
const mail = createTcpServer((socket) => {
  socket.write('220 mail.example ready\r\n');
  socket.on('data', (data) =>
    socket.write(String(data).startsWith('QUIT') ? '221 bye\r\n' : '250 fine\r\n'),
  );
});
let config: Config;

beforeAll(async () => {
  for (const server of [api, mail]) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  }
  config = {
    ...readConfig({
      SVC_DATA_DIR: folder,
      SVC_SECRET_KEY: key(1),
      SVC_SMTP_URL: `smtp://127.0.0.1:${portOf(mail)}`,
      SVC_PUBLIC_ORIGIN: `http://127.0.0.1:${portOf(api)}`,
    }),
    database: database.target,
  };
  if ('url' in database.target) {
    const db = await openDatabase(database.target);
    await openVault(db, config, new Date());
    await db.close();
  }
});
afterAll(async () => {
  api.close();
  mail.close();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

function portOf(server: { address(): unknown }): number {
  return (server.address() as AddressInfo).port;
}

async function check(changes: Partial<Config> = {}) {
  const checks = await checkSettings(
    { ...config, ...changes },
    { clock: systemClock, log, unknown: [] },
  );
  return Object.fromEntries(
    checks.map(({ name, result, message }) => [name, `${result}: ${message}`]),
  );
}

test('a variable that is no setting is a warning', async () => {
  const unknown = ['SVC_X is set but is not a setting, so it is ignored.'];
  const checks = await checkSettings(config, { clock: systemClock, log, unknown });
  expect(checks).toContainEqual({ name: 'settings', result: 'warning', message: unknown[0] });
});

test('what works is ok', async () => {
  const found = await check();
  expect(found).toMatchObject({
    settings: 'ok: valid for sandbox',
    mail: expect.stringMatching(/^ok: 127\.0\.0\.1:\d+ accepts a connection/),
    processor: 'ok: the simulator, which moves no money',
    origin: expect.stringMatching(/^ok: .*\/livez is answered by the service$/),
  });
});

test.runIf(testKind() === 'postgres')(
  'the database, its role, the key and the clock are tried',
  async () => {
    expect(await check()).toMatchObject({
      database: expect.stringMatching(/^ok: PostgreSQL 1[4-9]/),
      clock: expect.stringMatching(/^ok: -?0\.\d s from the database's$/),
      migrations: expect.stringMatching(/^ok: all \d+ of version/),
      'database role': expect.stringMatching(/^warning: \w+ owns the tables/),
      'secret key': 'ok: the one of this database',
    });
    const other = readConfig({ SVC_SECRET_KEY: key(2) }).secretKeys;
    expect(await check({ secretKeys: other })).toMatchObject({
      'secret key': expect.stringMatching(
        /^failed: This database was set up with another secret key/,
      ),
    });
    expect(
      await check({ database: { url: 'postgres://svc:hunter2@127.0.0.1:1/x' } }),
    ).toMatchObject({
      database: expect.stringMatching(/^failed: The database at 127\.0\.0\.1:1\/x cannot be used/),
    });
    const fast = { ...systemClock, now: () => new Date(systemClock.now().getTime() + 90_000) };
    const checks = await checkSettings(config, { clock: fast, log, unknown: [] });
    expect(checks.find(({ name }) => name === 'clock')).toMatchObject({
      result: 'warning',
      message: expect.stringMatching(/^(90\.\d|89\.9) s from the database's\. Synchronize/),
    });
  },
);

test('the provider of the operator’s console is asked for its configuration', async () => {
  const provider = createServer((request, response) => {
    if (request.url !== '/staff/.well-known/openid-configuration') {
      return response.writeHead(404).end();
    }
    const at = `http://127.0.0.1:${portOf(provider)}/staff`;
    const found = { issuer: at, authorization_endpoint: `${at}/authorize` };
    return response.setHeader('content-type', 'application/json').end(JSON.stringify(found));
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${portOf(provider)}/staff`;
  const checked = async (own: string) => {
    const oidc = { issuer: own, clientId: 'svc', clientSecret: 'hunter2' };
    return (await check({ oidc, operatorOrigin: 'https://ops.example' }))['operator sign-in'];
  };
  expect(await checked(issuer)).toBe(
    `ok: people sign in at ${issuer}/authorize; the client must allow https://ops.example/operator/signed-in as redirect URI`,
  );
  expect(await checked(`${issuer}/other`)).toBe(
    `failed: ${issuer}/other cannot be used (status 404). Its configuration must be at ${issuer}/other/.well-known/openid-configuration, with the same issuer. Check SVC_OPERATOR_OIDC_ISSUER.`,
  );
  provider.close();
  provider.closeAllConnections();
  expect(await checked(issuer)).toMatch(/ cannot be used \((ECONNREFUSED|UND_ERR_SOCKET)\)/);
});

test('what does not work fails with what to do', async () => {
  const file = join(folder, 'a-file');
  await writeFile(file, '');
  const closed = await new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const port = portOf(server);
      server.close(() => resolve(port));
    });
  });
  const processorSettings = { folder: file, bankName: 'Sponsor Bank' };
  expect(
    await check({
      smtpUrl: `smtp://user:hunter2@127.0.0.1:${closed}`,
      publicOrigin: `http://127.0.0.1:${closed}`,
      processor: 'ach',
      processorSettings,
    }),
  ).toMatchObject({
    mail: expect.stringMatching(
      /^failed: 127\.0\.0\.1:\d+ cannot be used: .*ECONNREFUSED.*Check SVC_SMTP_URL\.$/,
    ),
    origin: expect.stringMatching(/^failed: .*\/livez cannot be reached \(ECONNREFUSED\)\./),
    folder: expect.stringMatching(/^failed: SVC_ACH_FOLDER names .* but a file is in its place/),
  });
  expect(
    await check({
      publicOrigin: `http://127.0.0.1:${portOf(api)}/elsewhere`,
      processor: undefined,
    }),
  ).toMatchObject({
    origin: expect.stringContaining('failed: '),
    processor: expect.stringMatching(/^failed: No payment processor is set up/),
  });
});

/** 32 different bytes for each seed. */
function key(seed: number): string {
  return createHash('sha256').update(String(seed)).digest('base64');
}
