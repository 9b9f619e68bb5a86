/** What a client is made of. Waiting, chance and time are given so that tests own them. */
export interface Transport {
  baseUrl: string;
  apiKey: string;
  fetch: typeof fetch;
  timeoutMs: number;
  maxRetries: number;
  /** For the whole call, pauses included, in milliseconds. */
  deadlineMs: number;
  wait(ms: number, signal: AbortSignal | undefined): Promise<void>;
  random(): number;
  elapsed(): number;
}
