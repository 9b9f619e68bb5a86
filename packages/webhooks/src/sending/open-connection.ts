import net from 'node:net';
import tls from 'node:tls';
import { bareHost, blockedAmong } from '../address-guard.ts';
import { unmapAddress } from '../addresses/classify-address.ts';
import type { ResolveHost } from '../addresses/resolve-host.ts';
import type { AddressPolicy } from '../engine.ts';
import { InvalidResponse, type ResponseHandler, ResponseReader } from './read-response.ts';

export interface Guard {
  readonly policy: AddressPolicy;
  readonly resolve: ResolveHost;
  /** Trusted beside none other; the usual authorities when left out. */
  readonly ca?: string;
}

/** Milliseconds; null where the step did not happen. */
export interface OpeningTimes {
  dns: number | null;
  connect: number | null;
  tls: number | null;
}

/** Hears how a request ends, and the response while it comes in. */
export interface Answer extends ResponseHandler {
  /** `reusable`: the connection is open for another request. */
  onEnd(reusable: boolean): void;
  /** There is no whole response, and the connection is gone. */
  onError(error: Error): void;
}

/** One socket, used by one attempt at a time. */
export interface Connection {
  /** How far the opening got; `request` once the socket is there. */
  readonly stage: 'dns' | 'connect' | 'tls' | 'request';
  readonly times: OpeningTimes;
  /** Sends a request; the first one opens the socket. */
  request(head: string, body: string, answer: Answer): void;
  /** Closes it without another word to who is waiting for an answer. */
  abort(): void;
}

export class BlockedAddress extends Error {
  override readonly name = 'BlockedAddress';
}

/** The other side closed the socket. */
export class ConnectionClosed extends Error {
  override readonly name = 'ConnectionClosed';
}

/** Between two addresses of one host, when the first does not answer. */
const nextAddressMs = 2_000;

/** A connection that dials only addresses it has checked itself; `closed` hears its end. */
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
  private reader: ResponseReader | undefined;

  constructor(origin: string, guard: Guard, closed: () => void) {
    this.origin = origin;
    this.guard = guard;
    this.closed = closed;
  }

  request(head: string, body: string, answer: Answer): void {
    this.answer = answer;
    this.reader = new ResponseReader(answer);
    if (this.socket) {
      this.write(head, body);
      return;
    }
    this.open().then(
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

  /** In one piece, so in one packet where it fits; plain ASCII is copied as it is. */
  private write(head: string, body: string): void {
    const length = Buffer.byteLength(body);
    const text = `${head}content-length: ${length}\r\n\r\n${body}`;
    this.socket?.write(text, length === body.length ? 'latin1' : 'utf8');
  }

  private async open(): Promise<net.Socket> {
    const { hostname, port, protocol } = new URL(this.origin);
    const { guard, times } = this;
    const secure = protocol === 'https:';
    const host = bareHost(hostname);
    const addresses = await timed(times, 'dns', () => checkedAddresses(host, guard));
    if (this.aborted) throw new ConnectionClosed('aborted while resolving');

    this.stage = 'connect';
    const plain = connectTo(host, Number(port || (secure ? 443 : 80)), addresses);
    this.socket = plain;
    await timed(times, 'connect', () => once(plain, 'connect'));
    refuseBlocked([unmapAddress(plain.remoteAddress ?? '')], host, guard);
    if (secure) {
      this.stage = 'tls';
      const encrypted = encrypt(plain, host, guard.ca);
      this.socket = encrypted;
      await timed(times, 'tls', () => once(encrypted, 'secureConnect'));
    }
    this.stage = 'request';
    return this.socket;
  }

  private listen(socket: net.Socket): void {
    socket.on('data', (bytes) => this.read(bytes));
    socket.on('end', () => this.ended());
    socket.on('error', (error) => this.end(error));
    socket.on('close', () =>
      this.end(new ConnectionClosed('the other side closed the connection')),
    );
  }

  private read(bytes: Buffer): void {
    const { reader, answer } = this;
    try {
      if (!reader || !answer) throw new InvalidResponse('nothing was asked');
      reader.push(bytes);
    } catch (error) {
      this.end(error as Error);
      return;
    }
    // An answer to half a request: the other half is still on its way.
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

function connectTo(host: string, port: number, addresses: readonly string[]): net.Socket {
  const found = addresses.map((address) => ({ address, family: net.isIP(address) }));
  const socket = net.connect({
    host,
    port,
    noDelay: true,
    keepAlive: true,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: nextAddressMs,
    lookup: (_host, _options, answer) => answer(null, found),
  });
  return socket.on('error', ignore);
}

function encrypt(socket: net.Socket, host: string, ca: string | undefined): tls.TLSSocket {
  const servername = net.isIP(host) === 0 ? host : '';
  const trust = ca === undefined ? {} : { ca };
  const alpn = { ALPNProtocols: ['http/1.1'] };
  return tls.connect({ socket, host, servername, ...alpn, ...trust }).on('error', ignore);
}

/** Whoever waits hears of the error; this listener keeps a late one from ending the process. */
function ignore(): void {}

function once(socket: net.Socket, event: 'connect' | 'secureConnect'): Promise<void> {
  return new Promise((resolve, reject) => {
    const close = () => reject(new Error('the connection was closed while it was being opened'));
    socket.once('error', reject).once('close', close);
    socket.once(event, () => {
      socket.off('error', reject).off('close', close);
      resolve();
    });
  });
}

async function timed<T>(
  times: OpeningTimes,
  step: keyof OpeningTimes,
  work: () => Promise<T>,
): Promise<T> {
  const start = performance.now();
  const result = await work();
  times[step] = performance.now() - start;
  return result;
}
