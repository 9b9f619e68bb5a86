import { randomBytes } from 'node:crypto';
import type { Plan, Settlement, Tenant } from '@svc/node';
import type { Command } from 'commander';
import { type Action, addCommand, type CommandParts } from '../command.ts';
import { exitCodes, Failure, usageFailure } from '../failure.ts';
import { parseVariant } from '../parse-variant.ts';
import { clean, dollars, type Terminal, table } from '../terminal.ts';

interface Options {
  parts?: number;
  method?: string;
  failureCode?: string;
  variant?: string;
}

interface ScenarioResult {
  scenario: string;
  external_id: string;
  tenant: Pick<Tenant, 'external_id' | 'eligibility'>;
  application: { id: string; state: string } | null;
  plan: Plan | null;
  settlement: Settlement | null;
  refund: { id: string; amount_in_cents: number } | null;
  clock: { simulated_time: string | null };
  events: { id: string; type: string }[];
}

/** The scenarios, for the help and for completion. A newer service may know more. */
export const scenarios = {
  applied: 'has applied, before the decision',
  in_review: 'has applied, and a person decides',
  approved: 'is approved and has no plan',
  declined: 'is declined',
  first_payment_failed: 'accepted a plan whose first payment failed',
  split: 'has an active plan; the settlement waits for your debit',
  settled: 'has a plan whose settlement arrived',
  installment_failed: 'has an active plan, and the next payment failed',
  past_due: 'has not paid for 30 days',
  paid_off: 'has paid all installments',
  refunded: 'has a settlement that was sent back in full',
  disputed: 'has a payment that the bank reversed',
  charged_off: 'has not paid for 120 days',
  moved_out: 'has moved out',
} as const;

const methods: Record<string, string> = {
  bank: 'bank_account',
  bank_account: 'bank_account',
  card: 'card',
};

export function addScenario(program: Command, parts: CommandParts): void {
  const names = table(Object.entries(scenarios).map(([name, does]) => [`  ${name}`, does]));
  addCommand(program, parts, {
    name: 'scenario',
    summary: 'take a tenant of the sandbox to a point of a plan’s life',
    examples: [
      ['svc scenario split', 'a new tenant with an active plan and a real settlement'],
      ['svc scenario past_due t-100 --parts 3 --method card', 'a tenant of yours'],
      ['svc scenario installment_failed --failure-code R02', 'with this return code'],
      ['svc scenario split --variant hoa', 'an owner who pays dues to an association'],
    ],
    define: (command) =>
      command
        .argument('<name>')
        .argument('[external id]', 'the tenant; default: a new one')
        .option('--parts <count>', 'payments of the plan, 2 to 4', wholeNumber)
        .option('--method <method>', 'bank or card', methodOf)
        .option('--failure-code <code>', 'a return or decline code, such as R01')
        .option('--variant <variant>', 'rent or hoa, for a new tenant', parseVariant)
        .addHelpText('after', `\nScenarios: the tenant …\n${names.join('\n')}`),
    action: scenario,
  });
}

const scenario: Action<Options> = async (context, options, name = '', given) => {
  const { terminal } = context;
  refuseMisspelled(name);
  const tenant = given ?? `${name.replaceAll('_', '-')}-${randomBytes(3).toString('hex')}`;
  const connection = context.connect();
  const body = {
    scenario: name,
    ...(options.parts === undefined ? {} : { installment_count: options.parts }),
    ...(options.method === undefined ? {} : { payment_method: options.method }),
    ...(options.failureCode === undefined ? {} : { failure_code: options.failureCode }),
    ...(options.variant === undefined ? {} : { product_variant: options.variant }),
  };
  const path = `/simulation/${encodeURIComponent(tenant)}/scenario`;
  const result = await terminal.busy(
    `Taking ${clean(tenant)} to ${clean(name)}`,
    connection
      .run((client) => client.request<ScenarioResult>('POST', path, { body }))
      .catch(nameOptions),
  );
  printResult(terminal, result);
  terminal.printJson(result);
  return exitCodes.ok;
};

/** A newer service may know more scenarios, so only a name that is nearly a known one is refused. */
function refuseMisspelled(name: string): void {
  if (Object.hasOwn(scenarios, name)) return;
  const plain = (text: string) => text.toLowerCase().replaceAll(/[^a-z]/g, '');
  const near = Object.keys(scenarios).filter(
    (known) => plain(known).startsWith(plain(name)) || plain(name).startsWith(plain(known)),
  );
  if (plain(name) === '' || near.length === 0) return;
  throw usageFailure(
    `"${clean(name)}" is not a scenario. Did you mean ${near.join(' or ')}?`,
    '"svc scenario --help" lists all.',
  );
}

/** Names the options of this command instead of the API's fields. */
function nameOptions(error: unknown): never {
  if (!(error instanceof Failure)) throw error;
  const message = error.message
    .replaceAll('installment_count', '--parts')
    .replaceAll('payment_method', '--method')
    .replaceAll('failure_code', '--failure-code')
    .replaceAll('product_variant', '--variant');
  throw new Failure(message, error);
}

function printResult(terminal: Terminal, result: ScenarioResult): void {
  const { application, plan, settlement, refund, clock, events } = result;
  terminal.print(
    `${terminal.paint('green', '✓')} ${clean(result.external_id)} is ${result.scenario}`,
  );
  const { eligibility } = result.tenant;
  const rows = [
    ['tenant', clean(result.external_id), eligibility.state],
    application && ['application', application.id, application.state],
    plan && ['plan', plan.id, `${plan.state}, ${plan.installments.length} payments`],
    settlement && [
      'settlement',
      settlement.id,
      `${settlement.status}, ${dollars(settlement.amount_in_cents)}`,
    ],
    refund && ['refund', refund.id, dollars(refund.amount_in_cents)],
    clock.simulated_time && ['clock', clock.simulated_time, ''],
    ['webhooks', events.length === 0 ? 'none: the tenant was there already' : '', ''],
    ...events.map(({ id, type }) => ['', id, clean(type)]),
  ].filter((row): row is string[] => Array.isArray(row));
  for (const line of table(rows)) terminal.print(`  ${line}`);
}

function wholeNumber(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count > 0) return count;
  throw usageFailure(`"${text}" is not a number of payments.`, 'Example: --parts 3');
}

function methodOf(text: string): string {
  const method = methods[text];
  if (method !== undefined) return method;
  throw usageFailure(`"${text}" is not a payment method.`, 'Use --method bank or --method card.');
}
