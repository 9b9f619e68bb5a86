import { readFile } from 'node:fs/promises';
import { connect, credsAuthenticator, type NatsConnection } from '@nats-io/transport-node';
import type { NatsServers } from './servers.ts';

/** The file of NATS_CREDS cannot be read, or has no credentials in it. */
export class CredentialsFileError extends Error {
  override readonly name = 'CredentialsFileError';
}

// The timeout for each server. With three of them, a handover still ends in time.
const connectMs = 3_000;
const pingMs = 10_000;

/**
 * Opens a connection that the client does not reopen. The client would buffer what is published while it is
 * disconnected and send it later, after our own next try; and it would hide why it cannot connect.
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
    const authenticator = credsAuthenticator(await readFile(path));
    // Signs once to find out here whether the file is usable: the client would report it as a lost connection.
    authenticator('nonce');
    return authenticator;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const problem = code === undefined ? 'has no credentials in it' : `cannot be read (${code})`;
    throw new CredentialsFileError(`The file of NATS_CREDS ${problem}.`);
  }
}
