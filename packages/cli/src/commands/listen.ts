import type { Command } from 'commander';
import { type Action, addCommand, type CommandParts, type Context } from '../command.ts';
import type { Connection } from '../connection.ts';
import { exitCodes, usageFailure } from '../failure.ts';
import {
  eventFilter,
  type FeedEvent,
  type FeedNotices,
  readFeed,
  readTestSends,
  startOf,
} from '../listen/feed.ts';
import { createForwarder, type Delivered, forwardUrl } from '../listen/forward.ts';
import { checkedSecret, newSecret } from '../listen/sign.ts';
import { clean, cleanLines, clockTime } from '../terminal.ts';

interface Options {
  forwardTo?: string;
  events?: string[];
  tenant?: string;
  since?: string;
  header?: string[];
  timeout: number;
  retry: boolean;
  printSecret?: boolean;
  exitOnFailure?: boolean;
}

// The service waits 5 s, 5 min, 30 min and longer: too long for a person at a terminal.
const retryDelaysMs = [5_000, 30_000, 120_000];

export function addListen(program: Command, parts: CommandParts): void {
  addCommand(program, parts, {
    name: 'listen',
    summary: 'forward webhooks to your machine, also from behind a NAT or a firewall',
    examples: [
      ['svc listen --forward-to http://localhost:3000/api/svc/webhooks', ''],
      [
        'svc listen --forward-to 3000/api/svc/webhooks --events plan.*,settlement.created',
        'only these',
      ],
      [
        'svc listen --forward-to 3000/api/svc/webhooks --since 10m',
        'also those of the last ten minutes',
      ],
      ['svc listen --print-secret', 'for SVC_WEBHOOK_SECRET of your receiver'],
    ],
    define: (command) =>
      command
        .option(
          '--forward-to <url>',
          'your receiver; "3000/api/svc/webhooks" means http://localhost:3000/api/svc/webhooks',
        )
        .option('--events <types>', 'only these types or groups, separated by commas', readList)
        .option('--tenant <external id>', 'only events of this tenant')
        .option(
          '--since <when>',
          'start earlier than now: 10m, a time, an event id, "all", or "last" for where the last listen stopped',
        )
        .option('--header <name: value>', 'send this header too; can be repeated', collect)
        .option('--timeout <seconds>', 'wait this long for a response', seconds, 15)
        .option('--no-retry', 'send each event once')
        .option('--exit-on-failure', 'at the end, exit with 1 if an event was not delivered')
        .option('--print-secret', 'print the secret that signs forwarded events, and exit'),
    action: listen,
  });
}

const listen: Action<Options> = async (context, options) => {
  const { environment, terminal } = context;
  if (options.printSecret) {
    const { secret } = secretOf(context);
    terminal.print(secret);
    terminal.printJson({ secret });
    return exitCodes.ok;
  }
  if (options.forwardTo === undefined) {
    throw usageFailure(
      'An address to forward to is missing.',
      'Example: svc listen --forward-to http://localhost:3000/api/svc/webhooks',
    );
  }
  const url = forwardUrl(options.forwardTo);
  const headers = headersOf(options.header ?? []);
  const connection = context.connect();
  const identity = await terminal.busy('Connecting', context.identity(connection));
  const [matches, after] = await connection.run(async (client) => [
    await eventFilter(client, options.events ?? []),
    await startOf(client, sinceOf(context, options.since), new Date()),
  ]);
  const { secret, isNew } = secretOf(context);
  const report = createReport(context, url);
  report.ready({ connection, identity, secret, isNew });

  const signal = environment.untilInterrupted();
  const forwarder = createForwarder({
    url,
    secret,
    headers,
    timeoutMs: options.timeout * 1000,
    retryDelaysMs: options.retry ? retryDelaysMs : [],
    signal,
    delivered: report.delivered,
    waiting: report.waiting,
  });
  const inFlight = new Set<Promise<void>>();
  const accept = ({ event, text }: FeedEvent) => {
    if (!matches(event.type)) return;
    if (options.tenant !== undefined && event.external_id !== options.tenant) return;
    const work = forwarder.forward({ event, text }).finally(() => inFlight.delete(work));
    inFlight.add(work);
  };
  let last = after;
  const feed = async () => {
    for await (const each of readFeed(connection, { after, signal, notices: report })) {
      last = each.event.id;
      accept(each);
    }
  };
  const testSends = async () => {
    for await (const each of readTestSends(connection, { after, signal })) accept(each);
  };
  try {
    await Promise.all([feed(), testSends()]);
    await Promise.all(inFlight);
  } finally {
    remember(context, { url, last });
  }
  const undelivered = report.summary(forwarder.unfinished());
  return options.exitOnFailure && undelivered > 0 ? exitCodes.failed : exitCodes.ok;
};

/** Returns the secret of the environment, or else that of the profile, which is created once and kept. */
export function secretOf({ environment, store, profile }: Context): {
  secret: string;
  isNew: boolean;
} {
  const { SVC_WEBHOOK_SECRET } = environment.variables;
  if (SVC_WEBHOOK_SECRET) return { secret: checkedSecret(SVC_WEBHOOK_SECRET), isNew: false };
  const kept = store.readListening(profile);
  if (kept) return { secret: kept.webhook_secret, isNew: false };
  const secret = newSecret();
  store.writeListening(profile, { webhook_secret: secret });
  return { secret, isNew: true };
}

function sinceOf({ store, profile }: Context, since: string | undefined): string | undefined {
  if (since !== 'last') return since;
  return store.readListening(profile)?.last_event;
}

