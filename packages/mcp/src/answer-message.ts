import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { createMcpServer, type McpServerOptions } from './create-mcp-server.ts';

/**
 * Answers one POST of the Streamable HTTP transport with JSON. No session is kept, so any process of the
 * service can take the next request. `message` is the parsed body.
 */
export async function answerMessage(
  options: McpServerOptions,
  request: Request,
  message: unknown,
): Promise<Response> {
  const server = createMcpServer(options);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody: message });
  } finally {
    await server.close();
  }
}
