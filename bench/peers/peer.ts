/** A job queue whose jobs sign and POST, as the engine's deliveries do. */
export interface Peer {
  readonly name: string;
  /** What a job does from now on. */
  handle(work: () => Promise<void>): void;
  /** Resolves once they are stored. */
  add(bodies: readonly string[]): Promise<void>;
  close(): Promise<void>;
}
