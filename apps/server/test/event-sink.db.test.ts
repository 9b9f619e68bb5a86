import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { sql } from '@svc/db';
import { rowsOf } from '@svc/db/testing';
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { describeResult } from '../src/operator/administer.ts';
import type { NatsServers } from '../src/relay/nats/servers.ts';
import type { Config } from '../src/service-settings.ts';
import { ada, type Running, startRunning } from './harness.ts';
import { withPlan } from './journeys/with-plan.ts';
import {
  eventsIn,
  manageNats,
  type NatsBroker,
  noNatsServer,
  startNatsBroker,
} from './support/nats-server.ts';
import { serviceTarget } from './support/service-database.ts';

const received: string[] = [];
const receiver = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    received.push(Buffer.concat(parts).toString());
    response.writeHead(204).end();
  });
});
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
const receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
afterAll(() => {
  receiver.closeAllConnections();
  receiver.close();
});

const consumer = fileURLToPath(
  new URL('../../../examples/event-sink/consume.mjs', import.meta.url),
);

type Partner = Awaited<ReturnType<Running['newPartner']>>;

describe.skipIf(noNatsServer)(`the event sink${noNatsServer ? `: ${noNatsServer}` : ''}`, () => {
  let broker: NatsBroker;
  beforeEach(async () => {
    received.length = 0;
    broker = await startNatsBroker();
  });
  afterEach(() => broker.drop());

  function sinkOf(servers: Partial<NatsServers> = {}): Partial<Config> {
    return {
      eventSink: 'nats',
      nats: {
        servers: { hosts: [broker.host], tls: false, ...servers },
        credsFile: undefined,
        prefix: 'svc',
        stream: 'SVC_EVENTS',
        createsStream: true,
      },
    };
  }

  async function start(settings: Partial<Config>): Promise<Running> {
    const svc = await startRunning(settings);
    onTestFinished(() => svc.close());
    return svc;
  }

  const stored = () => eventsIn(broker.host, 'SVC_EVENTS');
  const bodies = async () => (await stored()).map(({ body }) => body);

  async function publish(svc: Running, { key }: Partner, note: string, externalId = 't-1') {
    const data = `{"note":${JSON.stringify(note)}, "n":1.0}`;
    const body = `{"event_type":"plan.created","external_id":"${externalId}","data":${data}}`;
    const { status } = await svc.call('POST', '/webhooks/messages', { key, body });
    expect(status).toBe(200);
  }

  /** The answer of `GET /v1/events` for a partner, as text. */
  async function eventsOf(svc: Running, { key }: Partner): Promise<string[]> {
    const rows = await rowsOf<{ body: string }>(
      svc.db,
      sql`select m.body from webhook_messages m join api_key k on k.partner_id = m.owner
        where k.ends_with = ${key.slice(-4)} and m.body::jsonb -> 'test' is null order by m.id`,
    );
    return rows.map(({ body }) => body);
  }

  const itemsLeft = (svc: Running) =>
    rowsOf<{ destination: string; state: string; reason: string | null }>(
      svc.db,
      sql`select destination, state, reason from outbox_item /* all partners */ order by position`,
    );

  const ready = async (svc: Running) => (await fetch(`${svc.url}/readyz`)).text();

  /** Runs `svc` as an operator. */
  async function run(svc: Running, request: Parameters<Running['administer']>[0]): Promise<object> {
    const answer = await svc.administer(request);
    if (!answer.ok) throw new Error(JSON.stringify(answer));
    return answer.result;
  }

  /** Lets time pass until the relay has nothing left to hand over. */
  async function drained(svc: Running): Promise<void> {
    await expect
      .poll(async () => {
        svc.clock.advance(1_000);
        return itemsLeft(svc);
      })
      .toEqual([]);
  }

  test('every event reaches webhooks, /events and the stream, with the same bytes and in order', async () => {
    const svc = await start(sinkOf());
    const [partner, other] = [await svc.newPartner(), await svc.newPartner()];
    const endpoint = { key: partner.key, body: { url: receiverUrl } };
    const { data } = await svc.call('POST', '/webhooks/endpoints', endpoint);
    await withPlan(svc, partner, 't.1 *');
    await publish(svc, other, 'é "quoted"');
    await svc.call('POST', `/webhooks/endpoints/${data.id}/test`, {
      key: partner.key,
      body: { event_type: 'plan.created' },
    });
    await drained(svc);
    await svc.engine.idle();

    const events = await stored();
    const ofPartner = events.filter(({ subject }) => subject.startsWith(`svc.${partner.pms}.`));
    expect(ofPartner.length).toBeGreaterThan(5);
    expect(ofPartner.map(({ body }) => body)).toEqual(await eventsOf(svc, partner));
    for (const { body } of ofPartner) expect(received).toContain(body);
    for (const { subject, body, headers } of events) {
      const { id, type, pms, external_id } = JSON.parse(body);
      const tenant = external_id === 't.1 *' ? 't%2E1%20%2A' : external_id;
      expect(subject).toBe(`svc.${pms}.${tenant}.${type}`);
      expect(headers).toMatchObject({ 'Nats-Msg-Id': id, 'Svc-Key': `${pms}.${tenant}` });
    }
    const [custom] = events.filter(({ subject }) => subject.startsWith(`svc.${other.pms}.`));
    expect(custom?.body).toContain('"data":{"note":"é \\"quoted\\"", "n":1.0}');
  });

  test('the documented consumer gets each event, and continues where it was killed', async () => {
    const svc = await start(sinkOf());
    const partner = await svc.newPartner();
    await publish(svc, partner, '1');
    await publish(svc, partner, '2');
    await drained(svc);
    const first = await runConsumer('2');
    await publish(svc, partner, '3');
    await drained(svc);
    const second = await runConsumer('3');
    // An event whose acknowledgment was cut off by the kill comes twice.
    expect([...new Set([...first, ...second])]).toEqual(await eventsOf(svc, partner));
    expect(second).not.toContain(first[0]);
  });

  /** Runs the example until it has printed the event with this note, then kills it. */
  async function runConsumer(note: string): Promise<string[]> {
    const child = spawn(process.execPath, [consumer], {
      env: { NATS_SERVER: broker.host },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      lines.push(line);
      if (JSON.parse(line).data.note === note) child.kill('SIGKILL');
    }
    return lines;
  }

  test('a sink that is switched on later gets new events only, and off again, what is left', async () => {
    const { target, drop } = await serviceTarget();
    onTestFinished(drop);
    const secretKeys: Config['secretKeys'] = [Buffer.alloc(32, 7)];
    const before = await startRunning({ database: target, secretKeys });
    const partner = await before.newPartner();
    await publish(before, partner, 'before');
    await before.close();

    const during = await startRunning({ database: target, secretKeys, ...sinkOf() });
    await publish(during, partner, 'first');
    await drained(during);
    await broker.kill();
    await publish(during, partner, 'left');
    await during.close();

    await broker.start();
    const after = await startRunning({
      database: target,
      secretKeys,
      ...sinkOf(),
      eventSink: 'none',
    });
    await publish(after, partner, 'after');
    await drained(after);
    await after.close();
    expect((await bodies()).map((body) => JSON.parse(body).data.note)).toEqual(['first', 'left']);
  });

  test('a broker that is away for an hour delays events, loses none and keeps their order', async () => {
    const svc = await start(sinkOf());
    const partners = [await svc.newPartner(), await svc.newPartner()];
    const endpoint = { key: partners[0]?.key ?? '', body: { url: receiverUrl } };
    await svc.call('POST', '/webhooks/endpoints', endpoint);
    const publishAll = async (note: string) => {
      for (const partner of partners) await publish(svc, partner, note);
    };
    await publishAll('1');
    await drained(svc);
    await broker.kill();
    for (let minutes = 0; minutes < 60; minutes += 10) {
      await publishAll(`during ${minutes}`);
      // An attempt that is in flight for ten minutes would be made again.
      await svc.engine.idle();
      svc.clock.advance(600_000);
    }
    await svc.engine.idle();
    // Webhooks do not wait for the sink.
    expect(received.filter((body) => body.includes('during'))).toHaveLength(6);
    // The client reports the lost connection. If the broker died during a call, the call gets no answer.
    const last_error = expect.stringMatching(/^(NATS|nats did not answer within)/);
    const waiting = { destination: 'nats', waiting: 6, last_error };
    expect(await run(svc, { command: 'outbox list' })).toMatchObject({
      streams: [waiting, waiting],
    });

    await broker.start();
    svc.clock.advance(300_000);
    await drained(svc);
    const events = await bodies();
    for (const partner of partners) {
      const own = events.filter((body) => JSON.parse(body).pms === partner.pms);
      expect(own).toEqual(await eventsOf(svc, partner));
      expect(own).toHaveLength(7);
    }
  });

  test('wrong credentials stop the sink until they are right; webhooks continue', async () => {
    const closed = await startNatsBroker('authorization { user: svc, password: right }');
    onTestFinished(() => closed.drop());
    await manageNats(
      closed.host,
      (it) => it.streams.add({ name: 'SVC_EVENTS', subjects: ['svc.>'] }),
      {
        user: 'svc',
        pass: 'right',
      },
    );
    const svc = await start(sinkOf({ hosts: [closed.host], user: 'svc', password: 'hunter2' }));
    const partner = await svc.newPartner();
    await svc.call('POST', '/webhooks/endpoints', { key: partner.key, body: { url: receiverUrl } });
    await publish(svc, partner, 'kept');
    await expect
      .poll(async () => svc.lines.some((line) => line.includes('NATS refused the credentials')))
      .toBe(true);
    await svc.engine.idle();
    expect(received).toHaveLength(1);
    expect(await itemsLeft(svc)).toMatchObject([{ destination: 'nats', state: 'pending' }]);
    expect(await ready(svc)).toBe(
      'ok. Messages wait for nats, which refuses all of them: the log says why.\n',
    );
    expect(svc.lines.join('')).not.toContain('hunter2');

    await closed.kill();
    await closed.start('authorization { user: svc, password: hunter2 }');
    await expect
      .poll(async () => {
        svc.clock.advance(60_000);
        return itemsLeft(svc);
      })
      .toEqual([]);
    expect(await ready(svc)).toBe('ok\n');
  });

  test('an event that is too large is parked; "svc outbox" shows it, sends it again and drops it', async () => {
    const svc = await start(sinkOf());
    const limit = (max_msg_size: number) =>
      manageNats(broker.host, ({ streams }) => streams.update('SVC_EVENTS', { max_msg_size }));
    const partner = await svc.newPartner();
    await publish(svc, partner, 'first');
    await drained(svc);
    await limit(2_000);
    await publish(svc, partner, 'x'.repeat(3_000));
    await publish(svc, partner, 'y'.repeat(3_000));
    await publish(svc, partner, 'last');
    await expect.poll(async () => (await stored()).length).toBe(2);
    const [, large, larger] = (await eventsOf(svc, partner)).map((body) => JSON.parse(body));

    const list = { command: 'outbox list', pms: partner.pms } as const;
    const listed = await run(svc, list);
    const reason =
      'The event is larger than max_msg_size of the stream SVC_EVENTS. Raise it, then retry.';
    const parked = { pms: partner.pms, destination: 'nats', type: 'plan.created', reason };
    expect(listed).toMatchObject({
      streams: [],
      parked: {
        items: [
          { ...parked, message_id: larger.id },
          { ...parked, message_id: large.id },
        ],
      },
    });
    const shown = describeResult(list, listed);
    for (const text of [partner.pms, 'nats', large.id, larger.id, reason]) {
      expect(shown).toContain(text);
    }

    await run(svc, { command: 'outbox drop', pms: partner.pms, message_id: larger.id });
    await limit(-1);
    await run(svc, { command: 'outbox retry', pms: partner.pms });
    await drained(svc);
    const notes = (await bodies()).map((body) => JSON.parse(body).data.note[0]);
    expect(notes).toEqual(['f', 'l', 'x']);
    expect(await run(svc, list)).toMatchObject({ streams: [], parked: { items: [] } });
  });

  test('beside a Svix server that is down, the sink gets its events', async () => {
    const svix = { serverUrl: 'http://127.0.0.1:9', token: 'token' };
    const svc = await start({ ...sinkOf(), webhooks: 'svix', svix });
    const partner = await svc.newPartner();
    await publish(svc, partner, '1');
    await publish(svc, partner, '2');
    await expect
      .poll(() => itemsLeft(svc))
      .toMatchObject([{ destination: 'svix' }, { destination: 'svix' }]);
    expect(await bodies()).toEqual(await eventsOf(svc, partner));
  });

  test('an erased tenant: custom events that wait are not sent, and a purge by subject removes the rest', async () => {
    const svc = await start(sinkOf());
    const partner = await svc.newPartner();
    const { key, pms } = partner;
    for (const tenant of ['t.1', 't']) {
      await svc.call('POST', `/tenant/portal_info/${tenant}`, { key, body: ada });
      await publish(svc, partner, 'sent', tenant);
    }
    await drained(svc);
    await broker.kill();
    for (const tenant of ['t.1', 't']) await publish(svc, partner, 'waits', tenant);
    await run(svc, { command: 'tenant erase', pms, external_id: 't.1' });
    await broker.start();
    await run(svc, { command: 'outbox retry', pms });
    await drained(svc);
    const notesOf = async (tenant: string) =>
      (await bodies())
        .map((body) => JSON.parse(body))
        .filter(({ external_id, custom }) => external_id === tenant && custom)
        .map(({ data }) => data.note);
    expect(await notesOf('t.1')).toEqual(['sent']);
    expect(await notesOf('t')).toEqual(['sent', 'waits']);

    await manageNats(broker.host, ({ streams }) =>
      streams.purge('SVC_EVENTS', { filter: `svc.${pms}.t%2E1.>` }),
    );
    expect((await bodies()).map((body) => JSON.parse(body).external_id)).not.toContain('t.1');
    expect(await notesOf('t')).toEqual(['sent', 'waits']);
  });
});
