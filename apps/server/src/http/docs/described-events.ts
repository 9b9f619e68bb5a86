import {
  type EventType,
  eventCatalog,
  eventExamples,
  eventTypes,
  field,
  named,
  webhookEnvelope,
} from '@svc/contract';
import { z } from 'zod';
import type { Service } from '../../context.ts';
import type { Components, Json } from './components.ts';

/** An event type as the OpenAPI and the AsyncAPI document describe it. */
export interface DescribedEvent {
  readonly type: EventType;
  /** `plan.past_due` as `PlanPastDue`. */
  readonly name: string;
  readonly description: string;
  /** The name of one of `eventTags()`. */
  readonly tag: string;
  /** A reference to the schema of the whole body. */
  readonly schema: Json;
  readonly example: Json;
}

export function describeEvents(service: Service, components: Components): DescribedEvent[] {
  return eventTypes.map((type) => {
    const { description, data, group } = eventCatalog[type];
    const name = pascal(type);
    const body = webhookEnvelope
      .extend({
        type: field(z.literal(type), 'The event type.', type),
        data: named(`${name}Data`, `The \`data\` of \`${type}\`.`, data),
      })
      .meta({ id: `${name}Event`, description });
    const schema = components.schemaOf(body, 'output');
    const example = eventExample(type, service);
    return { type, name, description, tag: eventTag(group), schema, example };
  });
}

export function eventTags(): { name: string; description: string }[] {
  const groups = new Set(Object.values(eventCatalog).map(({ group }) => group));
  return [...groups].map((group) => ({
    name: eventTag(group),
    description: eventTagDescriptions[group] ?? `Webhooks about ${group.toLowerCase()}s.`,
  }));
}

const eventTagDescriptions: Record<string, string> = {
  Operational: 'Webhooks about your webhook endpoints.',
  Repayment: 'Webhooks about payments that a tenant starts, and about autopay.',
};

function eventTag(group: string): string {
  return `${group} events`;
}

/** The headers that carry a message's id, time and signature. */
export const webhookHeaders = [
  {
    name: 'webhook-id',
    description: 'Id of the message, the same in each attempt. Handle each id once.',
    schema: { type: 'string' },
    example: 'evt_01k5z3w7c8d9e0f1g2h3j4k5m6',
  },
  {
    name: 'webhook-timestamp',
    description:
      'When this attempt was sent, in Unix seconds. Refuse it if it is over 5 minutes old.',
    schema: { type: 'string', pattern: '^\\d{1,12}$' },
    example: '1769968801',
  },
  {
    name: 'webhook-signature',
    description:
      'One or more signatures, separated by spaces: `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`.',
    schema: { type: 'string' },
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
];

function eventExample(type: EventType, { environment }: Service): Json {
  return {
    id: 'evt_01k5z3w7c8d9e0f1g2h3j4k5m6',
    type,
    timestamp: '2026-02-01T18:00:01.000Z',
    api_version: 'v1',
    environment,
    pms: 'my-portal',
    external_id: eventCatalog[type].group === 'Operational' ? null : 't-100',
    data: eventExamples[type],
  };
}

function pascal(type: string): string {
  return type
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
