import { createServer } from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import { parseEgressProxy } from '@svc/webhooks';
import { afterAll, expect, test } from 'vitest';
import { useService } from './harness.ts';

const password = 'p-4-the-proxy';
const credentials = Buffer.from(`svc:${password}`).toString('base64');
const received: object[] = [];
const connects: object[] = [];
let refuses = false;

const receiver = createServer((request, response) => {
  received.push(request.headers);
  response.writeHead(204, { connection: 'close' }).end();
});
const proxy = createServer().on('connect', (request, client: Socket) => {
  connects.push({ to: request.url, by: request.headers['proxy-authorization'] });
  if (refuses) {
    client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    return;
  }
  const tunnel = net.connect((receiver.address() as AddressInfo).port, '127.0.0.1', () => {
    client.write('HTTP/1.1 200 OK\r\n\r\n');
    client.pipe(tunnel).pipe(client);
  });
  tunnel.on('error', () => client.destroy());
  client.on('error', () => tunnel.destroy());
});

for (const server of [receiver, proxy]) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => void server.close());
}
const { port } = proxy.address() as AddressInfo;
const svc = await useService({
  egressProxy: parseEgressProxy(`http://svc:${password}@127.0.0.1:${port}`),
});

test('webhooks go through the proxy, and its credentials appear nowhere', async () => {
  const { key } = await svc.newPartner();
  const { data } = await svc.call('POST', '/webhooks/endpoints', {
    key,
    body: { url: 'http://192.0.2.7/hook' },
  });
  const body = { event_type: 'plan.created', data: {} };
  const tested = await svc.call('POST', `/webhooks/endpoints/${data.id}/test`, { key, body });
  expect(tested.data).toMatchObject({ succeeded: true, status: 204 });
  expect(connects).toEqual([{ to: '192.0.2.7:80', by: `Basic ${credentials}` }]);
  expect(received).toHaveLength(1);

  refuses = true;
  await svc.call('POST', '/webhooks/messages', { key, body: { ...body, external_id: 't-9' } });
  await svc.engine.idle();
  const { data: attempts } = await svc.call('GET', '/webhooks/attempts', { key });
  const error = 'the egress proxy answered CONNECT with 407';
  const hint = expect.stringContaining('The proxy');
  expect(attempts.items).toMatchObject([{ status: null, error_class: 'connect', error, hint }]);
  const lines = svc.lines.map((line) => JSON.parse(line));
  expect(lines).toContainEqual(expect.objectContaining({ msg: 'webhook attempt', error }));

  const seen = JSON.stringify([tested, attempts, received, svc.lines]);
  for (const secret of [password, credentials, 'proxy-authorization']) {
    expect(seen).not.toContain(secret);
  }
});
