import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nanos, nkeys } from '@nats-io/transport-node';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { localhostCertificate } from '../../../test/support/localhost-certificate.ts';
import {
  eventsIn,
  manageNats,
  type NatsBroker,
  noNatsServer,
  startNatsBroker,
} from '../../../test/support/nats-server.ts';
import type { RelayedMessage } from '../destination.ts';
import { createNatsDestination, type NatsSink } from './nats-destination.ts';

const first = { outcomeUnknown: false, partnerKnown: false };
const again = { outcomeUnknown: true, partnerKnown: true };

function message(id: string, more: Partial<RelayedMessage> = {}): RelayedMessage {
  return {
    id,
    partnerId: 'ptn_1',
    pms: 'maple',
    subject: 't-100',
    type: 'plan.created',
    channels: null,
    body: `{"id":"${id}","note":"é, \\u00e9"}`,
    createdAt: new Date('2026-01-20T15:00:00Z'),
    ...more,
  };
}

function open(host: string, more: Partial<NatsSink> = {}) {
  const destination = createNatsDestination({
    hosts: [host],
    tls: false,
    prefix: 'svc',
    stream: 'SVC',
    createWithMaxAgeMs: undefined,
    ...more,
  });
  onTestFinished(() => destination.close());
  return destination;
}

