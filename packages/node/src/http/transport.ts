/** The settings of a client. Tests replace waiting, randomness and time. */
export interface Transport {
  baseUrl: string;
  apiKey: string;
  fetch: typeof fetch;
  timeoutMs: number;
  maxRetries: number;
  /** Limit for a call including its pauses, in milliseconds. */
  deadlineMs: number;
  wait(ms: number, signal: AbortSignal | undefined): Promise<void>;
  random(): number;
  elapsed(): number;
}
