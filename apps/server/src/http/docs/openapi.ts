import {
  type ErrorCode,
  earliestDate,
  errorCatalog,
  fieldCodes,
  largestTotalInCents,
  latestDate,
} from '@svc/contract';
import type { z } from 'zod';
import type { Service } from '../../context.ts';
import type { Route } from '../route.ts';
import { codeSamples } from './code-samples.ts';
import { type Components, createComponents, type Json } from './components.ts';
import { describeEvents, eventTags, webhookHeaders } from './described-events.ts';
import { exampleFiles } from './example-files.ts';
import { errorsOf, takesKey } from './operation-errors.ts';

/** The OpenAPI 3.1 document of the partner API, built from the schemas that validate requests. */
export function openApiDocument(routes: readonly Route[], service: Service): Json {
  const documented = routes.filter(
    (row) => !row.internal && (!row.sandboxOnly || service.environment === 'sandbox'),
  );
  const components = createComponents();
  const server = `${service.publicOrigin}/v1`;
  const paths: Record<string, Json> = {};
  for (const row of documented) {
    paths[row.path] = {
      ...paths[row.path],
      [row.method.toLowerCase()]: operation(row, components, server),
    };
  }
  const webhooks = webhooksOf(service, components);
  components.add('Error', errorSchema);
  components.add('ErrorDetails', errorDetails);
  components.add('FieldError', fieldError);
  const codes = new Set(documented.flatMap(errorsOf));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Svc partner API',
      version: 'v1',
      summary: 'Flexible payments inside your portal.',
      description: introduction,
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'Svc documentation', url: `${service.publicOrigin}/docs` },
    },
    servers: [{ url: server, description: serverDescriptions[service.environment] }],
    tags: [
      ...tags.filter(({ name }) => documented.some(({ tag }) => tag === name)),
      ...eventTags(),
    ],
    security: [{ apiKey: [] }],
    paths,
    webhooks,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: `Your API key, \`svc_${service.environment}_…\`. Keep it on your backend: a key in a browser is refused.`,
        },
        portalSession: {
          type: 'apiKey',
          in: 'cookie',
          name: 'svc_portal',
          description: 'The session of a person in the console. Programs use an API key.',
        },
      },
      schemas: sorted(components.schemas),
      headers,
      parameters: { 'Idempotency-Key': idempotencyKey },
      examples: Object.fromEntries(
        [...codes].map((code) => [code, errorExample(code, service.publicOrigin)]),
      ),
    },
  };
}

const introduction = `Call the API from your backend only, with your API key.

**Values.** Money is integer cents (USD), at most ${largestTotalInCents} in total. Dates are \`YYYY-MM-DD\` and instants RFC 3339 in UTC, from ${earliestDate} to ${latestDate}. Text is well-formed Unicode without U+0000. Every response is \`{"error", "data"}\`, one of which is null, and has the header \`X-Request-Id\`.

**Compatibility.** Within \`v1\` we only add. We may add operations, optional request fields, response fields, event types, error codes, and values of the enumerations that are listed as \`x-extensible-enum\`. Ignore response fields and values that you do not know; this is why objects in responses are open. We do not remove or rename fields, change their types or meaning, make optional request fields required, narrow the values that a request accepts, add values to other enumerations, or rename operation ids. Objects in requests are closed: an unknown field is refused, so that a typo does not go unnoticed. Only \`diagnosis\` of \`runDoctor\` is open, because a newer SDK may report more. A deprecated operation keeps working for at least twelve months and answers with the header \`Deprecation\`.`;

const serverDescriptions = {
  sandbox: 'Sandbox: no money moves.',
  production: 'Production: real money.',
};

