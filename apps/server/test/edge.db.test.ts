import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { routes } from '../src/http/routes.ts';
import { startRunning, useService } from './harness.ts';

const svc = await useService({ publicOrigin: 'https://svc.example' });

const get = (path: string, init?: RequestInit) => fetch(svc.url + path, init);

/** Sends the bytes and returns the answer once the server has closed the connection. */
async function exchange(text: string | Buffer) {
  const socket = dial();
  socket.write(text);
  const received: Buffer[] = [];
  socket.on('data', (data) => received.push(data));
  await once(socket, 'close');
  const [head = '', body = ''] = Buffer.concat(received).toString().split('\r\n\r\n');
  const [, status] = /^HTTP\/1\.1 (\d+)/.exec(head) ?? [];
  const [, requestId] = /^x-request-id: (.+)$/im.exec(head) ?? [];
  return { status: Number(status), requestId, body: JSON.parse(body || 'null'), head };
}

function dial(url = svc.url): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => {});
  return socket;
}

const logged = (requestId: string | undefined) =>
  svc.lines.map((line) => JSON.parse(line)).filter(({ request_id }) => request_id === requestId);

describe('errors before any route have our envelope and a request id', () => {
  test.each([
    ['an invalid request line', 'hello\r\n\r\n', 400, 'malformed_request'],
    ['an unknown method', 'FETCH / HTTP/1.1\r\nHost: a\r\n\r\n', 400, 'malformed_request'],
    [
      'two Content-Length headers',
      'POST /v1/x HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
      400,
      'malformed_request',
    ],
    ['no Host', 'GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'malformed_request'],
    [
      'large headers',
      `GET /livez HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    [
      'an unknown expectation',
      'GET /livez HTTP/1.1\r\nHost: a\r\nExpect: tea\r\nConnection: close\r\n\r\n',
      417,
      'expectation_failed',
    ],
    ['CONNECT', 'CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n', 405, 'method_not_allowed'],
  ])('%s', async (_, text, status, code) => {
    const answer = await exchange(text);
    expect(answer).toMatchObject({ status, body: { error: { code }, data: null } });
    expect(answer.requestId).toMatch(/^req_/);
    expect(answer.body.error.request_id).toBe(answer.requestId);
    expect(answer.body.error.doc_url).toBe(`https://svc.example/docs/errors#${code}`);
    expect(logged(answer.requestId)).toEqual([expect.objectContaining({ level: 30, status })]);
  });

  test('a path below the assets without a file, and a name of Object.prototype', async () => {
    const paths = [
      '/experience/assets/',
      '/portal/assets/',
      '/portal/assets//x.js',
      '/experience/assets/%2e%2e',
      '/experience/assets/%2e%2e/%2e%2e/package.json',
      '/experience/assets/..%5c..%5cpackage.json',
      '/portal/assets/%5c',
      '/portal/assets/%00',
      '/portal/assets/none.js',
      '/sdk/__proto__',
      '/sdk/x/__proto__',
    ];
    for (const path of paths) {
      const answer = await exchange(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      expect({ path, ...answer }).toMatchObject({
        path,
        status: 404,
        body: { error: { code: 'not_found', request_id: answer.requestId } },
      });
    }
  });

  test('an If-Match for another version gets 412, and a range is ignored', async () => {
    const page = await (await get('/portal')).text();
    const [, script = ''] = /src="([^"]+\.js)"/.exec(page) ?? [];
    const answer = await get(script, { headers: { 'if-match': '"x"' } });
    expect(answer.status).toBe(412);
    expect(await answer.json()).toMatchObject({ error: { code: 'precondition_failed' } });
    const range = await get(script, { headers: { range: 'bytes=999999999-' } });
    expect(range.status).toBe(200);
    await range.arrayBuffer();
  });
});

test('no malformed request is logged as an error', () => {
  expect(svc.lines.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
});

test('HEAD answers like GET, without a body', async () => {
  const { pms, key } = await svc.newPartner();
  const page = await (await get('/portal')).text();
  const [, script = ''] = /src="([^"]+\.js)"/.exec(page) ?? [];
  const descriptions = ['/v1/openapi.json', '/v1/asyncapi.json'];
  const open = ['/livez', '/readyz', ...descriptions, '/docs/style.css', `/experience/${pms}`];
  const files = ['/sdk/release.json', '/sdk/svc.js', script];
  const plain = routes.filter(({ method, path }) => method === 'GET' && !path.includes('{'));
  const protectedPaths = plain
    .filter(({ who }) => who.startsWith('key'))
    .map(({ path }) => `/v1${path}`);
  expect(protectedPaths.length).toBeGreaterThan(5);
  for (const path of [
    ...open,
    ...files,
    '/docs',
    '/docs/errors',
    '/docs/errors.md',
    '/portal',
    ...protectedPaths,
  ]) {
    const headers = { authorization: `Bearer ${key}` };
    const full = await get(path, { headers });
    await full.arrayBuffer();
    const head = await get(path, { method: 'HEAD', headers });
    expect({ path, status: head.status }).toEqual({ path, status: full.status });
    expect(head.headers.get('content-type')).toBe(full.headers.get('content-type'));
    expect(await head.text()).toBe('');
  }
});