describe.skipIf(noNatsServer)(
  `the NATS destination${noNatsServer ? `: ${noNatsServer}` : ''}`,
  () => {
    let running: NatsBroker[] = [];

    afterEach(async () => {
      await Promise.all(running.map((broker) => broker.drop()));
      running = [];
    });

    async function broker(settings?: string): Promise<NatsBroker> {
      const started = await startNatsBroker(settings);
      running.push(started);
      return started;
    }

    const addStream = (host: string, more: object = {}) =>
      manageNats(host, (manager) =>
        manager.streams.add({ name: 'SVC', subjects: ['svc.>'], ...more }),
      );

    const stored = (host: string, stream = 'SVC') => eventsIn(host, stream);

    test('stores each event byte for byte, with its id and key', async () => {
      const { host } = await broker();
      await addStream(host);
      const destination = open(host);
      expect(await destination.send(message('evt_1'), first)).toEqual({ kind: 'accepted' });
      const noTenant = message('evt_2', { subject: null, type: 'endpoint.disabled' });
      expect(await destination.send(noTenant, first)).toEqual({ kind: 'accepted' });
      expect(await stored(host)).toEqual([
        {
          subject: 'svc.maple.t-100.plan.created',
          body: message('evt_1').body,
          headers: {
            'Nats-Msg-Id': 'evt_1',
            'Nats-Expected-Stream': 'SVC',
            'Svc-Key': 'maple.t-100',
            'Content-Type': 'application/json',
          },
        },
        expect.objectContaining({
          subject: 'svc.maple._.endpoint.disabled',
          headers: expect.objectContaining({ 'Nats-Msg-Id': 'evt_2', 'Svc-Key': 'maple._' }),
        }),
      ]);
    });

    test('an event that is sent again is stored once within the duplicate window, and twice after it', async () => {
      const { host } = await broker();
      await addStream(host, { duplicate_window: nanos(100) });
      const destination = open(host);
      await destination.send(message('evt_1'), first);
      expect(await destination.send(message('evt_1'), again)).toEqual({ kind: 'accepted' });
      expect(await stored(host)).toHaveLength(1);
      // The broker's own clock ends the window.
      await expect
        .poll(
          async () => {
            await destination.send(message('evt_1'), again);
            return (await stored(host)).map(({ headers }) => headers['Nats-Msg-Id']);
          },
          { timeout: 10_000 },
        )
        .toEqual(['evt_1', 'evt_1']);
    });

    test('a broker that is killed loses nothing, and duplicates are still found after its restart', async () => {
      const started = await broker();
      await addStream(started.host);
      const destination = open(started.host);
      await destination.send(message('evt_1'), first);
      await started.kill();
      expect(await destination.send(message('evt_2'), first)).toMatchObject({ kind: 'retry' });
      expect(await destination.send(message('evt_2'), first)).toEqual({
        kind: 'retry',
        reason: 'NATS cannot be reached: connection refused',
        outcomeUnknown: false,
      });
      await started.start();
      expect(await destination.send(message('evt_1'), again)).toEqual({ kind: 'accepted' });
      expect(await destination.send(message('evt_2'), first)).toEqual({ kind: 'accepted' });
      const ids = (await stored(started.host)).map(({ headers }) => headers['Nats-Msg-Id']);
      expect(ids).toEqual(['evt_1', 'evt_2']);
    });

    test('without the stream it tries again, and says which stream to create', async () => {
      const { host } = await broker();
      const destination = open(host);
      expect(await destination.send(message('evt_1'), first)).toEqual({
        kind: 'retry',
        reason:
          'No stream takes the subject svc.maple.t-100.plan.created, or JetStream is off. Create the stream SVC for it.',
        outcomeUnknown: false,
      });
      await addStream(host);
      expect(await destination.send(message('evt_1'), first)).toEqual({ kind: 'accepted' });
    });

    test('the stream and the permissions that deploy/nats recommends are enough', async () => {
      const deployed = (name: string) =>
        readFile(new URL(`../../../../../deploy/nats/${name}`, import.meta.url), 'utf8');
      const { host } = await broker(
        `SVC_NATS_PASSWORD: secret-1\n${(await deployed('permissions.conf')).replace('users: [', 'users: [ { user: admin, password: admin }')}`,
      );
      const stream = { ...JSON.parse(await deployed('stream.json')), num_replicas: 1 };
      await manageNats(host, (it) => it.streams.add(stream), { user: 'admin', pass: 'admin' });
      const user = { user: 'svc', password: 'secret-1', stream: 'SVC_EVENTS' };
      expect(await open(host, user).send(message('evt_1'), first)).toEqual({ kind: 'accepted' });
    });

    test('creates the stream if it may, once for all partners', async () => {
      const { host } = await broker();
      const destination = open(host, { createWithMaxAgeMs: 86_400_000 });
      const ids = ['evt_1', 'evt_2', 'evt_3', 'evt_4'];
      const sent = await Promise.all(
        ids.map((id) => destination.send(message(id, { pms: `portal-${id}` }), first)),
      );
      expect(sent).toEqual(ids.map(() => ({ kind: 'accepted' })));
      const { config, state } = await manageNats(host, (manager) => manager.streams.info('SVC'));
      expect(state.messages).toBe(4);
      expect(config).toMatchObject({
        subjects: ['svc.>'],
        storage: 'file',
        max_age: nanos(86_400_000),
        duplicate_window: nanos(3_600_000),
      });
    });

    test('never stores an event in a stream other than the configured one', async () => {
      const { host } = await broker();
      await addStream(host, { name: 'OTHER' });
      expect(await open(host).send(message('evt_1'), first)).toEqual({
        kind: 'retry',
        reason:
          'The subject svc.maple.t-100.plan.created belongs to another stream than SVC. Set SVC_EVENT_SINK_STREAM or SVC_EVENT_SINK_PREFIX.',
        outcomeUnknown: false,
      });
      expect(await stored(host, 'OTHER')).toEqual([]);
    });

    test('a broker can spread tenants over partitions, each tenant in one', async () => {
      const to = 'part.{{partition(8,1,2)}}.{{wildcard(1)}}.{{wildcard(2)}}.>';
      const { host } = await broker(`mappings = { "svc.*.*.>": "${to}" }`);
      await addStream(host, { subjects: ['part.>'] });
      const destination = open(host);
      const tenants = ['t-1', 't-2', 't-3', 't-4'];
      for (const [index, subject] of [...tenants, ...tenants].entries()) {
        expect(await destination.send(message(`evt_${index}`, { subject }), first)).toEqual({
          kind: 'accepted',
        });
      }
      const subjects = (await stored(host)).map(({ subject }) => subject);
      expect(subjects.slice(0, 4)).toEqual(subjects.slice(4));
      for (const [index, tenant] of tenants.entries()) {
        const parts = subjects[index]?.split('.') ?? [];
        expect(Number(parts[1])).toBeLessThan(8);
        expect(parts.slice(2)).toEqual(['maple', tenant, 'plan', 'created']);
      }
      expect(new Set(subjects.map((it) => it.split('.')[1])).size).toBeGreaterThan(1);
    });

    test.each([
      [
        'max_payload of the server',
        'max_payload: 1000',
        {},
        /larger than max_payload of the NATS server/,
      ],
      [
        'max_msg_size of the stream',
        '',
        { max_msg_size: 1_000 },
        /larger than max_msg_size of the stream SVC/,
      ],
    ])('refuses an event above %s, and sends the next one', async (_, settings, stream, reason) => {
      const { host } = await broker(settings);
      await addStream(host, stream);
      const destination = open(host);
      const large = message('evt_1', { body: JSON.stringify('x'.repeat(2_000)) });
      expect(await destination.send(large, first)).toEqual({
        kind: 'refused',
        reason: expect.stringMatching(reason),
      });
      expect(await destination.send(message('evt_2'), first)).toEqual({ kind: 'accepted' });
    });

    test('a stream that is full and discards nothing is tried again', async () => {
      const { host } = await broker();
      await addStream(host, { max_msgs: 1, discard: 'new' });
      const destination = open(host);
      await destination.send(message('evt_1'), first);
      expect(await destination.send(message('evt_2'), first)).toEqual({
        kind: 'retry',
        reason: 'The stream SVC answered: maximum messages exceeded (10077)',
        outcomeUnknown: false,
      });
    });

    describe('with users', () => {
      const users = `authorization { users: [
      { user: admin, password: admin-password }
      { user: svc, password: "right:pass@word" }
      { user: reader, password: reader-password, permissions: { publish: "other.>" } }
      { user: deaf, password: deaf-password, permissions: { subscribe: "other.>" } }
    ] }`;
      const admin = { user: 'admin', pass: 'admin-password' };

      async function withUsers() {
        const { host } = await broker(users);
        await manageNats(host, (it) => it.streams.add({ name: 'SVC', subjects: ['svc.>'] }), admin);
        return host;
      }

      test('accepts the right password', async () => {
        const destination = open(await withUsers(), { user: 'svc', password: 'right:pass@word' });
        expect(await destination.send(message('evt_1'), first)).toEqual({ kind: 'accepted' });
      });

      test.each([
        [
          'a wrong password',
          { user: 'svc', password: 'guessed-secret' },
          /refused the credentials/,
        ],
        ['no user', {}, /refused the credentials/],
        [
          'a file that is missing',
          { credsFile: '/nowhere/svc.creds' },
          /NATS_CREDS cannot be read \(ENOENT\)/,
        ],
        [
          'a user who may not publish',
          { user: 'reader', password: 'reader-password' },
          /does not permit it: .*svc\.maple/,
        ],
        [
          'a user who may not subscribe',
          { user: 'deaf', password: 'deaf-password' },
          /does not permit it: .*_INBOX/,
        ],
      ])('stops with %s, without naming the secret', async (_, credentials, reason) => {
        const handover = await open(await withUsers(), credentials).send(message('evt_1'), first);
        expect(handover).toEqual({ kind: 'stopped', reason: expect.stringMatching(reason) });
        expect(JSON.stringify(handover)).not.toMatch(
          /guessed-secret|reader-password|deaf-password/,
        );
      });
    });

    test('reads a credentials file for each connection', async () => {
      const { settings, userFile } = await createJwtAccount();
      const started = await broker(settings);
      const destination = open(started.host, { credsFile: userFile, createWithMaxAgeMs: 60_000 });
      expect(await destination.send(message('evt_1'), first)).toEqual({ kind: 'accepted' });
      const credentials = await readFile(userFile, 'utf8');
      await started.kill();
      await started.start();
      await writeFile(userFile, 'SUAC…');
      // The first handover may still use the broken connection.
      await destination.send(message('evt_2'), first);
      expect(await destination.send(message('evt_2'), first)).toEqual({
        kind: 'stopped',
        reason: 'The file of NATS_CREDS has no credentials in it.',
      });
      await writeFile(userFile, credentials);
      expect(await destination.send(message('evt_2'), first)).toEqual({ kind: 'accepted' });
    });

    test('sends nothing to a server whose certificate is not trusted', async () => {
      const folder = await temporaryFolder();
      const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
      await writeFile(key, localhostCertificate.key);
      await writeFile(cert, localhostCertificate.cert);
      const { host } = await broker(`tls { cert_file: "${cert}", key_file: "${key}" }`);
      for (const tls of [true, false]) {
        expect(await open(host, { tls }).send(message('evt_1'), first)).toEqual({
          kind: 'retry',
          reason: expect.stringMatching(/^NATS cannot be reached: .*certificate/),
          outcomeUnknown: false,
        });
      }
    });

    test('refuses a server without TLS if TLS is required', async () => {
      const { host } = await broker();
      await addStream(host);
      expect(await open(host, { tls: true }).send(message('evt_1'), first)).toEqual({
        kind: 'retry',
        reason: "NATS cannot be reached: server does not support 'tls'",
        outcomeUnknown: false,
      });
    });

    test('an acknowledgment that is lost leaves the outcome open, and the next try changes nothing', async () => {
      const { host } = await broker();
      await addStream(host);
      const proxy = await startProxy(host);
      const destination = open(proxy.host, { ackMs: 500 });
      expect(await destination.send(message('evt_1'), first)).toEqual({ kind: 'accepted' });
      proxy.dropAnswers(true);
      expect(await destination.send(message('evt_2'), first)).toEqual({
        kind: 'retry',
        reason: 'The stream did not answer in time.',
        outcomeUnknown: true,
      });
      proxy.dropAnswers(false);
      expect(await destination.send(message('evt_2'), again)).toEqual({ kind: 'accepted' });
      proxy.dropAnswers(true);
      const cut = destination.send(message('evt_3'), first);
      proxy.cut();
      expect(await cut).toMatchObject({ kind: 'retry', outcomeUnknown: true });
      proxy.dropAnswers(false);
      expect(await destination.send(message('evt_3'), again)).toEqual({ kind: 'accepted' });
      const ids = (await stored(host)).map(({ headers }) => headers['Nats-Msg-Id']);
      expect(ids).toEqual(['evt_1', 'evt_2', 'evt_3']);
    });
  },
);

