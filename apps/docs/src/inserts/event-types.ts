import { type EventType, eventCatalog, eventExamples } from '@svc/contract';
import { z } from 'zod';
import type { Insert } from './insert.ts';

interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly format?: string;
}

/** Descriptions of fields that mean the same in every event. */
const fieldMeanings: Readonly<Record<string, string>> = {
  object_version:
    'Increases with each change of the object. Ignore an event whose version is not higher than the one you have.',
  occurred_at:
    'When the change happened, in the tenant’s time: the simulated clock in the sandbox.',
  application_id: 'The application, `app_…`.',
  plan_id: 'The plan, `pln_…`.',
  installment_id: 'The payment of the plan, `ins_…`.',
  installments: 'All payments of the plan, in order.',
  'installments[].id': 'The payment, `ins_…`.',
  'installments[].number': 'Its position, from 1.',
  'installments[].due_date': 'The day on which it is collected.',
  'installments[].amount_in_cents': 'Its amount. While a part is paid, what is still owed.',
  'installments[].state': 'Its state; see [an installment](how-a-split-works.md#an-installment).',
  settlement_id: 'The settlement, `stl_…`. You patch it with the result of your debit.',
  rent_cycle_date: 'The earliest due date of the month’s charges that was not paid.',
  product_variant: 'The product: `hoa` is for dues of an association.',
  amount_financed_in_cents: 'The part of the rent that the plan finances, without the fee.',
  fee_in_cents: 'The fee that the tenant pays with the first payment.',
  apr_bps: 'The annual percentage rate in basis points: 6990 is 69.90 %.',
  amount_in_cents: 'The amount in cents.',
  charges_paid: 'The ids of the charges that the settlement pays, as you sent them.',
  charges_and_amounts_paid: 'The same charges with the amount that is paid for each.',
  'charges_and_amounts_paid[].charge_id': 'Your id of the charge.',
  'charges_and_amounts_paid[].amount_in_cents': 'What is paid for it. A credit is negative.',
  debit_by: 'The day by which you debit our account.',
  number: 'The position of the payment in the plan, from 1.',
  due_date: 'The day on which the payment is due.',
  reapply_after: 'The first day on which the tenant may apply again, if there is one.',
  approved_amount_in_cents: 'The highest amount that the tenant may split.',
  expires_at: 'When the approval ends.',
  changed: 'The names of the fields that changed, never their values.',
  state: 'The state after the change.',
  reason: 'Why, as a code.',
  change: 'What changed.',
  old_status: 'The status before.',
  new_status: 'The status after.',
  failure_reason: 'What you reported as the reason, if anything.',
  next_attempt_at: 'When the service tries again. Null if it does not.',
  endpoint_id: 'The endpoint, `ep_…`.',
  repayment_id: 'The payment that came in, `rep_…`.',
  from: 'The day before the change.',
  to: 'The day after the change.',
  charge_id: 'Your id of the charge.',
  known_amount_in_cents: 'The amount that the plan was made with.',
  url: 'The address of the endpoint.',
  failing_since: 'When the first of the failed attempts was made.',
  disables_at: 'When the endpoint will be disabled if no attempt succeeds.',
  message_id: 'The message, `evt_…`.',
  event_type: 'The type of the message.',
};

const groupIntros: Readonly<Record<string, string>> = {
  Tenant: 'Changes of a tenant’s stored data and of whether a split is possible.',
  Application: 'One application of a tenant for one cycle.',
  Plan: 'The agreed plan, from consent to the last payment.',
  Settlement: 'Our payment to the landlord. These are the events that your backend has to act on.',
  Installment: 'The single payments that the tenant makes.',
  Repayment: 'Money that came in for a plan.',
  Charge: 'A charge that a plan pays was changed in your portal.',
  Operational: 'Your webhook endpoints, not tenants. `external_id` is null.',
};

/** Every event type under its own heading: fields, and an example beside them. */
export function eventTypes(): Insert {
  const types = Object.keys(eventCatalog) as EventType[];
  const groups = [...new Set(types.map((type) => eventCatalog[type].group))];
  const parts = groups.flatMap((group) => [
    `## ${group} events`,
    groupIntros[group] ?? '',
    ...types.filter((type) => eventCatalog[type].group === group).map(describe),
  ]);
  return { markdown: parts.join('\n\n') };
}

function describe(type: EventType): string {
  const { description, data } = eventCatalog[type];
  const schema = z.toJSONSchema(data) as Schema;
  const example = JSON.stringify(eventExamples[type], null, 2);
  return [
    `### \`${type}\` {#${type}}`,
    ':::beside',
    description,
    '| Field of `data` | Type | Meaning |\n|---|---|---|',
    fieldRows(schema).join('\n'),
    `\`\`\`json title="data"\n${example}\n\`\`\``,
    ':::',
  ]
    .join('\n\n')
    .replace('|---|---|---|\n\n', '|---|---|---|\n');
}

function fieldRows(schema: Schema, prefix = ''): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = prefix + name;
    const optional = schema.required?.includes(name) ? '' : ', optional';
    const meaning = field.description ?? fieldMeanings[path] ?? fieldMeanings[name];
    if (meaning === undefined) throw new Error(`Describe the field ${path} in event-types.ts.`);
    const row = `| \`${path}\` | ${typeOf(field)}${optional} | ${meaning}${valuesOf(field)} |`;
    return [
      row,
      ...fieldRows(field.items ?? {}, `${path}[].`),
      ...fieldRows({ ...field }, `${path}.`),
    ];
  });
}

function typeOf(field: Schema): string {
  if (field.anyOf) return field.anyOf.map(typeOf).join(' or ');
  if (field.enum) return 'string';
  if (field.type === 'array') return `list of ${typeOf(field.items ?? {})}s`;
  const type = [field.type ?? 'any'].flat().join(' or ');
  return field.format === 'date' ? 'date' : field.format === 'date-time' ? 'instant' : type;
}

function valuesOf(field: Schema): string {
  const values = field.enum ?? field.anyOf?.flatMap((one) => one.enum ?? []) ?? [];
  return values.length === 0 ? '' : ` One of ${values.map((value) => `\`${value}\``).join(', ')}.`;
}
