import type { Simulation, Tenant } from '@svc/node';
import type { Command } from 'commander';
import { type Action, addCommand, addGroup, type CommandParts, type Context } from '../command.ts';
import { exitCodes, usageFailure } from '../failure.ts';
import { instantOf } from '../listen/feed.ts';
import { parseDuration } from '../parse-duration.ts';
import { clean, dollars, table } from '../terminal.ts';
import { addFork } from './tenant-fork.ts';

export function addTenant(program: Command, parts: CommandParts): void {
  const tenant = addGroup(program, 'tenant', 'read a tenant, move its sandbox clock, or copy it');
  addCommand(tenant, parts, {
    name: 'show',
    summary: 'print eligibility, plan, payments and clock of a tenant',
    examples: [['svc tenant show t-100', '']],
    define: (command) => command.argument('<external id>'),
    action: show,
  });
  addCommand(tenant, parts, {
    name: 'advance',
    summary: 'move the tenant’s clock forward and run everything that falls due (sandbox)',
    examples: [
      ['svc tenant advance t-100 1mo', 'a month; also 12h, 10d, 2w, 1y, or P1M as in ISO 8601'],
      ['svc tenant advance t-100 2027-03-01', 'to 12:00 UTC on that day'],
      ['svc tenant advance t-100 2027-03-01T08:30:00Z', 'to that moment'],
    ],
    define: (command) =>
      command.argument('<external id>').argument('<duration or time>', 'at most 400 days ahead'),
    action: advance,
  });
  addCommand(tenant, parts, {
    name: 'reset',
    summary: 'return the tenant to real time and cancel everything open (sandbox)',
    examples: [['svc tenant reset t-100', 'to rehearse again']],
    define: (command) => command.argument('<external id>'),
    action: reset,
  });
  addFork(tenant, parts);
}

const show: Action<object> = async (context, _, id = '') => {
  const tenant = await context.connect().run((client) => client.tenants.get(id));
  printTenant(context, tenant);
  context.terminal.printJson(tenant);
  return exitCodes.ok;
};

function printTenant({ terminal }: Context, tenant: Tenant): void {
  const { eligibility, plan, rent_cycle, simulated_time } = tenant;
  const { state, reason } = eligibility;
  const why = reason && reason !== state ? ` (${reason})` : '';
  const rows = [
    ['tenant', clean(tenant.external_id)],
    ['eligibility', `${state}${why}`],
    ...(rent_cycle
      ? [['due', `${rent_cycle.due_date}  ${dollars(rent_cycle.amount_due_in_cents)}`]]
      : []),
    ['clock', simulated_time ?? 'real time'],
    ['plan', plan ? `${plan.id}  ${plan.state}` : 'none'],
  ];
  for (const line of table(rows)) terminal.print(line);
  if (!plan) return;
  const payments = plan.installments.map(({ number, due_date, amount_in_cents, state }) => [
    `  ${number}`,
    due_date,
    dollars(amount_in_cents).padStart(10),
    state,
  ]);
  for (const line of table(payments)) terminal.print(line);
  if (plan.settlement_id) terminal.print(`settlement   ${plan.settlement_id}`);
}

const advance: Action<object> = async (context, _, id = '', by = '') => {
  const body = readAdvance(by);
  const connection = context.connect();
  const simulation = await context.terminal.busy(
    `Advancing ${clean(id)}`,
    connection.run((client) => client.simulation.advanceClock(id, body, { timeoutMs: 120_000 })),
  );
  printSimulation(context, id, simulation);
  return exitCodes.ok;
};

const reset: Action<object> = async (context, _, id = '') => {
  const simulation = await context.connect().run((client) => client.simulation.reset(id));
  printSimulation(context, id, simulation);
  return exitCodes.ok;
};

function printSimulation({ terminal }: Context, id: string, simulation: Simulation): void {
  const { simulated_time, warnings } = simulation;
  const where = simulated_time === null ? 'is in real time' : `is at ${simulated_time}`;
  terminal.print(`${terminal.paint('green', '✓')} ${clean(id)} ${where}`);
  for (const { message } of warnings) terminal.note(`Warning: ${clean(message)}`);
  terminal.printJson(simulation);
}

/** Reads `10d`, `P1M`, a date or an instant. */
function readAdvance(text: string): { by: string } | { to: string } {
  const by = parseDuration(text);
  if (by !== null) return { by };
  const at = instantOf(text);
  if (at) return { to: text.length === 10 ? `${text}T12:00:00Z` : at.toISOString() };
  throw usageFailure(
    `"${text}" is neither a duration nor a day that exists.`,
    'Use 12h, 10d, 2w, 1mo, P1M, 2027-03-01 or 2027-03-01T08:30:00Z.',
  );
}