/** Keeps the address for `events replay`, and the position for `--since last`. */
function remember(
  { store, profile }: Context,
  { url, last }: { url: URL; last: string | undefined },
): void {
  const kept = store.readListening(profile);
  // With SVC_WEBHOOK_SECRET nothing was stored; the folder may not even be writable.
  if (!kept) return;
  store.writeListening(profile, {
    ...kept,
    forward_to: url.href,
    ...(last === undefined ? {} : { last_event: last }),
  });
}

interface Ready {
  connection: Connection;
  identity: { pms: string | null; environment: string };
  secret: string;
  isNew: boolean;
}

/** Prints what happens, for people or as one JSON object per line. */
function createReport({ terminal, profile }: Context, url: URL) {
  const durations: number[] = [];
  let failed = 0;
  const { paint } = terminal;
  const json = (kind: string, fields: object) => terminal.printJson({ kind, ...fields });
  const report = {
    ready({ connection, identity, secret, isNew }: Ready) {
      const who = `${identity.pms ?? connection.profile} (${identity.environment})`;
      if (identity.environment === 'production') {
        terminal.note('Warning: these are real events of real tenants.');
      }
      terminal.print(`Forwarding the events of ${who} at ${connection.origin}`);
      terminal.print(`  to ${clean(url.href)}`);
      if (isNew) {
        terminal.print(`They are signed with this secret. Give it to your receiver:`);
        terminal.print(`  SVC_WEBHOOK_SECRET=${secret}`);
      } else {
        const option = profile === 'default' ? '' : ` --profile ${profile}`;
        terminal.print(`Signed with your local secret: svc listen --print-secret${option}`);
      }
      terminal.print(`Ready. Stop with Ctrl-C.`);
      terminal.print();
      json('ready', { url: connection.origin, forward_to: url.href, ...identity });
    },
    delivered({ event, ok, status, durationMs, attempt, problem, body, retryInMs }: Delivered) {
      const code = paint(ok ? 'green' : 'red', status === null ? 'no response' : String(status));
      const tenant = event.external_id === null ? '' : `${clean(event.external_id)}  `;
      const simulated = event.simulated ? `  (sim ${tenantDate(event)})` : '';
      const mark = event.test ? '  (test)' : '';
      terminal.print(
        `${clockTime(new Date())}  ${paint('bold', clean(event.type))}  ${tenant}${clean(event.id)} → ${code}  POST ${clean(url.pathname)}  ${durationMs} ms${simulated}${mark}`,
      );
      if (!ok) {
        const next =
          retryInMs === null
            ? `not sent again; svc events replay ${clean(event.id)}`
            : `again in ${retryInMs / 1000} s`;
        terminal.print(`          ${clean(problem ?? '')}; ${next}`);
        if (body.trim()) terminal.print(indent(cleanLines(body.trim())));
      }
      if (ok) durations.push(durationMs);
      else if (retryInMs === null) failed += 1;
      json('delivery', {
        id: event.id,
        type: event.type,
        external_id: event.external_id,
        attempt,
        status,
        ok,
        duration_ms: durationMs,
        problem,
        response_body: body || null,
        retry_in_ms: retryInMs,
      });
    },
    waiting() {
      terminal.note(paint('yellow', `Nothing listens at ${url.host}. Events wait for it.`));
      json('waiting', { forward_to: url.href });
    },
    lost(reason: string) {
      terminal.note(paint('yellow', `Lost the service (${clean(reason)}). Reconnecting …`));
      json('disconnected', { reason });
    },
    regained(seconds: number) {
      terminal.note(`Connected again after ${seconds.toFixed(0)} s. No event was missed.`);
      json('reconnected', { after_seconds: Math.round(seconds) });
    },
    restarted() {
      terminal.note('The last event no longer exists. Continuing with new ones.');
      json('restarted', {});
    },
    /** Returns how many events were not delivered. */
    summary(unfinished: number): number {
      const median = [...durations].sort((a, b) => a - b)[Math.floor(durations.length / 2)];
      const undelivered = failed + unfinished;
      terminal.print();
      terminal.print(
        `${durations.length} delivered${median === undefined ? '' : ` (median ${median} ms)`}, ${undelivered} not delivered.`,
      );
      if (unfinished > 0) {
        terminal.print('Continue with "--since last", or send one again with "svc events replay".');
      }
      json('summary', {
        delivered: durations.length,
        not_delivered: undelivered,
        median_ms: median ?? null,
      });
      return undelivered;
    },
  } satisfies FeedNotices & Record<string, unknown>;
  return report;
}

/** Returns the day on the tenant's clock; `timestamp` is when the event was sent. Custom data may lack it. */
function tenantDate({ data, timestamp }: FeedEvent['event']): string {
  const { occurred_at } = data as { occurred_at?: unknown };
  return clean((typeof occurred_at === 'string' ? occurred_at : timestamp).slice(0, 10));
}

function indent(text: string): string {
  return text
    .split('\n')
    .slice(0, 8)
    .map((line) => `          ${line}`)
    .join('\n');
}

export function readList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}

export function collect(value: string, earlier: string[] = []): string[] {
  return [...earlier, value];
}

function seconds(text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0 && value <= 600) return value;
  throw usageFailure(`"${text}" is not a number of seconds.`, 'Pass a number from 1 to 600.');
}

function headersOf(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):\s*([\x20-\x7e]*)$/.exec(line) ?? [];
      if (name && value !== undefined) return [name, value];
      throw usageFailure(`"${line}" is not a header.`, 'Pass it as "name: value".');
    }),
  );
}
