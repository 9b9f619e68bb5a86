import type { CustomEvent, EventTypeDescription } from '@svc/node';
import type { Command } from 'commander';
import { type Action, addCommand, type CommandParts, type Context } from '../command.ts';
import { exitCodes, Failure, usageFailure } from '../failure.ts';
import { readJsonOption } from '../read-json-option.ts';
import { clean, table } from '../terminal.ts';
import { collect } from './listen.ts';

interface Options {
  list?: boolean;
  tenant?: string;
  data?: string;
  set?: string[];
  endpoint?: string;
}

export function addTrigger(program: Command, parts: CommandParts): void {
  addCommand(program, parts, {
    name: 'trigger',
    summary: 'send an example event to your endpoints and to "svc listen"',
    examples: [
      ['svc trigger settlement.created', 'the example of the documentation'],
      ['svc trigger installment.failed --tenant t-100 --set return_code=R02', 'change fields'],
      ['svc trigger plan.created --data @plan.json', 'your own data'],
      [
        'svc trigger plan.created --endpoint ep_…',
        'a test send to one endpoint; shows its response',
      ],
      ['svc trigger --list', 'the event types'],
    ],
    define: (command) =>
      command
        .argument('[event type]')
        .option('--list', 'list the event types')
        .option('--tenant <external id>', 'the tenant that the event names')
        .option('--data <json>', 'the event’s data, as JSON or as @file')
        .option('--set <field=value>', 'replace a field of the data; can be repeated', collect)
        .option('--endpoint <id>', 'send to this endpoint only, at once, marked as a test'),
    action: trigger,
  });
}

const trigger: Action<Options> = async (context, options, type) => {
  const { terminal } = context;
  const connection = context.connect();
  const types = await connection.run((client) => client.webhooks.eventTypes().toArray());
  if (options.list) return listTypes(context, types);
  const data = dataOf(context, options, typeNamed(type, types));
  if (options.endpoint !== undefined) {
    return testSend(context, options.endpoint, { event_type: String(type), data });
  }
  const event = {
    event_type: String(type),
    data,
    ...(options.tenant === undefined ? {} : { external_id: options.tenant }),
  } as CustomEvent;
  const published = await connection.run((client) => client.webhooks.messages.publish(event));
  terminal.print(`Published ${clean(String(type))} as ${published.id}.`);
  for (const { message } of published.warnings) terminal.note(`Warning: ${clean(message)}`);
  const { deliveries } = await connection.run((client) =>
    client.webhooks.messages.get(published.id),
  );
  for (const { endpoint_url } of deliveries) terminal.print(`  to ${clean(endpoint_url)}`);
  if (deliveries.length === 0) terminal.print('  No endpoint subscribes to it.');
  terminal.print('A running "svc listen" forwards it, too. It is marked as custom.');
  terminal.printJson({ ...published, event_type: type, data });
  return exitCodes.ok;
};

function listTypes({ terminal }: Context, types: EventTypeDescription[]): number {
  for (const line of table(types.map(({ name, description }) => [name, clean(description)]))) {
    terminal.print(line);
  }
  terminal.printJson(types.map(({ name, group, description }) => ({ name, group, description })));
  return exitCodes.ok;
}

function typeNamed(name: string | undefined, types: EventTypeDescription[]): EventTypeDescription {
  if (name === undefined) {
    throw usageFailure('An event type is missing.', '"svc trigger --list" lists all.');
  }
  const found = types.find((type) => type.name === name);
  if (found) return found;
  const group = name.split('.')[0];
  const near = types.map((type) => type.name).filter((other) => other.split('.')[0] === group);
  throw usageFailure(
    `"${clean(name)}" is not an event type.`,
    near.length ? `Did you mean ${near.join(', ')}?` : '"svc trigger --list" lists all.',
  );
}

/** Returns the given data or the example, with the fields of `--set` replaced. */
function dataOf(
  { environment }: Context,
  { data, set = [] }: Options,
  { example }: EventTypeDescription,
): Record<string, unknown> {
  const given =
    data === undefined
      ? { ...structuredClone(example), occurred_at: new Date().toISOString() }
      : readJsonOption('--data', data, environment.folder, '\'{"plan_id":"pln_1"}\'');
  for (const assignment of set) assign(given, assignment);
  return given;
}

/** `installments.0.state=paid`: values are JSON where they parse as such, else text. */
function assign(data: Record<string, unknown>, assignment: string): void {
  const [, path = '', value = ''] = /^([^=]+)=(.*)$/s.exec(assignment) ?? [];
  const keys = path.split('.');
  const last = keys.pop();
  if (!last) throw usageFailure(`"${assignment}" is not field=value.`, 'Example: --set state=paid');
  let parent: unknown = data;
  for (const key of keys) {
    parent = isObject(parent) && Object.hasOwn(parent, key) ? parent[key] : undefined;
  }
  if (!isObject(parent) || last === '__proto__') {
    throw usageFailure(
      `The data has no field "${path}".`,
      `Its fields: ${Object.keys(data).join(', ')}.`,
    );
  }
  parent[last] = jsonOrText(value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function jsonOrText(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

async function testSend(
  context: Context,
  endpoint: string,
  body: { event_type: string; data: Record<string, unknown> },
): Promise<number> {
  const { terminal } = context;
  const connection = context.connect();
  const attempt = await terminal.busy(
    `Sending to ${endpoint}`,
    connection.run((client) =>
      client.webhooks.endpoints.test(
        endpoint,
        body as Parameters<typeof client.webhooks.endpoints.test>[1],
      ),
    ),
  );
  const code = attempt.status === null ? 'no response' : String(attempt.status);
  const duration = Math.round(attempt.timing_in_ms.total);
  const color = attempt.succeeded ? 'green' : 'red';
  terminal.print(
    `${clean(body.event_type)}  ${attempt.message_id} → ${terminal.paint(color, code)}  POST ${clean(attempt.url)}  ${duration} ms  (test)`,
  );
  if (!attempt.succeeded) {
    terminal.print(`  ${clean(attempt.hint ?? attempt.error ?? 'The endpoint failed.')}`);
    if (attempt.response_body) terminal.print(`  ${clean(attempt.response_body.slice(0, 300))}`);
  }
  for (const { message } of attempt.warnings) terminal.note(`Warning: ${clean(message)}`);
  terminal.printJson(attempt);
  return attempt.succeeded ? exitCodes.ok : exitCodes.failed;
}

/** Lists the names of all event types, for completion. */
export async function eventTypeNames(context: Context): Promise<string[]> {
  const { client } = context.connect();
  const types = await client.webhooks.eventTypes({ timeoutMs: 1_000, maxRetries: 0 }).toArray();
  if (types.length === 0) throw new Failure('There are no event types.');
  return types.map(({ name }) => name);
}
