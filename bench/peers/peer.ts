/** A job queue whose jobs sign and POST like the engine's deliveries. */
export interface Peer {
  readonly name: string;
  /** Sets the function that runs each job. */
  handle(work: () => Promise<void>): void;
  /** Adds jobs and resolves once they are stored. */
  add(bodies: readonly string[]): Promise<void>;
  close(): Promise<void>;
}