test('a trailing slash redirects to the page', async () => {
  for (const path of ['/docs', '/docs/errors', '/experience/oak']) {
    const answer = await get(`${path}/?a=1/`, { redirect: 'manual' });
    expect(answer.status).toBe(308);
    expect(answer.headers.get('location')).toBe(`${path}?a=1/`);
  }
  expect((await get('/docs/')).status).toBe(200);
  expect((await get('/portal/')).status).toBe(200);
});

test('an aborted upload is logged as aborted, not as an error', async () => {
  const { key } = await svc.newPartner();
  const from = svc.lines.length;
  const socket = dial();
  socket.write(
    `POST /v1/webhooks/endpoints HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 900\r\nExpect: 100-continue\r\n\r\n{`,
  );
  await once(socket, 'data');
  socket.destroy();
  const lines = () => svc.lines.slice(from).map((line) => JSON.parse(line));
  await expect.poll(lines).toContainEqual(expect.objectContaining({ msg: 'request aborted' }));
  expect(lines().filter(({ level }) => level > 30)).toEqual([]);
  expect(JSON.stringify(lines())).not.toContain('stack');
});

test('an https origin sends the security headers', async () => {
  const { pms, key } = await svc.newPartner();
  const pages = ['/portal', '/docs', `/experience/${pms}`, '/'];
  for (const path of [...pages, '/livez', '/v1/openapi.json', '/sdk/svc.js']) {
    const { headers } = await get(path);
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
    const isPage = pages.includes(path);
    expect(headers.get('cross-origin-opener-policy')).toBe(isPage ? 'same-origin' : null);
    const policy = headers.get('permissions-policy') ?? '';
    expect(policy.includes('camera=()')).toBe(isPage);
    expect(policy).not.toMatch(/payment|clipboard/);
  }
  const api = await svc.call('GET', '/settlements', { key });
  expect(api.headers.get('strict-transport-security')).toBe('max-age=31536000');
  expect(api.headers.get('cache-control')).toBe('no-store');
});

test('without https they are not sent; connections over the limit are closed', async () => {
  const own = await startRunning({ maxConnections: 2 });
  try {
    const [first, second] = [dial(own.url), dial(own.url)];
    await Promise.all([once(first, 'connect'), once(second, 'connect')]);
    const lines = () => own.lines.filter((line) => line.includes('connection limit reached'));
    for (let extra = 0; extra < 3; extra += 1) await once(dial(own.url), 'close');
    expect(lines()).toHaveLength(1);
    first.write('GET /docs HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    const received: Buffer[] = [];
    first.on('data', (data) => received.push(data));
    await once(first, 'close');
    const text = Buffer.concat(received).toString();
    expect(text).toContain('HTTP/1.1 200');
    expect(text).not.toMatch(/strict-transport|opener-policy|permissions-policy/i);
    own.clock.advance(5_000);
    expect((await fetch(`${own.url}/livez`)).status).toBe(200);
    const over = own.lines.map((line) => JSON.parse(line));
    expect(over).toContainEqual(
      expect.objectContaining({ msg: 'connections are accepted again', failures: 3 }),
    );
    second.destroy();
  } finally {
    await own.close();
  }
});
