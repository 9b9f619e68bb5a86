import net from 'node:net';
import { bareHost, blockedAmong } from '../addresses/address-guard.ts';
import { unmapAddress } from '../addresses/classify-address.ts';
import type { ResolveHost } from '../addresses/resolve-host.ts';
import type { AddressPolicy, EgressProxy } from '../kernel/engine-deps.ts';
import { dial, encrypt, waitUntilOpen } from './dial.ts';
import { openTunnel } from './open-tunnel.ts';
import {
  HeadParser,
  InvalidResponse,
  type ResponseHandler,
  ResponseReader,
} from './read-response.ts';

export interface Guard {
  readonly policy: AddressPolicy;
  readonly resolve: ResolveHost;
  /** The only trusted certificate authority. Default: the usual ones. */
  readonly ca?: string;
  /** Every connection goes through this proxy. */
  readonly proxy?: EgressProxy;
}

/** Milliseconds, null for a step that did not happen. `connect` includes the work of a proxy. */
export interface OpeningTimes {
  dns: number | null;
  connect: number | null;
  tls: number | null;
}

/** Receives the response to a request as it comes in, and its end. */
export interface Answer extends ResponseHandler {
  /** The response is complete. `reusable`: the connection can take another request. */
  onEnd(reusable: boolean): void;
  /** The response is missing or incomplete, and the connection is closed. */
  onError(error: Error): void;
}

/** One socket, used by one attempt at a time. */
export interface Connection {
  /** The current step of opening the socket; `request` when it is open. */
  readonly stage: 'dns' | 'connect' | 'proxy' | 'tls' | 'request';
  readonly times: OpeningTimes;
  /** The socket is connected and neither side has closed it. */
  readonly open: boolean;
  /** Sends a request. The first one opens the socket. */
  request(head: string, body: string, answer: Answer): void;
  /** Closes the connection. The current `answer` is not called again. */
  abort(): void;
}

export class BlockedAddress extends Error {
  override readonly name = 'BlockedAddress';
}

/** The other side closed the socket. */
class ConnectionClosed extends Error {
  override readonly name = 'ConnectionClosed';
}

/**
 * Returns a connection that dials only addresses that it has checked itself. `closed` is called when the
 * socket ends or fails, also while idle, and when an idle socket receives unexpected bytes.
 */
export function openConnection(origin: string, guard: Guard, closed: () => void): Connection {
  return new GuardedConnection(origin, guard, closed);
}

class GuardedConnection implements Connection {
  stage: Connection['stage'] = 'dns';
  readonly times: OpeningTimes = { dns: null, connect: null, tls: null };
  private readonly origin: string;
  private readonly guard: Guard;
  private readonly closed: () => void;
  private socket: net.Socket | undefined;
  private aborted = false;
  private answer: Answer | undefined;
  private readonly heads = new HeadParser();
  private reader: ResponseReader | undefined;

  constructor(origin: string, guard: Guard, closed: () => void) {
    this.origin = origin;
    this.guard = guard;
    this.closed = closed;
  }

  get open(): boolean {
    return this.stage === 'request' && this.socket?.writable === true;
  }

  request(head: string, body: string, answer: Answer): void {
    this.answer = answer;
    this.reader = new ResponseReader(answer, this.heads);
    if (this.socket) {
      this.write(head, body);
      return;
    }
    this.openSocket().then(
      (socket) => {
        this.listen(socket);
        this.write(head, body);
      },
      (error: Error) => this.end(error),
    );
  }

  abort(): void {
    this.answer = undefined;
    this.aborted = true;
    this.socket?.destroy();
  }

  /** One write, so that a small request is one packet. As latin1, plain ASCII needs no encoding. */
  private write(head: string, body: string): void {
    const length = Buffer.byteLength(body);
    const text = `${head}content-length: ${length}\r\n\r\n${body}`;
    this.socket?.write(text, length === body.length ? 'latin1' : 'utf8');
  }

  private async openSocket(): Promise<net.Socket> {
    const { hostname, port, protocol } = new URL(this.origin);
    const { guard, times } = this;
    const secure = protocol === 'https:';
    const host = bareHost(hostname);
    const addresses = await measureStep(times, 'dns', () => checkedAddresses(host, guard));
    if (this.aborted) throw new ConnectionClosed('aborted while resolving');

    const portNumber = Number(port || (secure ? 443 : 80));
    const plain = await measureStep(times, 'connect', () =>
      this.connect(host, portNumber, addresses),
    );
    if (secure) {
      this.stage = 'tls';
      const encrypted = this.track(encrypt(plain, host, guard.ca));
      await measureStep(times, 'tls', () => waitUntilOpen(encrypted, 'secureConnect'));
    }
    this.stage = 'request';
    return this.socket ?? plain;
  }

  private async connect(host: string, port: number, addresses: string[]): Promise<net.Socket> {
    const { guard } = this;
    const { proxy, ca } = guard;
    if (proxy) {
      this.stage = 'proxy';
      return openTunnel(addresses, port, { proxy, ca, track: (socket) => this.track(socket) });
    }
    this.stage = 'connect';
    const socket = await waitUntilOpen(this.track(dial(host, port, addresses)), 'connect');
    refuseBlocked([unmapAddress(socket.remoteAddress ?? '')], host, guard);
    return socket;
  }

  /** Remembers the socket that abort() closes. abort() may have been called while it was being opened. */
  private track<S extends net.Socket>(socket: S): S {
    this.socket = socket;
    if (this.aborted) socket.destroy();
    return socket;
  }

  private listen(socket: net.Socket): void {
    socket.on('data', (bytes) => this.read(bytes));
    socket.on('end', () => this.ended());
    socket.on('error', (error) => this.end(error));
    socket.on('close', () =>
      this.end(new ConnectionClosed('the other side closed the connection')),
    );
    // The socket is paused after a proxy's answer was read from it.
    socket.resume();
  }

  private read(bytes: Buffer): void {
    const { reader, answer } = this;
    try {
      if (!reader || !answer) throw new InvalidResponse('it was sent without a request');
      reader.push(bytes);
    } catch (error) {
      this.end(error as Error);
      return;
    }
    // If the receiver answers early, the rest of the request is still being sent, and the connection
    // cannot be reused.
    const sent = this.socket?.writableLength === 0;
    if (reader.ended) this.finish(reader.reusable && sent);
  }

  private ended(): void {
    if (this.answer && this.reader?.close()) this.finish(false);
    this.end(new ConnectionClosed('the other side closed the connection'));
  }

  private finish(reusable: boolean): void {
    const { answer } = this;
    this.answer = undefined;
    if (!reusable) this.abort();
    answer?.onEnd(reusable);
  }

  private end(error: Error): void {
    const { answer } = this;
    this.abort();
    this.closed();
    answer?.onError(error);
  }
}

async function checkedAddresses(host: string, guard: Guard): Promise<string[]> {
  const addresses = net.isIP(host) === 0 ? await guard.resolve(host) : [host];
  refuseBlocked(addresses, host, guard);
  return addresses;
}

function refuseBlocked(addresses: readonly string[], host: string, guard: Guard): void {
  const blocked = blockedAmong(addresses, guard.policy);
  if (blocked !== undefined) throw new BlockedAddress(`${host} leads to ${blocked}`);
}

async function measureStep<T>(
  times: OpeningTimes,
  step: keyof OpeningTimes,
  work: () => Promise<T>,
): Promise<T> {
  const start = performance.now();
  const result = await work();
  times[step] = performance.now() - start;
  return result;
}
