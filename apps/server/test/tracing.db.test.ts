import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { testKind } from '@svc/db/testing';
import { afterAll, expect, test } from 'vitest';
import { callAt } from './harness.ts';
import { type Entry, runEntry } from './run-entry.ts';
import { serviceTarget } from './support/service-database.ts';

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: Record<string, unknown> }[];
}

const spans: Span[] = [];
const tokens: (string | undefined)[] = [];
const hooks: IncomingMessage['headers'][] = [];

/** Accepts OTLP as JSON, and webhooks. */
const receiver = createServer((request, response) => {
  let body = '';
  request.on('data', (data) => {
    body += data;
  });
  request.on('end', () => {
    if (request.url === '/v1/traces') {
      tokens.push(request.headers.authorization);
      for (const { scopeSpans } of JSON.parse(body).resourceSpans) {
        for (const scope of scopeSpans) spans.push(...scope.spans);
      }
    } else hooks.push(request.headers);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
});
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
const receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
let entry: Entry | undefined;
afterAll(async () => {
  if (entry?.child.exitCode === null) await entry.end('SIGKILL');
  receiver.close();
});

// OpenTelemetry changes the whole process, so the service runs in a separate one.
test.runIf(testKind() === 'postgres')(
  'a trace goes from the partner’s call through the transaction to the webhook',
  async () => {
    const { target, drop } = await serviceTarget();
    const settings = {
      DATABASE_URL: 'url' in target ? target.url : '',
      SVC_SECRET_KEY: randomBytes(32).toString('base64'),
      SVC_HOST: '127.0.0.1',
      PORT: String(await freePort()),
      SVC_ALLOW_PRIVATE_WEBHOOKS: '1',
      OTEL_EXPORTER_OTLP_ENDPOINT: receiverUrl,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collector',
    };
    const service = runEntry('serve', { settings });
    entry = service;
    await service.until('answers at');
    const cli = await runEntry('cli', { settings, args: ['partner', 'create', 'maple'] }).end();
    const key = /API key +(\S+)/.exec(cli.stdout)?.[1] ?? '';
    const api = `http://127.0.0.1:${settings.PORT}/v1`;
    const endpoint = { key, body: { url: `${receiverUrl}/hook` } };
    expect((await callAt(`${api}/webhooks/endpoints`, 'POST', endpoint)).status).toBe(200);

    const traceId = randomBytes(16).toString('hex');
    const caller = randomBytes(8).toString('hex');
    const published = await callAt(`${api}/webhooks/messages`, 'POST', {
      key,
      body: { event_type: 'plan.created', data: {} },
      headers: { traceparent: `00-${traceId}-${caller}-01` },
    });
    expect(published.status).toBe(200);
    await expect.poll(() => hooks.length).toBe(1);
    // The remaining spans are sent when the service stops.
    expect((await service.end('SIGTERM')).code).toBe(0);

    const of = (name: string) =>
      spans.find((span) => span.traceId === traceId && span.name === name);
    const request = of('POST /v1/webhooks/messages');
    const transaction = of('transaction');
    const attempt = of('webhook attempt');
    expect(request?.parentSpanId).toBe(caller);
    expect(transaction?.parentSpanId).toBe(request?.spanId);
    expect(attempt?.parentSpanId).toBe(transaction?.spanId);
    expect(hooks[0]?.traceparent).toBe(`00-${traceId}-${attempt?.spanId}-01`);
    expect(attempt?.attributes).toContainEqual({
      key: 'svc.message_id',
      value: { stringValue: hooks[0]?.['webhook-id'] },
    });
    expect(new Set(tokens)).toEqual(new Set(['Bearer collector']));
    // No key, address or path with an id.
    expect(JSON.stringify(spans)).not.toContain(key);
    await drop();
  },
);

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