/** In the order of the reference. */
const tags = [
  {
    name: 'Tenants',
    description:
      'Tell us what a tenant owes, and get the token with which the tenant’s frame opens.',
  },
  {
    name: 'Plans and settlements',
    description:
      'What tenants agreed to pay, and what we owe you: debit our account for each settlement and report the outcome.',
  },
  {
    name: 'Simulation',
    description: 'Sandbox only: move a tenant’s clock, fix decisions and let payments fail.',
  },
  {
    name: 'Certification',
    description:
      'Sandbox only: prove your integration. `svc certify` makes these calls, and you get a signed report.',
  },
  { name: 'Events', description: 'What has happened, as a feed, and the catalog of event types.' },
  {
    name: 'Webhook endpoints',
    description: 'Your URLs that receive webhooks, their secrets and their health.',
  },
  {
    name: 'Webhook messages',
    description: 'Each webhook, its deliveries and the attempts that were made.',
  },
  { name: 'Webhook replays', description: 'Send the webhooks of a time window again.' },
  { name: 'Partner', description: 'Your origins, the console and the audit log.' },
  { name: 'Appearance', description: 'Your colors, font and logo.' },
];

function operation(row: Route, components: Components, server: string): Json {
  const parameters = [
    ...parametersOf(row.params, 'path', row, components),
    ...parametersOf(row.query, 'query', row, components),
    ...(takesKey(row) ? [{ $ref: '#/components/parameters/Idempotency-Key' }] : []),
  ];
  const body = row.body && bodyOf(row, row.body, components);
  const described = {
    operationId: operationId(row),
    summary: row.summary,
    ...(row.docs ? { description: row.docs.description } : {}),
    tags: [row.tag],
    ...(row.deprecated ? { deprecated: true } : {}),
    ...(row.who === 'key_or_portal' ? { security: [{ apiKey: [] }, { portalSession: [] }] } : {}),
    parameters,
    ...(body ? { requestBody: { required: true, ...body } } : {}),
    responses: { 200: success(row, components), ...failures(row) },
  };
  return { ...described, 'x-codeSamples': codeSamples(row, exampleCall(row, components), server) };
}

function operationId(row: Route): string {
  return row.docs?.id ?? [row.method.toLowerCase(), ...(row.path.match(/\w+/g) ?? [])].join('_');
}

/** The input of the example request: of the route's declaration, or composed from its schemas. */
function exampleCall(row: Route, components: Components) {
  const params = Object.fromEntries(
    fieldsOf(row.params, components).map(({ name, schema }) => [
      name,
      components.exampleOf(schema),
    ]),
  ) as Record<string, unknown>;
  const required = fieldsOf(row.query, components).filter((it) => it.required);
  const query =
    row.docs?.query ??
    Object.fromEntries(required.map(({ name, schema }) => [name, components.exampleOf(schema)]));
  const body =
    row.body && !row.upload
      ? (row.docs?.body ?? components.exampleOf(components.schemaOf(row.body, 'input')))
      : undefined;
  return { params, query: query as Record<string, unknown>, body };
}

function bodyOf(row: Route, schema: z.ZodType, components: Components): Json {
  if (row.upload) {
    // `format` is for generators: OpenAPI 3.1 itself describes a raw file by its media type alone.
    const file = { type: 'string', format: 'binary', description: 'The bytes of the file.' };
    // Not `externalValue`: generators take that for a reference, and look for the file.
    const request = {
      summary: row.summary,
      description: 'A small file as a `data:` URL. Send its bytes.',
      value: exampleFiles[row.upload],
    };
    return {
      description: 'The bytes of the file.',
      content: { [row.upload]: { schema: file, examples: { request } } },
    };
  }
  const reference = components.schemaOf(schema, 'input');
  const { body } = exampleCall(row, components);
  return {
    content: {
      'application/json': {
        schema: reference,
        examples: { request: { summary: row.summary, value: body }, ...row.docs?.otherBodies },
      },
    },
  };
}

function fieldsOf(schema: z.ZodType | undefined, components: Components) {
  if (!schema) return [];
  const { properties = {}, required = [] } = components.schemaOf(schema, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, field]) => ({
    name,
    schema: field,
    required: required.includes(name),
  }));
}

