import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createMcpServer, type McpServerOptions } from './create-mcp-server.ts';

interface Streams {
  readonly input: Readable;
  readonly output: Writable;
  /** Stops the server when it aborts. */
  readonly signal: AbortSignal;
}

/** The largest line of the input, in bytes. Tools take little; the rest is for what clients add. */
const largestMessage = 256 * 1024;

/** Serves the tools to the program at the other end of the streams, until it closes the input or `signal` aborts. */
export async function serveOverStdio(
  options: McpServerOptions,
  { input, output, signal }: Streams,
): Promise<void> {
  const server = createMcpServer(options);
  const transport = new StdioServerTransport(input, output, { maxBufferSize: largestMessage });
  const ended = new Promise<void>((resolve) => {
    server.onclose = resolve;
    input.once('end', resolve);
    input.once('close', resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await server.connect(transport);
  if (!signal.aborted) await ended;
  await server.close();
}
