import { createServer, request as forward, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

interface SlowLine {
  /** For Chromium's proxy setting. */
  server: string;
  /** Bytes of each response, by host and path. */
  received: Map<string, number>;
  close: () => Promise<void>;
}

export interface Line {
  roundTripInMilliseconds: number;
  bytesPerMillisecond: number;
}

/**
 * An HTTP proxy that simulates a phone's connection: half a round trip each way, one more to open a
 * connection to a host without an idle one, and a bandwidth that all responses share.
 */
export async function startSlowLine(line: Line): Promise<SlowLine> {
  const halfRoundTrip = line.roundTripInMilliseconds / 2;
  const idle = new Map<string, number>();
  const received = new Map<string, number>();
  let freeAt = 0;

  /** Returns the milliseconds until the line has transferred these bytes after all earlier ones. */
  function transferOf(bytes: number): number {
    const now = performance.now();
    freeAt = Math.max(freeAt, now) + bytes / line.bytesPerMillisecond;
    return freeAt - now;
  }

  function connectionDelay(host: string): number {
    const idleCount = idle.get(host) ?? 0;
    if (idleCount === 0) return line.roundTripInMilliseconds;
    idle.set(host, idleCount - 1);
    return 0;
  }

  const server = createServer(async (incoming, outgoing) => {
    const url = new URL(incoming.url ?? '');
    const opening = connectionDelay(url.host);
    const body = await bodyOf(incoming);
    await delay(opening + halfRoundTrip);
    const { method = 'GET', headers } = incoming;
    const upstream = forward(url, { method, headers }, async (answer) => {
      const content = await bodyOf(answer);
      await delay(halfRoundTrip + transferOf(content.length + 300));
      received.set(url.host + url.pathname, content.length);
      idle.set(url.host, (idle.get(url.host) ?? 0) + 1);
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      outgoing.end(content);
    });
    upstream.on('error', () => outgoing.destroy());
    upstream.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
