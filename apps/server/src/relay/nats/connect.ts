import { readFile } from 'node:fs/promises';
import { connect, credsAuthenticator, type NatsConnection } from '@nats-io/transport-node';

/** Where the servers are and who we are to them. */
export interface NatsServers {
  /** `host:port` of one or more servers of a cluster. */
  readonly hosts: readonly string[];
  /** Whether to refuse a server without TLS. */
  readonly tls: boolean;
  readonly user?: string;
  readonly password?: string;
  readonly token?: string;
  /** The path of a file with a user's JWT and key. Read for each connection, so it can be replaced. */
  readonly credsFile?: string;
}

/** The file of NATS_CREDS cannot be read, or has no credentials in it. */
export class CredentialsFileError extends Error {
  override readonly name = 'CredentialsFileError';
}

const connectMs = 5_000;
const pingMs = 10_000;

/**
 * Opens a connection that is not opened again by the client. The client would keep what is published
 * in the meantime and send it later, after our own next try; and it would hide why it cannot connect.
 */
export async function openConnection(servers: NatsServers): Promise<NatsConnection> {
  const { hosts, tls, user, password, token, credsFile } = servers;
  return connect({
    name: 'svc event sink',
    servers: [...hosts],
    reconnect: false,
    timeout: connectMs,
    // A connection that no longer works is closed after two pings without an answer.
    pingInterval: pingMs,
    ...(tls && { tls: {} }),
    ...(user !== undefined && { user }),
    ...(password !== undefined && { pass: password }),
    ...(token !== undefined && { token }),
    ...(credsFile !== undefined && { authenticator: await credentialsIn(credsFile) }),
  });
}

async function credentialsIn(path: string): Promise<ReturnType<typeof credsAuthenticator>> {
  try {
    return credsAuthenticator(await readFile(path));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const problem = code === undefined ? 'has no credentials in it' : `cannot be read (${code})`;
    throw new CredentialsFileError(`The file of NATS_CREDS ${problem}.`);
  }
}
