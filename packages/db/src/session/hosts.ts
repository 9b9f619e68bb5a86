import pg from 'pg';
import { DatabaseReadOnly, HostFailed, NoUsableHost } from '../errors.ts';
import type { DatabaseLog } from '../types.ts';

/** Longest wait for one host of several to accept a connection, so that the next one gets a turn. */
const HOST_CONNECT_MS = 2_000;

const urlForm = /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^/?#]*)(\/[^?#]*)?(\?[^#]*)?$/;
const acceptsWrites = ['read-write', 'primary', 'any'];

interface DatabaseUrl {
  /** One URL for each host, without `target_session_attrs`, which node-postgres does not know. */
  readonly urls: readonly string[];
  /** `host:port` as it was written, for messages. */
  readonly hosts: readonly string[];
  readonly database: string;
  readonly target: string | null;
}

/** `read-only` if a URL may lead to a standby; `read-write` if it must not. */
export type Access = 'read-write' | 'read-only';

/**
 * Returns what is wrong with a database URL, as the end of a sentence that starts with its name; undefined if it can
 * be used. The text contains no credentials.
 */
export function databaseUrlProblem(url: string, access: Access = 'read-write'): string | undefined {
  const parsed = splitHosts(url);
  if (!parsed) return 'must be a URL such as postgres://user:password@host:5432/name';
  const { hosts, urls, target } = parsed;
  const empty = hosts.length > 1 && hosts.includes('');
  if (empty) return 'has an empty host in its list: remove the extra comma';
  if (new Set(hosts).size < hosts.length) return 'lists a host twice: name each host once';
  // The message does not contain the host: in a URL that is cut at the wrong place, it may be part of the password.
  const invalidIndex = urls.findIndex((it) => !URL.canParse(it));
  if (invalidIndex >= 0) {
    return `must have host:port as host ${invalidIndex + 1}, and special characters of the password as %2F, %40 and so on`;
  }
  if (urls.some((it) => new URL(it).searchParams.get('host')?.includes(','))) {
    return 'lists hosts in ?host=: write them before the path, as postgres://user:password@a:5432,b:5432/name';
  }
  if (access === 'read-write' && target !== null && !acceptsWrites.includes(target)) {
    return 'has a target_session_attrs that may lead to a standby, which accepts no writes: use target_session_attrs=read-write';
  }
  return undefined;
}

/** Returns the hosts and the database name of a URL, without user, password or parameters. */
export function describeDatabaseUrl(url: string): string {
  const parsed = splitHosts(url);
  return parsed ? `${parsed.hosts.join(',')}${parsed.database}` : 'the given URL';
}

/** Returns whether the driver would connect to a host over a network without TLS. */
export function isUnencrypted(url: string): boolean {
  return (splitHosts(url)?.urls ?? []).some((it) => {
    if (!URL.canParse(it)) return false;
    const { hostname, searchParams } = new URL(it);
    const host = searchParams.get('host') ?? decodeURIComponent(hostname);
    const local =
      host === '' || host.startsWith('/') || /^(localhost|\[?::1\]?|127(\.\d+){3})$/.test(host);
    const tls = ['require', 'verify-ca', 'verify-full'].includes(searchParams.get('sslmode') ?? '');
    return !local && !tls;
  });
}

function splitHosts(url: string): DatabaseUrl | undefined {
  const match = urlForm.exec(url);
  if (!match) return undefined;
  const [, scheme = '', credentials = '', list = '', database = '', query = ''] = match;
  const hosts = list.split(',');
  const parameters = new URLSearchParams(query);
  const target = parameters.get('target_session_attrs');
  parameters.delete('target_session_attrs');
  // Only a URL that names the parameter is rewritten; all others reach the driver as they are.
  const rest = target === null ? query : parameters.size === 0 ? '' : `?${parameters}`;
  const urls = hosts.map((host) => `${scheme}${credentials}${host}${database}${rest}`);
  return { urls, hosts, database, target };
}

/** The hosts of a database, of which one is used until a connection to it fails. */
export interface Hosts {
  /** Opens connections to the current host. */
  readonly Client: typeof pg.Client;
  /** Records that the host of this client works. */
  accept(client: pg.ClientBase): void;
  /** Moves on to the next host, unless that has happened already. Returns the error to throw. */
  reject(client: pg.ClientBase, error: unknown): unknown;
  /** Calls `connect` again after each host that failed, until every host has failed. */
  tryEach<T>(connect: () => Promise<T>): Promise<T>;
}

/**
 * Connects as libpq does with several hosts and `target_session_attrs=read-write`: to one host after
 * the other, until one accepts writes. It starts with the host that worked last. With one host,
 * connections are opened by the driver's own client, and its errors are passed on unchanged.
 */
export function openHosts(url: string, log: DatabaseLog | undefined): Hosts {
  const { urls, hosts } = splitHosts(url) ?? { urls: [url], hosts: [url] };
  if (urls.length === 1) {
    return {
      Client: pg.Client,
      accept: () => undefined,
      reject: (_, error) => error,
      tryEach: (connect) => connect(),
    };
  }
  const hostOf = new WeakMap<pg.ClientBase, number>();
  let current = 0;
  let lastGood: number | undefined;

  function reject(client: pg.ClientBase, error: unknown): HostFailed {
    const index = hostOf.get(client) ?? current;
    // Connections that were opened at the same time fail together: only the first one moves on.
    if (index === current) current = (index + 1) % urls.length;
    return new HostFailed(hosts[index] ?? '', error);
  }

  class HostClient extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      const index = current;
      super({
        ...config,
        connectionString: urls[index],
        connectionTimeoutMillis: HOST_CONNECT_MS,
      });
      hostOf.set(this, index);
    }
    override connect(): Promise<pg.Client>;
    override connect(callback: (error: Error | null) => void): void;
    // The pool passes a callback, and LISTEN waits for the promise.
    override connect(callback?: (error: Error | null) => void): Promise<pg.Client> | undefined {
      const connected = super.connect().catch((error: unknown) => {
        throw reject(this, error);
      });
      if (!callback) return connected;
      connected.then(
        () => callback(null),
        (error: Error) => callback(error),
      );
      return undefined;
    }
  }

  return {
    Client: HostClient,
    accept(client) {
      const index = hostOf.get(client);
      if (index !== lastGood && lastGood !== undefined && index === current) {
        log?.warn({ host: hosts[current] }, 'another database host is used now');
      }
      if (index === current) lastGood = index;
    },
    reject,
    async tryEach(connect) {
      const failures: HostFailed[] = [];
      for (;;) {
        try {
          return await connect();
        } catch (error) {
          if (!(error instanceof HostFailed)) throw error;
          failures.push(error);
          if (failures.length >= urls.length) throw new NoUsableHost(failures);
        }
      }
    },
  };
}

/** Returns whether every host that answered is a standby or refuses writes for another reason. */
export function refusesWrites(error: unknown): boolean {
  if (error instanceof DatabaseReadOnly) return true;
  if (error instanceof NoUsableHost) return error.failures.some(refusesWrites);
  return error instanceof Error && error.cause !== undefined && refusesWrites(error.cause);
}
