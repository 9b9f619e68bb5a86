import {
  type EventType,
  earliestDate,
  errorCatalog,
  eventCatalog,
  eventExamples,
  largestTotalInCents,
  latestDate,
  webhookEnvelope,
} from '@svc/contract';
import { z } from 'zod';
import type { Service } from '../../context.ts';
import type { Route } from '../route.ts';

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document of the partner API, built from the schemas that validate requests. */
export function openApiDocument(routes: readonly Route[], service: Service): Json {
  const paths: Record<string, Json> = {};
  for (const row of routes) {
    if (row.internal || (row.sandboxOnly && service.environment !== 'sandbox')) continue;
    paths[row.path] = { ...paths[row.path], [row.method.toLowerCase()]: operation(row) };
  }
  const tags = [...new Set(routes.filter((row) => !row.internal).map(({ tag }) => tag))];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Svc partner API',
      version: 'v1',
      description: `Money is integer cents (USD), at most ${largestTotalInCents} in total. Dates are YYYY-MM-DD and instants RFC 3339 in UTC, from ${earliestDate} to ${latestDate}. Text is well-formed Unicode without U+0000. Every response is {"error", "data"} and has the header X-Request-Id. Call it from your backend only.`,
    },
    servers: [{ url: `${service.publicOrigin}/v1`, description: service.environment }],
    tags: tags.map((name) => ({ name })),
    security: [{ apiKey: [] }],
    paths,
    webhooks: webhooks(service),
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: `svc_${service.environment}_…` },
        portalSession: { type: 'apiKey', in: 'cookie', name: 'svc_portal' },
      },
      schemas: { Error: errorSchema },
      responses: { Error: jsonOf('What was wrong and what to do', ref('schemas/Error')) },
    },
  };
}

function operation(row: Route): Json {
  const idempotent = row.method === 'POST' || row.method === 'PATCH';
  return {
    operationId: operationId(row),
    summary: row.summary,
    tags: [row.tag],
    ...(row.deprecated ? { deprecated: true } : {}),
    ...(row.who === 'key_or_portal' ? { security: [{ apiKey: [] }, { portalSession: [] }] } : {}),
    parameters: [
      ...parameters(row.params, 'path'),
      ...parameters(row.query, 'query'),
      ...(idempotent ? [idempotencyKey] : []),
    ],
    ...(row.body ? { requestBody: { required: true, ...bodyOf(row, row.body) } } : {}),
    responses: {
      200: row.csv ? csvFile : jsonOf('Done', envelope(outputOf(row.output))),
      default: ref('responses/Error'),
    },
  };
}

function bodyOf({ upload }: Route, schema: z.ZodType): Json {
  // OpenAPI 3.1 describes a raw file by an empty schema.
  return upload ? { content: { [upload]: {} } } : content(inputOf(schema));
}

const csvFile = {
  description: 'A file (RFC 4180) with a header line',
  content: { 'text/csv': { schema: { type: 'string' } } },
};

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'For 24 hours, a repeated call with the same key and body has no further effect and gets the first response.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
};

/** Method and path as one name: `post_tenant_portal_info_by_external_id`. */
function operationId({ method, path }: Route): string {
  const words = path.split('/').filter((part) => part !== '');
  const names = words.map((part) => part.replace(/^\{(.*)\}$/, 'by_$1'));
  return [method.toLowerCase(), ...names].join('_');
}

function parameters(schema: z.ZodType | undefined, place: 'path' | 'query'): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = inputOf(schema) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: field,
  }));
}

function webhooks(service: Service): Json {
  const entries = (Object.keys(eventCatalog) as EventType[]).map((type) => {
    const { description, data, group } = eventCatalog[type];
    const body = outputOf(webhookEnvelope.extend({ type: z.literal(type), data }));
    const post = {
      operationId: `on_${type.replace('.', '_')}`,
      summary: description,
      tags: [group],
      security: [],
      requestBody: { required: true, ...content({ ...body, examples: [example(type, service)] }) },
      responses: { '2XX': { description: 'Acknowledged, within 15 seconds' } },
    };
    return [type, { post }];
  });
  return Object.fromEntries(entries);
}

function example(type: EventType, { environment }: Service): Json {
  return {
    id: 'evt_01k5z3w7c8d9e0f1g2h3j4k5m6',
    type,
    timestamp: '2026-02-01T18:00:01.000Z',
    api_version: 'v1',
    environment,
    pms: 'maple',
    external_id: eventCatalog[type].group === 'Operational' ? null : 't-100',
    data: eventExamples[type],
  };
}

const errorSchema = {
  type: 'object',
  required: ['error', 'data'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'request_id', 'doc_url'],
      properties: {
        code: { type: 'string', enum: Object.keys(errorCatalog) },
        message: { type: 'string' },
        param: { type: 'string' },
        errors: {
          type: 'array',
          items: {
            type: 'object',
            required: ['param', 'code', 'message'],
            properties: {
              param: { type: 'string' },
              code: { type: 'string' },
              message: { type: 'string' },
            },
          },
        },
        request_id: { type: 'string' },
        doc_url: { type: 'string' },
      },
    },
    data: { type: 'null' },
  },
};

function envelope(data: Json): Json {
  const properties = { error: { type: 'null' }, data };
  return { type: 'object', required: ['error', 'data'], properties };
}

function jsonOf(description: string, schema: Json): Json {
  return { description, ...content(schema) };
}

function content(schema: Json): Json {
  return { content: { 'application/json': { schema } } };
}

function ref(path: string): Json {
  return { $ref: `#/components/${path}` };
}

function inputOf(schema: z.ZodType): Json {
  return jsonSchema(schema, 'input');
}

function outputOf(schema: z.ZodType): Json {
  return jsonSchema(schema, 'output');
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const options = { io, unrepresentable: 'any', metadata: withoutNames } as const;
  const { $schema: _, ...rest } = z.toJSONSchema(schema, options);
  return rest;
}

/** Named schemas are written where they are used. By name, each would get definitions of its own. */
const withoutNames = Object.assign(z.registry<Record<string, unknown>>(), {
  get(schema: z.core.$ZodType) {
    const { id: _, ...rest } = z.globalRegistry.get(schema) ?? {};
    return rest;
  },
});
