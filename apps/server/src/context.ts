import type { SvcEnvironment } from '@svc/contract';
import type { Tx } from '@svc/db';
import type { Actor } from './domain/access/actor.ts';
import type { Creditor } from './domain/partners/terms.ts';
import type { Vault } from './vault.ts';

/** Everything that one command, query or tick depends on. */
export interface Ctx<A extends Actor = Actor> {
  readonly tx: Tx;
  /** Wall time, read once per request or tick. */
  readonly now: Date;
  readonly actor: A;
  readonly requestId: string;
  /** The client's address, taken from trusted proxies; null for jobs and operator commands. */
  readonly address: string | null;
  readonly log: Log;
  readonly service: Service;
}

/** Everything that is the same for all requests of this process. */
export interface Service {
  readonly environment: SvcEnvironment;
  /** `http://localhost:4000`, without a path or a trailing slash. */
  readonly publicOrigin: string;
  readonly vault: Vault;
  readonly creditor: Creditor;
  readonly egressIps: readonly string[];
  /** Underwriting decisions come from a service of the operator instead of our own rules. */
  readonly decidesOutside: boolean;
  readonly webhookPolicy: { readonly allowPrivate: boolean; readonly allowHttp: boolean };
  /** Publishes messages in the caller's transaction. Provided by the delivery engine. */
  readonly publish: Publish;
}

export type Publish = (tx: Tx, messages: readonly OutgoingMessage[], now: Date) => Promise<void>;

export interface OutgoingMessage {
  readonly id: string;
  readonly owner: string;
  readonly subject: string | null;
  readonly type: string;
  readonly channels?: readonly string[];
  readonly body: string;
  readonly custom?: boolean;
  readonly operational?: boolean;
  readonly exceptEndpointId?: string;
}

export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
