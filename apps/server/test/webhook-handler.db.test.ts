import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SvcClient, type WebhookStore } from '@svc/node';
import { afterAll, expect, test } from 'vitest';
import { useService } from './harness.ts';

// The receiver that @svc/node makes, with webhooks of the engine.

const svc = await useService();
const servers: ReturnType<typeof createServer>[] = [];
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/** Ids in the order in which `once` was asked, and those that were handled. */
function recordingStore(asked: string[], handled: Set<string>): WebhookStore {
  return {
    async once(id, handle) {
      asked.push(id);
      if (handled.has(id)) return;
      await handle(undefined);
      handled.add(id);
    },
  };
}

test('a handler gets a webhook until it succeeds, and no replay of it', async () => {
  const { key } = await svc.newPartner();
  const client = new SvcClient({ apiKey: key, baseUrl: `${svc.url}/v1` });
  const server = createServer((request, response) => void receive(request, response));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const endpoint = await client.webhooks.endpoints.create({
    url: `http://127.0.0.1:${port}/hook`,
    event_types: ['tenant.updated'],
  });
  const { secret } = await client.webhooks.endpoints.secret(endpoint.id);

  const asked: string[] = [];
  const changes: string[] = [];
  let failures = 1;
  const { node: receive } = client.webhooks.handler(
    {
      'tenant.updated': ({ external_id, data }) => {
        failures -= 1;
        if (failures >= 0) throw new Error('the database is away');
        changes.push(`${external_id} ${data.changed.join()}`);
      },
    },
    {
      secret,
      store: recordingStore(asked, new Set()),
      onError: () => undefined,
      now: () => svc.clock.now(),
    },
  );

  const tenant = { first_name: 'Ada', last_name: 'Lane', charges: [] };
  for (const email of ['ada@example.com', 'ada.lane@example.com']) {
    await client.portalInfo('t-1', { ...tenant, email });
  }
  await svc.engine.idle();
  expect(changes).toEqual([]);
  const [message] = await client.webhooks.messages.list().toArray({ limit: 1 });
  const id = message?.id ?? '';

  for (let replay = 0; replay < 2; replay++) {
    await client.webhooks.messages.replay(id, { endpoint_id: endpoint.id });
    await svc.engine.idle();
  }
  expect(asked).toEqual([id, id, id]);
  expect(changes).toEqual(['t-1 email']);
  const attempts = await client.webhooks.messages.attempts(id).toArray({ limit: 10 });
  expect(attempts.map(({ status }) => Number(status)).sort((a, b) => a - b)).toEqual([
    204, 204, 500,
  ]);

  const sent = await client.webhooks.endpoints.test(endpoint.id, {
    event_type: 'tenant.updated',
  });
  expect(sent.status).toBe(204);
  expect(changes).toHaveLength(1);
});
