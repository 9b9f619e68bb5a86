import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { expiredCertificate, testCertificate } from '../certificate.ts';

/** TLS servers that each cause one failed attempt of class `tls`, if the client trusts `authorities`. */
const kinds: Readonly<Record<string, () => Server>> = {
  'wrong-host': () => createHttpsServer(testCertificate, accept),
  expired: () => createHttpsServer(expiredCertificate, accept),
  'no-tls': () => createHttpServer(accept),
  'cut-handshake': () => createServer((socket) => socket.once('data', () => socket.end())),
  'reset-handshake': () =>
    createServer((socket) => socket.once('data', () => socket.resetAndDestroy())),
  'mute-version': () =>
    createServer((socket) => socket.once('data', () => socket.write(unknownVersion))),
};

/** Authorities to trust, so that only the host or the validity of a certificate is wrong. */
export const authorities = testCertificate.cert + expiredCertificate.cert;

// An alert that the client's protocol version is not supported (RFC 8446 §6): fatal(2), 70.
const unknownVersion = Buffer.from([21, 3, 3, 0, 2, 2, 70]);

function accept(_: unknown, response: { writeHead(status: number): { end(): void } }): void {
  response.writeHead(204).end();
}

interface BrokenTls {
  /** URLs by what is wrong with the server. */
  readonly urls: Readonly<Record<string, string>>;
  close(): void;
}

export async function openBrokenTls(): Promise<BrokenTls> {
  const servers = await Promise.all(
    Object.entries(kinds).map(async ([kind, open]) => {
      const server = open();
      server.on('connection', (socket) => socket.on('error', () => {}));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      return { server, entry: [kind, `https://localhost:${port}/${kind}`] as const };
    }),
  );
  return {
    urls: Object.fromEntries(servers.map(({ entry }) => entry)),
    close() {
      for (const { server } of servers) server.close();
    },
  };
}
