import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { startRunning, useService } from './harness.ts';

const receiver = createServer((_, response) => response.writeHead(204).end());
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
afterAll(() => void receiver.close());
const svc = await useService({ metricsPort: 0 });

test('metrics are served on their own port only', async () => {
  const { key } = await svc.newPartner();
  const { port } = receiver.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/hook`;
  await svc.call('POST', '/webhooks/endpoints', { key, body: { url } });
  const event = { event_type: 'plan.created', data: {} };
  await svc.call('POST', '/webhooks/messages', { key, body: event });
  await svc.engine.idle();
  const at = new URL(svc.metricsAt ?? '');
  expect(at.hostname).toBe('127.0.0.1');
  const answer = await fetch(at);
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  const lines = (await answer.text()).trimEnd().split('\n');
  expect(lines).toContain('svc_webhook_messages_accepted_total 1');
  expect(lines).toContain('svc_webhook_attempts_total{outcome="delivered"} 1');
  expect(lines).toContain('svc_webhook_attempts_in_flight 0');
  expect(lines).toContain('svc_webhook_deliveries{state="pending"} 0');
  expect(lines).toContain('svc_clock_skew_seconds 0');
  expect(lines).toContain('svc_webhook_due_lag_seconds 0');
  for (const line of lines) {
    expect(line).toMatch(
      /^# (HELP|TYPE) svc_|^svc_(webhook|clock)_[a-z_]+(\{\w+="\w+"\})? \d+(\.\d+)?$/,
    );
  }
  expect((await fetch(new URL('/', at))).status).toBe(404);
  expect((await fetch(at, { method: 'HEAD' })).status).toBe(200);
  expect((await fetch(at, { method: 'POST' })).status).toBe(404);
  expect((await fetch(`${svc.url}/metrics`)).status).toBe(404);
});

test('without a port there are no metrics', async () => {
  const plain = await startRunning();
  expect(plain.metricsAt).toBeUndefined();
  await plain.close();
});
