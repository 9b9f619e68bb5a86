import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, sql } from '@svc/db';
import { oneRowOf, testKind } from '@svc/db/testing';
import { expect, onTestFinished, test } from 'vitest';
import { startKilledService } from './journeys/killed-service.ts';
import { runEntry } from './run-entry.ts';
import { localhostCertificate } from './support/localhost-certificate.ts';
import { eventsIn, noNatsServer, startNatsBroker } from './support/nats-server.ts';
import { serviceTarget } from './support/service-database.ts';

const events = 120;
const kills = 3;

// The embedded database would be killed with the service, which other tests do.
test.skipIf(noNatsServer ?? testKind() !== 'postgres')(
  `the service and the broker are killed while events are handed over: the stream has each event once, in order${noNatsServer ? `: ${noNatsServer}` : ''}`,
  async () => {
    const { target, drop } = await serviceTarget();
    onTestFinished(drop);
    const dataDir = await mkdtemp(join(tmpdir(), 'svc-data-'));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    const [cert, certKey] = [join(dataDir, 'cert.pem'), join(dataDir, 'key.pem')];
    await writeFile(cert, localhostCertificate.cert);
    await writeFile(certKey, localhostCertificate.key);
    const broker = await startNatsBroker(`
      tls { cert_file: "${cert}", key_file: "${certKey}" }
      authorization { user: svc, password: "p@ss:word" }`);
    onTestFinished(() => broker.drop());
    const db = await openDatabase(target);
    onTestFinished(() => db.close());
    const settings = {
      SVC_DATA_DIR: dataDir,
      SVC_SECRET_KEY: randomBytes(32).toString('base64'),
      SVC_EVENT_SINK: 'nats',
      SVC_EVENT_SINK_CREATE_STREAM: '1',
      NATS_URL: `tls://svc:p%40ss%3Aword@${broker.host}`,
      NODE_EXTRA_CA_CERTS: cert,
      ...('url' in target ? { DATABASE_URL: target.url } : {}),
    };
    const svc = await startKilledService(settings, { callsBetweenKills: 25, kills });
    const keys: string[] = [];
    for (const pms of ['oak', 'elm']) {
      const { stdout } = await runEntry('cli', {
        args: ['partner', 'create', pms],
        settings,
      }).end();
      keys.push(/svc_sandbox_\w+/.exec(stdout)?.[0] ?? '');
    }

    let restarted: Promise<void> | undefined;
    for (let number = 0; number < events; number += 1) {
      const key = keys[number % 2] ?? '';
      const body = { event_type: 'plan.created', external_id: `t-${number % 5}`, data: { number } };
      expect((await svc.call('POST', '/webhooks/messages', { key, body })).status).toBe(200);
      if (number === 40) await broker.kill();
      if (number === 60) restarted = broker.start();
    }
    await restarted;

    // A killed process holds its streams until its leases end. The test does not wait for that, nor for
    // the next try of a stream.
    const hurry = sql`
      update outbox_stream /* all partners */
      set due_at = due_at - interval '5 minutes', lease_until = lease_until - interval '90 seconds'`;
    const waiting = sql`select count(*)::int as items from outbox_item /* all partners */`;
    await expect
      .poll(
        async () => {
          await db.run(hurry);
          return (await oneRowOf<{ items: number }>(db, waiting)).items;
        },
        { interval: 1_000, timeout: 90_000 },
      )
      .toBe(0);
    const { stdout } = await svc.stop();
    expect(stdout).not.toMatch(/p@ss:word|p%40ss/);
    expect(svc.kills()).toBe(kills);

    const stored = (
      await eventsIn(broker.host, 'SVC_EVENTS', {
        user: 'svc',
        pass: 'p@ss:word',
        tls: { ca: localhostCertificate.cert },
      })
    ).map(({ body }) => JSON.parse(body));
    for (const [place, pms] of ['oak', 'elm'].entries()) {
      const numbers = stored.filter((it) => it.pms === pms).map(({ data }) => data.number);
      const published = Array.from({ length: events / 2 }, (_, index) => 2 * index + place);
      expect(numbers).toEqual(published);
    }
    expect(stored).toHaveLength(events);
  },
  180_000,
);
