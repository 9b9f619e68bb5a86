import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer as createNetServer, type Server } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { VirtualClock } from '@svc/runtime/testing';
import { afterEach, expect, test } from 'vitest';
import {
  expiredCertificate,
  futureCertificate,
  issuedCertificate,
  testCertificate,
} from '../testing/certificate.ts';
import { sendOnce } from '../testing/send-once.ts';
import { createConnections } from './connections.ts';
import { describeAttempt } from './describe-attempt.ts';

const clock = new VirtualClock('2026-01-15T12:00:00Z');
const closing: (() => unknown)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const { key, cert, intermediate, root } = issuedCertificate;
// OpenSSL 3 allows TLS 1.1 only at security level 0.
const weak = 'DEFAULT@SECLEVEL=0';
const chain = { key, cert: cert + intermediate };

interface Case {
  readonly server: () => Server;
  /** The certificate authority that the client trusts. Default: the public ones. */
  readonly ca?: string;
  readonly host?: string;
  readonly says: RegExp;
}

const cases: Readonly<Record<string, Case>> = {
  'an expired certificate': {
    server: tls(expiredCertificate),
    ca: expiredCertificate.cert,
    host: 'localhost',
    says: /has expired: renew/,
  },
  'a certificate that is not valid yet': {
    server: tls(futureCertificate),
    ca: futureCertificate.cert,
    says: /not valid yet/,
  },
  'a self-signed certificate': { server: tls(testCertificate), says: /is self-signed/ },
  'a certificate of a private authority': {
    server: tls({ key, cert: cert + intermediate + root }),
    says: /private certificate authority/,
  },
  'a chain that leads to no known authority': {
    server: tls(chain),
    says: /leads to no public certificate authority/,
  },
  'a chain without its intermediate certificate': {
    server: tls({ key, cert }),
    ca: root,
    says: /send the full chain/,
  },
  'a certificate for another host': {
    server: tls(chain),
    ca: root,
    host: 'other.example',
    says: /is for hook\.example and not for other\.example: install/,
  },
  'plain HTTP': { server: () => createHttpServer(), says: /HTTPS and not plain HTTP/ },
  'an old version of TLS': {
    server: tls({ ...chain, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: weak }),
    says: /enable TLS 1\.2 or 1\.3/,
  },
  'no cipher in common': {
    server: tls({ ...chain, maxVersion: 'TLSv1.2', ciphers: 'ECDHE-RSA-AES128-GCM-SHA256' }),
    says: /check its cipher suites/,
  },
  'a client certificate asked for after the handshake': {
    server: tls({ ...chain, ca: root, requestCert: true, rejectUnauthorized: true }),
    ca: root,
    says: /asks for a client certificate/,
  },
  'only HTTP/2': {
    server: tls({ ...chain, ALPNProtocols: ['h2'] }),
    ca: root,
    says: /enable it in addition to HTTP\/2/,
  },
  'a handshake that the server ends': {
    server: () => createNetServer((socket) => socket.once('data', () => socket.end())),
    says: /closed the connection during the TLS handshake/,
  },
  'a handshake that the server resets': {
    server: () => createNetServer((socket) => socket.once('data', () => socket.resetAndDestroy())),
    says: /closed the connection during the TLS handshake/,
  },
};

test.each(Object.entries(cases))(
  '%s has a specific hint',
  async (_, { server, ca, host, says }) => {
    const hint = await hintFor(server(), host ?? 'hook.example', ca);
    expect(hint).toMatch(says);
    expect(hint).toMatch(/^[A-Z].*\.$/);
  },
);

test('each cause has a different hint', () => {
  const patterns = Object.values(cases).map(({ says }) => says.source);
  // The sender does not distinguish an end from a reset.
  expect(new Set(patterns).size).toBe(patterns.length - 1);
});

async function hintFor(server: Server, host: string, ca: string | undefined) {
  server.on('connection', (socket) => socket.on('error', () => {}));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const guard = {
    policy: { allowPrivate: true, allowHttp: true },
    resolve: async () => ['127.0.0.1'],
    ...(ca !== undefined && { ca }),
  };
  const connections = createConnections(guard, clock, 60_000);
  closing.push(
    () => connections.close(),
    () => server.close(),
  );
  const { port } = server.address() as AddressInfo;
  return describeAttempt(await sendOnce(`https://${host}:${port}/`, { connections, clock }));
}

function tls(options: TlsOptions): () => Server {
  return () =>
    createTlsServer(options, (socket) => {
      socket.on('error', () => {});
      socket.on('data', () => socket.end('HTTP/1.1 204 No Content\r\n\r\n'));
    }).on('tlsClientError', () => {});
}