test('a server that is no NATS server, or answers nothing, is tried again', async () => {
  const web = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  web.listen(0, '127.0.0.1');
  await once(web, 'listening');
  onTestFinished(() => void web.close());
  const { port } = web.address() as AddressInfo;
  expect(await open(`127.0.0.1:${port}`).send(message('evt_1'), first)).toMatchObject({
    kind: 'retry',
    reason: expect.stringMatching(/^NATS cannot be reached: \S/),
    outcomeUnknown: false,
  });
});

/** Starts a proxy between the destination and the broker that can drop the broker's responses. */
async function startProxy(to: string) {
  const sockets = new Set<Socket>();
  let drops = false;
  const [host, port] = to.split(':');
  const proxy = createServer((client) => {
    const server = dial(Number(port), host);
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
    client.on('data', (part) => server.write(part));
    server.on('data', (part) => drops || client.write(part));
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(() => {
    cut();
    proxy.close();
  });
  return {
    host: `127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    dropAnswers: (on: boolean) => {
      drops = on;
    },
    cut,
  };
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-nats-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** An account that the broker knows by its signature only, as in NATS's cloud, with a user's file. */
async function createJwtAccount() {
  const [operator, account, user] = [
    nkeys.createOperator(),
    nkeys.createAccount(),
    nkeys.createUser(),
  ];
  const system = nkeys.createAccount();
  const signed = (
    issuer: typeof operator,
    subject: typeof operator,
    name: string,
    nats: object,
  ) => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = {
      jti: name,
      iat: 1_700_000_000,
      iss: issuer.getPublicKey(),
      sub: subject.getPublicKey(),
      name,
      nats: { version: 2, ...nats },
    };
    const text = `${part({ typ: 'JWT', alg: 'ed25519-nkey' })}.${part(claims)}`;
    return `${text}.${Buffer.from(issuer.sign(Buffer.from(text))).toString('base64url')}`;
  };
  const limits = {
    subs: -1,
    data: -1,
    payload: -1,
    imports: -1,
    exports: -1,
    wildcards: true,
    conn: -1,
    leaf: -1,
  };
  const jetStream = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };
  const systemKey = system.getPublicKey();
  const accountJwt = signed(operator, account, 'data', {
    type: 'account',
    limits: { ...limits, ...jetStream },
  });
  const systemJwt = signed(operator, system, 'SYS', { type: 'account', limits });
  const settings = [
    `operator: ${signed(operator, operator, 'ops', { type: 'operator', system_account: systemKey })}`,
    `system_account: ${systemKey}`,
    'resolver: MEMORY',
    `resolver_preload: { ${account.getPublicKey()}: ${accountJwt}, ${systemKey}: ${systemJwt} }`,
  ];
  const jwt = signed(account, user, 'svc', { type: 'user', subs: -1, data: -1, payload: -1 });
  const userFile = join(await temporaryFolder(), 'svc.creds');
  const seed = Buffer.from(user.getSeed()).toString();
  await writeFile(
    userFile,
    `-----BEGIN NATS USER JWT-----\n${jwt}\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n${seed}\n------END USER NKEY SEED------\n`,
  );
  return { settings: settings.join('\n'), userFile };
}
