import type { Database, Tx } from '@svc/db';
import type { Tuning } from './tuning.ts';

/** What the engine is given by who starts it. */
export interface EngineDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly log: Log;
  readonly policy: AddressPolicy;
  /** All attempts go through it; receivers' addresses are checked here all the same. */
  readonly proxy?: EgressProxy;
  /** Also send the three headers under their `svix-` names. Default true. */
  readonly svixHeaders?: boolean;
  readonly userAgent?: string;
  /** Wraps the event into an envelope and publishes it in the same transaction. */
  operational(tx: Tx, event: OperationalEvent): Promise<void>;
  readonly tuning?: Partial<Tuning>;
}

/**
 * Wall time, injected: a simulated clock in a signature would fail every receiver. All processes of a
 * database must agree on it, because each judges heartbeats and leases that others wrote; on several
 * machines pass the clock of `startDatabaseClock` (`@svc/db`).
 */
export interface Clock {
  now(): Date;
  /** Runs once after `ms`; returns its canceler. */
  after(ms: number, run: () => void): () => void;
}

/** A pino logger fits. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Encrypts at rest; `context` binds a sealed value to its row. */
export interface Vault {
  seal(plain: string, context: string): Buffer;
  open(sealed: Buffer, context: string): string;
}

/** What the engine has to tell the owner about its own work. */
export interface OperationalEvent {
  readonly owner: string;
  readonly type:
    | 'endpoint.failing'
    | 'endpoint.disabled'
    | 'message.attempt_exhausted'
    | 'message.recovered';
  /** The endpoint it is about: publish with `exceptEndpointId`, so that only the others hear it. */
  readonly endpointId: string;
  readonly data: Record<string, unknown>;
}

export interface TestMessage {
  readonly id: string;
  readonly type: string;
  readonly body: string;
}

/** Which receivers may be reached. With both false, the policy is production's. */
export interface AddressPolicy {
  /** Loopback, private and other special addresses, `localhost` and names from the hosts file. */
  readonly allowPrivate: boolean;
  readonly allowHttp: boolean;
}

/** An HTTP proxy that opens tunnels with CONNECT. */
export interface EgressProxy {
  readonly secure: boolean;
  /** An address without brackets, or a name. */
  readonly host: string;
  readonly port: number;
  /** The value of `Proxy-Authorization`, or null without a user. Secret. */
  readonly credentials: string | null;
}
