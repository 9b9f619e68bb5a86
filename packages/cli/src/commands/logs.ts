import type { SvcClient } from '@svc/node';
import type { Command } from 'commander';
import { type Action, addCommand, addGroup, type CommandParts, type Context } from '../command.ts';
import { exitCodes, explainCallError, usageFailure } from '../failure.ts';
import { pause } from '../listen/pause.ts';
import { clean } from '../terminal.ts';
import { readCount } from './events.ts';

interface Options {
  status?: string;
  tenant?: string;
  code?: string;
  path?: string;
  last: number;
  follow: boolean;
}

/** An entry of `GET /partner/requests`. */
interface LoggedRequest {
  request_id: string;
  occurred_at: string;
  method: string;
  path: string;
  status: number;
  duration_in_ms: number;
  code: string | null;
  external_id: string | null;
  user_agent: string | null;
}

// The service writes its log in batches, so polling faster would show nothing earlier.
const pollMs = 1_000;

export function addLogs(program: Command, parts: CommandParts): void {
  const logs = addGroup(program, 'logs', 'read the log of your API calls');
  addCommand(logs, parts, {
    name: 'tail',
    summary: 'print your API calls as they happen: status, duration, error code',
    examples: [
      ['svc logs tail', 'the last 10 calls, then new ones'],
      ['svc logs tail --status 4xx', 'refused calls'],
      ['svc logs tail --tenant t-100 --last 50 --no-follow', 'of one tenant, then exit'],
    ],
    define: (command) =>
      command
        .option('--status <status>', 'a status such as 422, or a class such as 4xx', statusOf)
        .option('--tenant <external id>', 'only calls about this tenant')
        .option('--code <code>', 'only calls refused with this error code')
        .option('--path <path>', 'only calls of paths that begin so, such as /settlements')
        .option('--last <count>', 'start with this many', readCount, 10)
        .option('--no-follow', 'exit after the last one'),
    action: tail,
  });
}

const tail: Action<Options> = async (context, options) => {
  const { environment, terminal } = context;
  const connection = context.connect();
  const query = {
    status: options.status,
    external_id: options.tenant,
    code: options.code,
    path: options.path,
  };
  // Reads a whole page, whatever --last says, so that a later page holds nothing older that would look new.
  const first = await connection.run((client) => readRequests(client, query));
  const seen = new Set(first.slice(options.last).map((request) => request.request_id));
  // Pages are newest first.
  const print = (requests: LoggedRequest[]) => {
    for (const request of requests.reverse()) {
      if (seen.has(request.request_id)) continue;
      seen.add(request.request_id);
      printRequest(context, request);
    }
  };
  print(first);
  if (!options.follow) return exitCodes.ok;
  const signal = environment.untilInterrupted();
  let lost = false;
  while (!signal.aborted) {
    await pause(pollMs, signal);
    if (signal.aborted) break;
    try {
      print(await readRequests(connection.client, query));
      if (lost) terminal.note('Connected again.');
      lost = false;
    } catch (error) {
      if (!(error as { retryable?: boolean }).retryable) throw explainCallError(error, connection);
      if (!lost) terminal.note('Lost the service. Reconnecting …');
      lost = true;
    }
  }
  return exitCodes.ok;
};

async function readRequests(
  client: SvcClient,
  query: Record<string, string | undefined>,
): Promise<LoggedRequest[]> {
  const page = await client.request<{ items: LoggedRequest[] }>('GET', '/partner/requests', {
    query: { ...query, limit: 100 },
  });
  // The reads of this command and of "svc listen" are logged, too, several each second. They would
  // bury the calls of the backend.
  return page.items.filter(
    ({ method, status, user_agent }) =>
      method !== 'GET' || status >= 400 || !user_agent?.startsWith('svc-cli/'),
  );
}

function printRequest({ terminal }: Context, request: LoggedRequest): void {
  const { occurred_at, method, path, status, duration_in_ms, code, external_id } = request;
  const style = status >= 500 ? 'red' : status >= 400 ? 'yellow' : 'green';
  const parts = [
    terminal.paint('dim', occurred_at.slice(0, 19).replace('T', ' ')),
    terminal.paint(style, String(status)),
    `${method} ${clean(path)}`,
    `${duration_in_ms} ms`,
    ...(code === null ? [] : [terminal.paint(style, clean(code))]),
    ...(external_id === null ? [] : [clean(external_id)]),
    terminal.paint('dim', request.request_id),
  ];
  terminal.print(parts.join('  '));
  terminal.printJson(request);
}

function statusOf(text: string): string {
  if (/^[1-5](xx|\d\d)$/.test(text)) return text;
  throw usageFailure(`"${text}" is not a status.`, 'Use a status such as 422, or 4xx.');
}
