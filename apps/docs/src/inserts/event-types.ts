import { type EventType, eventCatalog, eventExamples, eventSchemaOf } from '@svc/contract';
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
  /** The values of an enumeration that may grow. */
  readonly 'x-extensible-enum'?: readonly string[];
}

const groupIntros: Readonly<Record<string, string>> = {
  Tenant: 'Changes of a tenant’s stored data and of whether a split is possible.',
  Application: 'One application of a tenant for one cycle.',
  Plan: 'The agreed plan, from consent to the last payment.',
  Settlement: 'Our payment to the landlord. These are the events that your backend has to act on.',
  Payout: 'One payment to you for each banking day. `external_id` is null.',
  Installment: 'The single payments that the tenant makes.',
  Repayment: 'Money that came in for a plan.',
  Charge: 'A charge that a plan pays was changed in your portal.',
  Operational: 'Your webhook endpoints, not tenants. `external_id` is null.',
};

/** Describes every event type under its own heading: its fields, and an example next to them. */
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
  const { description } = eventCatalog[type];
  const schema = eventSchemaOf(type) as Schema;
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
    const meaning = field.description;
    if (meaning === undefined) throw new Error(`Describe the field ${path} in its schema.`);
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
  if (field.enum || field['x-extensible-enum']) return 'string';
  if (field.type === 'array') return `list of ${typeOf(field.items ?? {})}s`;
  const type = [field.type ?? 'any'].flat().join(' or ');
  return field.format === 'date' ? 'date' : field.format === 'date-time' ? 'instant' : type;
}

function valuesOf(field: Schema): string {
  const listed = (one: Schema) => one.enum ?? one['x-extensible-enum'] ?? [];
  const values = [field, ...(field.anyOf ?? [])].flatMap(listed);
  return values.length === 0 ? '' : ` One of ${values.map((value) => `\`${value}\``).join(', ')}.`;
}
