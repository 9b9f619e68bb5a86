import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openDatabase, raw } from '@svc/db';
import { startPostgres } from '@svc/db/testing';
import { storeMessages } from '@svc/webhooks';
import type { Svix } from 'svix';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openReceiver, type Receiver } from '../../../../packages/webhooks/src/testing/receiver.ts';
import { newId } from '../../src/ids.ts';
import type { OutboxState } from '../../src/relay/administer-outbox.ts';
import { enqueue } from '../../src/relay/enqueue.ts';
import { createSvixClient } from '../../src/relay/svix/svix-client.ts';
import { type Running, startRunning } from '../harness.ts';
import {
  findSvixServer,
  freePort,
  type SvixServer,
  startSvixServer,
} from '../support/svix-server.ts';

// What can go wrong with a real svix-server: each is one sentence for the operator, and drops nothing.

const binary = findSvixServer();
if (binary === undefined) {
  console.warn('Failures of svix-server are not tested: set SVIX_SERVER_BIN to its program.');
}

type Partner = Awaited<ReturnType<Running['newPartner']>>;

describe.skipIf(binary === undefined)('with a real svix-server', () => {
  let server: SvixServer;
  let svix: Svix;
  let receiver: Receiver;
  let page: Server;
  let closedPort: number;
  let databases = 0;
  let createDatabase: () => Promise<string>;
  const cleanUp: (() => unknown)[] = [];

  beforeAll(async () => {
    const postgres = await startPostgres();
    cleanUp.push(() => postgres.stop());
    createDatabase = async () => {
      databases += 1;
      const admin = await openDatabase({ url: postgres.url('postgres') }, { pool: 1 });
      await admin.run(raw(`create database test_${databases}`));
      await admin.close();
      return postgres.url(`test_${databases}`);
    };
    server = await startSvixServer({ binary: binary ?? '', databaseUrl: await createDatabase() });

    cleanUp.push(() => server.kill());
    svix = createSvixClient({ serverUrl: server.url, token: server.token });
    receiver = await openReceiver();
    cleanUp.push(() => receiver.close());
    page = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>');
    });
    await new Promise<void>((done) => page.listen(0, '127.0.0.1', done));
    cleanUp.push(() => page.close());
    closedPort = await freePort();
  });
  afterAll(async () => {
    for (const step of cleanUp.reverse()) await step();
  });

  const good = () => ({ serverUrl: server.url, token: server.token });
  const noToken = 'no-token-of-this-server';

  test.each([
    {
      problem: 'a wrong token',
      settings: () => ({ serverUrl: server.url, token: noToken }),
      log: /Svix answered 401 \(.+\): set SVIX_TOKEN to a token of this server\./,
      remark: 'Messages wait for svix, which refuses all of them: the log says why.',
    },
    {
      problem: 'an unreachable server',
      settings: () => ({ serverUrl: `http://127.0.0.1:${closedPort}`, token: server.token }),
      log: /The event types are not up to date: Svix gave no usable answer: ECONNREFUSED\./,
      remark: 'Messages wait for svix, which took none the last time: the log says why.',
    },
    {
      problem: 'a web page for an answer',
      settings: () => ({ serverUrl: urlOf(page), token: server.token }),
      log: /Svix gave no usable answer: it is not JSON, so it is not from Svix\./,
      remark: 'Messages wait for svix, which took none the last time: the log says why.',
    },
  ])(
    '$problem is in log and readiness, and what waits is sent once it is corrected',
    async (it) => {
      const own = {
        database: { url: await createDatabase() },
        secretKeys: [randomBytes(32)],
        webhooks: 'svix',
      } as const;
      const wrong = await startRunning({ ...own, migrateOnStart: true, svix: it.settings() });
      const partner = await wrong.newPartner();
      const id = await publish(wrong, partner);
      await expect.poll(() => wrong.lines.join('')).toMatch(it.log);
      await expect.poll(() => remarkOf(wrong)).toBe(`ok. ${it.remark}\n`);
      const { streams } = await outboxOf(wrong, partner);
      expect(streams).toMatchObject([{ waiting: 1, last_error: expect.stringMatching(it.log) }]);
      expect(wrong.lines.join('')).not.toContain(it.settings().token);
      await wrong.close();

      const corrected = await startRunning({ ...own, svix: good() });
      const stored = async () => {
        corrected.clock.advance(1_000);
        const { eventId } = await svix.message.get(partner.id, id).catch(() => ({ eventId: null }));
        return eventId;
      };
      await expect.poll(stored).toBe(id);
      await expect.poll(() => remarkOf(corrected)).toBe('ok\n');
      await corrected.close();
    },
  );

  describe('what Svix refuses for good', () => {
    let svc: Running;
    beforeAll(async () => {
      svc = await startRunning({ webhooks: 'svix', svix: good() });
      cleanUp.push(() => svc.close());
    });

    const arrived = () =>
      receiver.received.map(({ body }) => (JSON.parse(body) as { id: string }).id);

    async function addEndpoint({ key }: Partner): Promise<void> {
      const body = { url: `${receiver.url}/hooks` };
      expect((await svc.call('POST', '/webhooks/endpoints', { key, body })).status).toBe(200);
    }

    /** Waits until the message is parked, and returns the reason. */
    async function parkedReason(partner: Partner, id: string): Promise<string> {
      const find = async () => {
        svc.clock.advance(1_000);
        const { parked } = await outboxOf(svc, partner);
        return parked.items.find(({ message_id }) => message_id === id);
      };
      await expect.poll(find).toBeDefined();
      const reason = (await find())?.reason ?? '';
      const logged = svc.lines.filter((line) => line.includes('message parked'));
      expect(logged.filter((line) => line.includes(id))).toHaveLength(1);
      expect(logged.join('')).toContain(JSON.stringify(reason).slice(1, -1));
      const parked = 'ok. Messages for svix are parked: see "svc-admin outbox list".\n';
      await expect.poll(() => remarkOf(svc)).toBe(parked);
      return reason;
    }

    async function outboxCommand(command: 'outbox retry' | 'outbox drop', pms: string, id: string) {
      const answer = await svc.administer({ command, pms, message_id: id });
      expect(answer).toMatchObject({ ok: true });
    }

    test('a deleted application parks messages until its endpoints exist again', async () => {
      const partner = await svc.newPartner();
      await addEndpoint(partner);
      const first = await publish(svc, partner);
      await expect.poll(arrived).toContain(first);
      await svix.application.delete(partner.id);
      const second = await publish(svc, partner);
      expect(await parkedReason(partner, second)).toBe(
        'Svix no longer has an application of this partner, and so none of its endpoints: create them again, then retry.',
      );
      // Reading creates nothing.
      const list = await svc.call('GET', '/webhooks/endpoints', { key: partner.key });
      expect(list.data.items).toEqual([]);
      await addEndpoint(partner);
      const third = await publish(svc, partner);
      await expect.poll(arrived).toContain(third);
      await outboxCommand('outbox retry', partner.pms, second);
      svc.clock.advance(1_000);
      await expect.poll(arrived).toContain(second);
      expect(arrived().filter((id) => id === second)).toHaveLength(1);
      await expect.poll(() => remarkOf(svc)).toBe('ok\n');
    });

    test.each([
      { refused: 'an event type', type: 'plan created!', data: '', reason: /^Svix answered 4\d\d/ },
      {
        refused: 'a body over its limit',
        type: 'plan.created',
        data: 'x'.repeat(3_000_000),
        reason: /^Svix answered 413/,
      },
    ])('$refused that Svix refuses parks the message, and the next one follows', async (it) => {
      const partner = await svc.newPartner();
      await addEndpoint(partner);
      // Our API would refuse both.
      const id = newId('evt', svc.clock.now());
      const body = JSON.stringify({ id, data: it.data });
      const message = { id, owner: partner.id, subject: null, type: it.type, body };
      await svc.db.transaction(async (tx) => {
        await storeMessages(tx, [message], svc.clock.now());
        await enqueue(tx, ['svix'], [message], svc.clock.now());
      });
      const next = await publish(svc, partner);
      expect(await parkedReason(partner, id)).toMatch(it.reason);
      await expect.poll(arrived).toContain(next);
      expect(arrived()).not.toContain(id);
      await outboxCommand('outbox drop', partner.pms, id);
      await expect.poll(() => remarkOf(svc)).toBe('ok\n');
    });
  });
});

async function publish(svc: Running, { key }: Partner): Promise<string> {
  const body = { event_type: 'plan.created', data: { n: 1 } };
  const answer = await svc.call('POST', '/webhooks/messages', { key, body });
  expect(answer.status).toBe(200);
  return answer.data.id;
}

/** The remark is read at most once a second. */
async function remarkOf(svc: Running): Promise<string> {
  svc.clock.advance(1_000);
  return (await fetch(`${svc.url}/readyz`)).text();
}

async function outboxOf(svc: Running, { pms }: Partner): Promise<OutboxState> {
  const answer = await svc.administer({ command: 'outbox list', pms });
  if (!answer.ok) throw new Error(answer.message);
  return answer.result as OutboxState;
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
