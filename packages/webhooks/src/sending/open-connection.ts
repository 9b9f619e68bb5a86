import net from 'node:net';
import tls from 'node:tls';
import { type buildConnector, Client } from 'undici';
import { bareHost, blockedAmong } from '../address-guard.ts';
import { unmapAddress } from '../addresses/classify-address.ts';
import type { ResolveHost } from '../addresses/resolve-host.ts';
import type { AddressPolicy } from '../engine.ts';

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

/** One socket at most, used by one attempt at a time. */
export interface Connection {
  readonly client: Client;
  /** How far the opening got; `request` once the socket is there. */
  stage: 'dns' | 'connect' | 'tls' | 'request';
  times: OpeningTimes;
  /** Ends the attempt on it, also while it is still being opened. */
  abort(error: Error): void;
}

export class BlockedAddress extends Error {
  override readonly name = 'BlockedAddress';
  readonly code = 'blocked_address';
}

/** Larger headers end the attempt; also the default of Node's own parser. */
const headerBytes = 16_384;
const idleMs = 15_000;
/** Between two addresses of one host, when the first does not answer. */
const nextAddressMs = 2_000;

/**
 * A connection that dials only addresses it has checked itself. It is opened by its first request,
 * and again, with a new check, when a request finds the socket gone.
 */
export function openConnection(origin: string, guard: Guard): Connection {
  let socket: net.Socket | undefined;
  const connection: Connection = {
    client: new Client(origin, {
      connect: dial,
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: idleMs,
      maxHeaderSize: headerBytes,
    }),
    stage: 'request',
    times: { dns: null, connect: null, tls: null },
    abort(error) {
      socket?.destroy(error);
      connection.client.destroy(error, () => {});
    },
  };

  function dial(target: buildConnector.Options, done: buildConnector.Callback): void {
    open(connection, target, guard, (opened) => {
      socket = opened;
    }).then(
      (opened) => done(null, opened),
      (error: Error) => done(error, null),
    );
  }

  return connection;
}

async function open(
  connection: Connection,
  target: buildConnector.Options,
  guard: Guard,
  hold: (socket: net.Socket) => void,
): Promise<net.Socket> {
  const secure = target.protocol === 'https:';
  const host = bareHost(target.hostname);
  const times: OpeningTimes = { dns: null, connect: null, tls: null };
  connection.times = times;

  connection.stage = 'dns';
  const addresses = await timed(times, 'dns', () => checkedAddresses(host, guard));
  if (connection.client.destroyed) throw new Error('aborted while resolving');

  connection.stage = 'connect';
  const port = Number(target.port || (secure ? 443 : 80));
  const plain = connectTo(host, port, addresses);
  hold(plain);
  await timed(times, 'connect', () => once(plain, 'connect'));
  refuseBlocked([unmapAddress(plain.remoteAddress ?? '')], host, guard);
  if (!secure) {
    connection.stage = 'request';
    return plain;
  }

  connection.stage = 'tls';
  const servername = net.isIP(host) === 0 ? host : '';
  const trust = guard.ca === undefined ? {} : { ca: guard.ca };
  const alpn = { ALPNProtocols: ['http/1.1'] };
  const encrypted = tls.connect({ socket: plain, host, servername, ...alpn, ...trust });
  encrypted.on('error', ignore);
  await timed(times, 'tls', () => once(encrypted, 'secureConnect'));
  connection.stage = 'request';
  return encrypted;
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
