import type { ToolService } from '@svc/mcp';
import type { Command } from 'commander';
import { type Action, addCommand, type CommandParts } from '../command.ts';
import { type Connection, environmentOf } from '../connection.ts';
import { exitCodes, explainCallError, Failure } from '../failure.ts';
import { version } from '../version.ts';

interface Options {
  write?: boolean;
}

export function addMcp(program: Command, parts: CommandParts): void {
  addCommand(program, parts, {
    name: 'mcp',
    summary: 'serve tools for coding agents over MCP, on standard input and output (sandbox)',
    examples: [
      ['svc mcp', 'started by the agent: read-only tools'],
      ['svc mcp --write', 'also tools that change the sandbox, such as scenarios'],
    ],
    define: (command) =>
      command.option('--write', 'allow tools that change tenants, endpoints or allowed origins'),
    action: mcp,
  });
}

const mcp: Action<Options> = async (context, { write = false }) => {
  const { environment } = context;
  const connection = context.connect();
  if (environmentOf(connection.apiKey) === 'production') {
    throw new Failure(
      `The API key from ${connection.keySource} is for production, and agents work on a sandbox.`,
      {
        next: 'Use a sandbox key: set SVC_API_KEY and SVC_URL, or pass --profile.',
        exitCode: exitCodes.credentials,
        code: 'wrong_environment',
      },
    );
  }
  // Only this command needs it, and loading it takes longer than most commands run.
  const { serveOverStdio } = await import('@svc/mcp');
  await serveOverStdio(
    {
      service: await toolService(connection),
      version,
      write,
      howToWrite: 'Ask the user to start it with "svc mcp --write".',
      explain: (error) => `Something failed in svc: ${(error as Error).message}`,
    },
    {
      input: environment.input,
      output: environment.output,
      signal: environment.untilInterrupted(),
    },
  );
  return exitCodes.ok;
};

async function toolService(connection: Connection): Promise<ToolService> {
  const { origin, client, fetch } = connection;
  const { fillPath, ToolFailure } = await import('@svc/mcp');
  const refuse = (error: unknown): never => {
    const explained = explainCallError(error, connection);
    if (!(explained instanceof Failure)) throw explained;
    throw new ToolFailure([explained.message, explained.next].filter(Boolean).join(' '));
  };
  return {
    origin,
    async call<T>(
      route: string,
      { params, query, body, timeoutMs }: Parameters<ToolService['call']>[1] = {},
    ) {
      const [method, path] = route.split(' ') as ['GET' | 'POST' | 'PUT', string];
      try {
        return await client.request<T>(
          method,
          fillPath(path, params),
          { ...(query && { query }), ...(body && { body }) },
          // A repeated write could have its effect twice.
          { ...(timeoutMs && { timeoutMs }), ...(method === 'GET' ? {} : { maxRetries: 0 }) },
        );
      } catch (error) {
        return refuse(error);
      }
    },
    async readDocs(path) {
      const response = await fetch(`${origin}${path}`, { signal: AbortSignal.timeout(15_000) });
      return response.ok ? response.text() : null;
    },
  };
}
