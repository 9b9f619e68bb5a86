import { createServer, request as httpRequest } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFetch } from './create-fetch.ts';

/** The requests that the proxy received: `CONNECT host:port`, or `GET http://host/`. */
const proxyRequests: string[] = [];
const proxy = createServer((request, response) => {
  proxyRequests.push(`${request.method} ${request.url}`);
  const { port } = target.address() as AddressInfo;
  const sent = httpRequest({ host: '127.0.0.1', port, path: '/', headers: request.headers });
  sent.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502);
    answer.pipe(response);
  });
  sent.end();
});
proxy.on('connect', (request, socket) => {
  proxyRequests.push(`CONNECT ${request.url}`);
  const { port } = target.address() as AddressInfo;
  const through = connect(port, '127.0.0.1', () => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    through.pipe(socket).pipe(through);
  });
  through.on('error', () => socket.destroy());
  socket.on('error', () => through.destroy());
});
const target = createServer((request, response) => {
  response.end(`seen by ${request.headers['user-agent']}`);
});

beforeAll(async () => {
  for (const server of [proxy, target]) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  }
});
afterAll(() => {
  for (const server of [proxy, target]) {
    server.close();
    server.closeAllConnections();
  }
});

const portOf = (server: typeof proxy) => (server.address() as AddressInfo).port;

/** Fetches a URL with these environment variables, and returns the requests that the proxy received. */
async function proxyRequestsFor(variables: Record<string, string>, url: string): Promise<string[]> {
  proxyRequests.length = 0;
  const response = await createFetch(variables)(url, { signal: AbortSignal.timeout(10_000) });
  expect(await response.text()).toContain('seen by svc-cli/');
  return [...proxyRequests];
}

test.each([
  ['HTTP_PROXY', 'http://127.0.0.1:'],
  ['http_proxy', 'http://127.0.0.1:'],
  ['HTTP_PROXY', '127.0.0.1:'],
  ['http_proxy', ' http://user:secret@127.0.0.1:'],
])('%s is used for another host', async (name, address) => {
  const variables = { [name]: `${address}${portOf(proxy)}` };
  const [only, ...rest] = await proxyRequestsFor(variables, 'http://svc.example/');
  expect(only).toMatch(/svc\.example/);
  expect(rest).toEqual([]);
});

test.each(['localhost', '127.0.0.1'])('%s is reached without the proxy', async (host) => {
  const variables = { HTTP_PROXY: `http://127.0.0.1:${portOf(proxy)}` };
  expect(await proxyRequestsFor(variables, `http://${host}:${portOf(target)}/`)).toEqual([]);
});

test('an https address goes through the tunnel of HTTPS_PROXY', async () => {
  const call = createFetch({ HTTPS_PROXY: `http://127.0.0.1:${portOf(proxy)}` });
  proxyRequests.length = 0;
  // The target speaks no TLS, so the call fails after the tunnel is open.
  await expect(call('https://svc.example/')).rejects.toThrow('fetch failed');
  expect(proxyRequests).toEqual(['CONNECT svc.example:443']);
});

test('NO_PROXY names hosts that are reached directly', async () => {
  const HTTP_PROXY = `http://127.0.0.1:${portOf(proxy)}`;
  const call = createFetch({ HTTP_PROXY, NO_PROXY: 'other.example,.invalid' });
  proxyRequests.length = 0;
  await expect(call('http://svc.invalid/')).rejects.toThrow('fetch failed');
  expect(proxyRequests).toEqual([]);
});

test('an address that is no HTTP proxy is refused with its name', () => {
  for (const HTTPS_PROXY of ['socks5://127.0.0.1:1080', 'http://', 'a b']) {
    expect(() => createFetch({ HTTPS_PROXY })).toThrow(
      `HTTPS_PROXY is not an address of an HTTP proxy: ${HTTPS_PROXY}.`,
    );
  }
});
