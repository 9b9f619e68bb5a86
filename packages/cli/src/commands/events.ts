import type { Command } from 'commander';
import { type Action, addCommand, addGroup, type CommandParts, type Context } from '../command.ts';
import type { Connection } from '../connection.ts';
import { exitCodes, usageFailure } from '../failure.ts';
import {
  eventFilter,
  type FeedEvent,
  messageBeforeLast,
  openFeed,
  readFeed,
  startOf,
} from '../listen/feed.ts';
import { attemptDelivery, forwardUrl } from '../listen/forward.ts';
import { clean, cleanLines } from '../terminal.ts';
import { readList, secretOf } from './listen.ts';

interface TailOptions {
  events?: string[];
  tenant?: string;
  since?: string;
  last?: number;
  follow: boolean;
  body?: boolean;
}

interface ReplayOptions {
  endpoint?: string;
  forwardTo?: string;
}

export function addEvents(program: Command, parts: CommandParts): void {
  const events = addGroup(program, 'events', 'read events, or send one again');
  addCommand(events, parts, {
    name: 'tail',
    summary: 'print events as they happen; with --json exactly as they are sent',
    examples: [
      ['svc events tail --tenant t-100 --body', 'of one tenant, with the data'],
      ['svc events tail --last 20 --no-follow', 'the last 20, then exit'],
      ['svc events tail --since all --no-follow --json > events.ndjson', 'everything, to a file'],
    ],
    define: (command) =>
      command
        .option('--events <types>', 'only these types or groups, separated by commas', readList)
        .option('--tenant <external id>', 'only events of this tenant')
        .option('--since <when>', 'start earlier than now: 10m, a time, an event id or "all"')
        .option('--last <count>', 'start with about this many', readCount)
        .option('--no-follow', 'exit when there are no more (starts with the last 20)')
        .option('--body', 'print the data, too'),
    action: tail,
  });
  addCommand(events, parts, {
    name: 'replay',
    summary: 'send an event again, with the same id and bytes',
    examples: [
      ['svc events replay evt_…', 'to where the last "svc listen" forwarded'],
      ['svc events replay evt_… --forward-to 3000/api/svc/webhooks', 'to your machine'],
      ['svc events replay evt_… --endpoint ep_…', 'from the service to an endpoint'],
    ],
    define: (command) =>
      command
        .argument('<event id>')
        .option('--endpoint <id>', 'let the service send it to this endpoint')
        .option('--forward-to <url>', 'send it to your machine, signed with your local secret'),
    action: replay,
  }).alias('resend');
}

const tail: Action<TailOptions> = async (context, options) => {
  const { environment, terminal } = context;
  const connection = context.connect();
  const [matches, after] = await connection.run(async (client) => [
    await eventFilter(client, options.events ?? []),
    options.since === undefined && (options.last !== undefined || !options.follow)
      ? await messageBeforeLast(client, options.last ?? 20)
      : await startOf(client, options.since, new Date()),
  ]);
  const print = (each: FeedEvent) => {
    if (!matches(each.event.type)) return;
    if (options.tenant !== undefined && each.event.external_id !== options.tenant) return;
    printEvent(context, each, options.body ?? false);
  };
  if (!options.follow) return printAll(connection, after, print);
  const notices = {
    lost: (reason: string) => terminal.note(`Lost the service (${clean(reason)}). Reconnecting …`),
    regained: (seconds: number) => terminal.note(`Connected again after ${seconds.toFixed(0)} s.`),
    restarted: () => terminal.note('The last event no longer exists. Continuing.'),
  };
  const signal = environment.untilInterrupted();
  for await (const each of readFeed(connection, { after, signal, notices })) print(each);
  return exitCodes.ok;
};

async function printAll(
  connection: Connection,
  start: string | undefined,
  print: (each: FeedEvent) => void,
): Promise<number> {
  const read = openFeed(connection);
  let after = start;
  for (;;) {
    const page = await connection.run(() => read(after));
    for (const each of page) print(each);
    const last = page.at(-1);
    if (!last) return exitCodes.ok;
    after = last.event.id;
  }
}

function printEvent({ environment, terminal }: Context, { event, text }: FeedEvent, body: boolean) {
  if (terminal.json) {
    environment.output.write(`${text}\n`);
    return;
  }
  const tenant = event.external_id === null ? '' : `  ${clean(event.external_id)}`;
  const time = terminal.paint('dim', event.timestamp.slice(0, 19).replace('T', ' '));
  terminal.print(`${time}  ${terminal.paint('bold', clean(event.type))}${tenant}  ${event.id}`);
  if (body) terminal.print(cleanLines(JSON.stringify(event.data, null, 2)));
}

const replay: Action<ReplayOptions> = async (context, options, id = '') => {
  const { terminal } = context;
  const connection = context.connect();
  const { endpoint } = options;
  if (endpoint !== undefined) {
    const delivery = await connection.run((client) =>
      client.webhooks.messages.replay(id, { endpoint_id: endpoint }),
    );
    terminal.print(`${id} is being sent to ${clean(delivery.endpoint_url)} again.`);
    terminal.printJson(delivery);
    return exitCodes.ok;
  }
  return replayLocally(context, connection, id, options.forwardTo);
};

async function replayLocally(
  context: Context,
  connection: Connection,
  id: string,
  forwardTo: string | undefined,
): Promise<number> {
  const { store, terminal, profile } = context;
  const address = forwardTo ?? store.readListening(profile)?.forward_to;
  if (address === undefined) {
    throw usageFailure(
      'There is no address to send it to.',
      'Pass --endpoint or --forward-to, or run "svc listen" first.',
    );
  }
  const url = forwardUrl(address);
  const { body } = await connection.run((client) => client.webhooks.messages.get(id));
  if (body === null) throw usageFailure(`The payload of ${id} was erased.`);
  const event = { event: JSON.parse(body) as FeedEvent['event'], text: body };
  const result = await attemptDelivery(event, {
    url,
    secret: secretOf(context).secret,
    headers: {},
    timeoutMs: 15_000,
    signal: new AbortController().signal,
  });
  const code = result.status === null ? 'no response' : String(result.status);
  const color = result.ok ? 'green' : 'red';
  terminal.print(
    `${clean(event.event.type)}  ${id} → ${terminal.paint(color, code)}  POST ${clean(url.href)}  ${result.durationMs} ms`,
  );
  if (!result.ok) terminal.print(`  ${clean(result.problem ?? '')}`);
  if (result.body.trim()) terminal.print(`  ${clean(result.body.trim())}`);
  terminal.printJson({
    id,
    type: event.event.type,
    url: url.href,
    status: result.status,
    ok: result.ok,
    duration_ms: result.durationMs,
    problem: result.problem,
  });
  return result.ok ? exitCodes.ok : exitCodes.failed;
}

export function readCount(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= 1_000) return value;
  throw usageFailure(`"${text}" is not a number from 1 to 1000.`);
}
