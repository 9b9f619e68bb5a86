/** A path of the receiver: `timed` records the arrival, `hang` never answers. */
export type Path = 'timed' | 'hang';

/** A system that delivers webhooks, or a job queue whose jobs sign and POST like the engine's deliveries. */
export interface Peer {
  /** Stores one message and returns the id with which it arrives. */
  publish(path: Path): Promise<string>;
  /** Ids of the processes that work for the peer, without this process and the database. */
  readonly pids: readonly number[];
  /** False for a peer that stores nothing, where no message can wait while an endpoint hangs. Default true. */
  readonly queues?: boolean;
}

export interface PeerContext {
  /** A new database, on a server with fsync. */
  readonly databaseUrl: string;
  readonly receiverOrigin: string;
  /** Signs and POSTs one message, for job queues. */
  deliver(id: string, path: Path): Promise<void>;
}

/** Simultaneous deliveries. */
export const concurrency = 64;
export const body = JSON.stringify({ id: 'evt', data: 'x'.repeat(1_000) });
