import { z } from 'zod';

/** A call of the partner API: its route as in the reference, and its input. */
export interface ApiCall {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: object;
  /** The timeout in milliseconds, for calls that wait for other machines. */
  readonly timeoutMs?: number;
}

/** The service as the tools see it: over HTTP from the command line, or in its own process. */
export interface ToolService {
  /** The address that people and programs use. */
  readonly origin: string;
  /**
   * Calls a route such as `GET /tenants/{external_id}` and returns its `data`.
   * @throws ToolFailure with what the service refused
   */
  call<T>(route: string, input?: ApiCall): Promise<T>;
  /** The text of a file of the docs, such as `/docs/webhooks.md`; null if there is none. */
  readDocs(path: string): Promise<string | null>;
}

/** An expected failure. The agent gets its text. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
}

/** A tool of the MCP server. The service and the command line offer the same ones. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  /** For the agent: what it answers and when to use it, with an example of the input. */
  readonly description: string;
  readonly input: z.ZodObject;
  readonly example: object;
  /** `write` changes something of the partner, and is refused unless the server allows writes. */
  readonly access: 'read' | 'write';
  /** True if the change cannot be undone. */
  readonly destructive: boolean;
  /** True if a repeated call changes nothing more. */
  readonly idempotent: boolean;
  /** True if it sends requests to the partner's own servers. */
  readonly openWorld: boolean;
  run(service: ToolService, input: never): Promise<unknown>;
}

interface ToolSpec<T extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: T;
  readonly example: z.input<T>;
  readonly access?: 'read' | 'write';
  readonly destructive?: boolean;
  readonly idempotent?: boolean;
  readonly openWorld?: boolean;
  run(service: ToolService, input: z.output<T>): Promise<unknown>;
}

export function defineTool<T extends z.ZodObject>({
  access = 'read',
  destructive = false,
  idempotent = access === 'read',
  openWorld = false,
  ...spec
}: ToolSpec<T>): Tool {
  return { ...spec, access, destructive, idempotent, openWorld };
}

/** The input of a tool that takes none. */
export const noInput = z.strictObject({});

/** The number of items that a list returns at most. An answer has to fit into an agent's context. */
export const listLimit = z
  .int()
  .min(1)
  .max(20)
  .default(10)
  .meta({ description: 'The largest number of items, 1 to 20.' });