function parametersOf(
  from: z.ZodType | undefined,
  place: 'path' | 'query',
  { docs }: Route,
  components: Components,
): Json[] {
  return fieldsOf(from, components).map(({ name, schema, required }) => {
    const { description, ...rest } = schema;
    const given = place === 'query' ? docs?.query?.[name] : undefined;
    const example = given ?? (hasExample(schema) ? components.exampleOf(schema) : undefined);
    return {
      name,
      in: place,
      required: place === 'path' || required,
      ...(description === undefined ? {} : { description }),
      schema: rest,
      ...(example === undefined || example === null ? {} : { example }),
    };
  });
}

function hasExample(schema: Json): boolean {
  return schema.examples !== undefined || schema.enum !== undefined || schema.$ref !== undefined;
}

function success(row: Route, components: Components): Json {
  const described = { description: 'Done.', headers: responseHeaders(row) };
  if (row.csv) {
    const schema = components.schemaOf(row.output, 'output');
    const value = components.exampleOf(schema);
    return {
      ...described,
      content: { 'text/csv': { schema, examples: { response: { value } } } },
    };
  }
  const data = components.schemaOf(row.output, 'output');
  const name = operationId(row).replace(/^./, (first) => first.toUpperCase());
  const schema = components.add(`${name}Result`, {
    type: 'object',
    description: `The response of \`${operationId(row)}\`.`,
    required: ['error', 'data'],
    properties: {
      error: { type: 'null', description: 'Null, because the call succeeded.', examples: [null] },
      data: data.type === 'null' ? { ...data, description: 'Null.', examples: [null] } : data,
    },
  });
  const value = { error: null, data: components.exampleOf(data) };
  return {
    ...described,
    content: { 'application/json': { schema, examples: { response: { value } } } },
  };
}

function responseHeaders(row: Route): Json {
  return {
    'X-Request-Id': header('X-Request-Id'),
    ...(takesKey(row) ? { 'Idempotent-Replayed': header('Idempotent-Replayed') } : {}),
    ...(row.deprecated ? { Deprecation: header('Deprecation') } : {}),
  };
}

/** The codes of each status, with an example of each. */
function failures(row: Route): Json {
  const codes = errorsOf(row);
  const statuses = [...new Set(codes.map((code) => errorCatalog[code].status))].sort(
    (one, other) => one - other,
  );
  return Object.fromEntries(
    statuses.map((status) => {
      const codesOfStatus = codes.filter((code) => errorCatalog[code].status === status);
      const waits = [409, 429, 503].includes(status);
      return [
        status,
        {
          description: codesOfStatus
            .map((code) => `\`${code}\`: ${errorCatalog[code].meaning}`)
            .join(' '),
          headers: {
            'X-Request-Id': header('X-Request-Id'),
            ...(waits ? { 'Retry-After': header('Retry-After') } : {}),
          },
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/Error' },
              examples: Object.fromEntries(
                codesOfStatus.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
              ),
            },
          },
        },
      ];
    }),
  );
}

function errorExample(code: ErrorCode, publicOrigin: string): Json {
  const { meaning, fix } = errorCatalog[code];
  const fields =
    code === 'validation_failed'
      ? {
          param: 'email',
          errors: [
            {
              param: 'email',
              code: 'invalid_format',
              message: 'must be an e-mail address such as ada@example.com',
            },
          ],
        }
      : {};
  const error = {
    code,
    message: `${meaning} ${fix}`,
    ...fields,
    request_id: 'req_01k5z3w7c8d9e0f1g2h3j4k5m6',
    doc_url: `${publicOrigin}/docs/errors#${code}`,
  };
  return { summary: meaning, value: { error, data: null } };
}

