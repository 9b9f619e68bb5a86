import type { Database, Queryable, Tx } from '@svc/db';
import type { Clock, Log, Vault } from '@svc/runtime';
import type { Tuning } from './tuning.ts';

/** The dependencies that the application provides when it creates an engine. */
export interface EngineDeps {
  readonly db: Database;
  /**
   * Wall time. It must be real time, because receivers check the timestamps of signatures. All processes
   * on one database must agree on it, because each judges heartbeats and leases that others wrote; on
   * several machines pass the clock of `startDatabaseClock` (`@svc/db`).
   */
  readonly clock: Clock;
  readonly vault: Vault;
  readonly log: Log;
  readonly policy: AddressPolicy;
  /** All attempts go through this proxy. Receivers' addresses are still checked here. */
  readonly proxy?: EgressProxy;
  /** Also sends the three signature headers under their `svix-` names. Default true. */
  readonly svixHeaders?: boolean;
  readonly userAgent?: string;
  /**
   * False for a process that only publishes and makes test sends; other processes on the database
   * send. Default true.
   */
  readonly sends?: boolean;
  /** Wraps the event into an envelope and publishes it in this transaction. */
  operational(tx: Tx, event: OperationalEvent): Promise<void>;
  readonly observer?: AttemptObserver;
  /**
   * Returns the time from which on the application needs messages, even expired ones; null if it needs none.
   * Called before messages are dropped.
   */
  neededSince?(q: Queryable): Promise<Date | null>;
  readonly tuning?: Partial<Tuning>;
}

/** Observes attempts, for metrics and traces. */
export interface AttemptObserver {
  /**
   * The W3C `traceparent` of the code that publishes. Attempts that this process makes of its messages
   * right after the commit continue that trace.
   */
  traceparent?(): string | undefined;
  attemptStarted(attempt: ObservedAttempt): RunningAttempt;
}

export interface ObservedAttempt {
  readonly messageId: string;
  readonly endpointId: string;
  readonly type: string;
  readonly traceparent: string | undefined;
}

export interface RunningAttempt {
  /** Sent to the receiver. */
  readonly traceparent?: string | undefined;
  /** `errorClass` is null when the message was delivered. */
  ended(outcome: {
    readonly status: number | null;
    readonly errorClass: string | null;
    readonly seconds: number;
  }): void;
}

/** The dependencies of the parts of one engine. */
export interface EngineContext extends Omit<EngineDeps, 'tuning'> {
  readonly tuning: Tuning;
  /** Names this process in leases and heartbeats. */
  readonly processId: string;
}

/** An event about the engine's work that the owner of the endpoint should receive. */
export interface OperationalEvent {
  readonly owner: string;
  readonly type:
    | 'endpoint.failing'
    | 'endpoint.disabled'
    | 'message.attempt_exhausted'
    | 'message.recovered';
  /** The endpoint it is about. Publish with `exceptEndpointId`, so that only the others receive it. */
  readonly endpointId: string;
  readonly data: Record<string, unknown>;
}

export interface TestMessage {
  readonly id: string;
  readonly type: string;
  readonly body: string;
}

/** Which receivers may be reached. With both false and no networks, the policy is production's. */
export interface AddressPolicy {
  /** Loopback, private and other special addresses, `localhost` and names from the hosts file. */
  readonly allowPrivate: boolean;
  readonly allowHttp: boolean;
  /** Private networks with receivers, made by `parseNetwork`. Default: none. */
  readonly allowedNetworks?: readonly Network[];
}

/** A private network, such as `10.20.0.0/16`. */
export interface Network {
  readonly text: string;
  readonly bytes: Uint8Array;
  /** The length of its prefix. */
  readonly bits: number;
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