const headers = {
  'X-Request-Id': {
    description: 'Names the request in our logs. Send it to us with a question.',
    schema: { type: 'string' },
    example: 'req_01k5z3w7c8d9e0f1g2h3j4k5m6',
  },
  'Retry-After': {
    description: 'Wait for so many seconds before you repeat the request.',
    schema: { type: 'integer' },
    example: 1,
  },
  'Idempotent-Replayed': {
    description: '`true` if this is the stored response of an earlier call with the same key.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  Deprecation: {
    description: 'Since when the operation has been deprecated (RFC 9745).',
    schema: { type: 'string' },
    example: '@1767225600',
  },
};

function header(name: keyof typeof headers): Json {
  return { $ref: `#/components/headers/${name}` };
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'For 24 hours, a repeated call with the same key and body has no further effect and gets the first response. Use a new one, such as a UUID, for each new request.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  example: '6f1c2a9e-5f0b-4c9d-9a57-0d6a6d1c2b3e',
};

function webhooksOf(service: Service, components: Components): Json {
  const entries = describeEvents(service, components).map((event) => {
    const { type, name, description, tag, schema, example } = event;
    const post = {
      operationId: `on${name}`,
      summary: type,
      description,
      tags: [tag],
      security: [],
      parameters: webhookHeaders.map((header) => ({ ...header, in: 'header', required: true })),
      requestBody: {
        required: true,
        content: {
          'application/json': { schema, examples: { request: { summary: type, value: example } } },
        },
      },
      responses: {
        '2XX': { description: 'Received. Answer within 15 seconds; other answers are retried.' },
        '4XX': { description: 'Counted as a failure and retried, seven times over three days.' },
      },
    };
    return [type, { post }];
  });
  return Object.fromEntries(entries);
}

const fieldError = {
  type: 'object',
  description: 'What is wrong with one field.',
  required: ['param', 'code', 'message'],
  properties: {
    param: {
      type: 'string',
      description: 'The field, such as `charges.0.due_date`.',
      examples: ['email'],
    },
    code: {
      type: 'string',
      description: 'The kind of problem. More kinds may be added.',
      'x-extensible-enum': fieldCodes,
      examples: ['invalid_format'],
    },
    message: {
      type: 'string',
      description: 'What the field accepts, for people.',
      examples: ['must be an e-mail address such as ada@example.com'],
    },
  },
};

const errorDetails = {
  type: 'object',
  description: 'What was wrong and what to do.',
  required: ['code', 'message', 'request_id', 'doc_url'],
  properties: {
    code: {
      type: 'string',
      description:
        'Branch on this code. More codes may be added; the status says how to treat them.',
      'x-extensible-enum': Object.keys(errorCatalog),
      examples: ['validation_failed'],
    },
    message: {
      type: 'string',
      description: 'What was wrong and what to do, for people. Never show it to a tenant.',
      examples: ['email must be an e-mail address.'],
    },
    param: {
      type: 'string',
      description: 'The field it is about, if it is about one.',
      examples: ['email'],
    },
    errors: {
      type: 'array',
      description: 'Each wrong field, for `validation_failed`.',
      items: { $ref: '#/components/schemas/FieldError' },
    },
    request_id: {
      type: 'string',
      description: 'The `X-Request-Id` of the call.',
      examples: ['req_01k5z3w7c8d9e0f1g2h3j4k5m6'],
    },
    doc_url: {
      type: 'string',
      description: 'Where the code is explained.',
      examples: ['https://sandbox.svc.example/docs/errors#validation_failed'],
    },
  },
};

const errorSchema = {
  type: 'object',
  description: 'The body of every failed call.',
  required: ['error', 'data'],
  properties: {
    error: { $ref: '#/components/schemas/ErrorDetails' },
    data: { type: 'null', description: 'Null, because the call failed.', examples: [null] },
  },
};

function sorted<T>(record: Record<string, T>): Record<string, T> {
  const byName = Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(byName);
}
