import { z } from 'zod';
import type { Service } from '../../context.ts';
import { type Components, createComponents, type Json } from '../docs/components.ts';
import { FileBytes, type Route } from '../route.ts';
import { operatorRoute } from './operator-route.ts';

/** The route that returns the OpenAPI document of the others. */
export function openApiRoute(routes: readonly Route[]): Route {
  return operatorRoute({
    method: 'GET',
    path: '/openapi.json',
    who: 'operator',
    needs: 'read',
    kind: 'query',
    summary: 'Read the OpenAPI document of the operator’s API',
    output: z.unknown(),
    async verb({ service }) {
      const document = JSON.stringify(documentOf(routes, service));
      const bytes = Buffer.from(document);
      return new FileBytes({ bytes, type: 'application/json', name: 'openapi.json' });
    },
  });
}

function documentOf(routes: readonly Route[], { operatorOrigin }: Service): Json {
  const components = createComponents();
  const paths: Record<string, Json> = {};
  for (const row of routes) {
    paths[row.path] = {
      ...paths[row.path],
      [row.method.toLowerCase()]: operationOf(row, components),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Svc operator API',
      version: 'v1',
      description:
        'For the operator’s console. Errors have a status of 4xx or 5xx and the body `{"error": {"code", "message", "param", "errors", "request_id"}, "data": null}`.',
    },
    servers: [{ url: `${operatorOrigin}/operator/v1` }],
    security: [{ session: [] }],
    paths,
    components: {
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'svc_operator' } },
      schemas: components.schemas,
    },
  };
}

function operationOf(row: Route, components: Components): Json {
  const { method, path, summary, who, needs, freshProof } = row;
  const notes = [
    ...(needs === undefined ? [] : [`Needs the permission \`${needs}\`.`]),
    ...(freshProof ? ['Needs a proof of who you are from the last 5 minutes.'] : []),
  ];
  const json = (schema: Json) => ({ content: { 'application/json': { schema } } });
  const bodyOf = (body: z.ZodType) =>
    row.upload
      ? { content: { [row.upload]: { schema: { type: 'string', format: 'binary' } } } }
      : json(components.schemaOf(body, 'input'));
  const data = components.schemaOf(row.output, 'output');
  const parameters = [
    ...parametersOf(row.params, 'path', components),
    ...parametersOf(row.query, 'query', components),
  ];
  return {
    operationId: `${method.toLowerCase()}${path.replace(/\W+/g, '_')}`,
    summary,
    description: notes.join(' '),
    tags: [row.tag],
    ...(who === 'anyone' && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(row.body && { requestBody: { required: true, ...bodyOf(row.body) } }),
    responses: {
      200: {
        description: 'Done.',
        ...json({ type: 'object', properties: { error: { type: 'null' }, data } }),
      },
    },
  };
}

function parametersOf(
  schema: z.ZodType | undefined,
  place: 'path' | 'query',
  components: Components,
): Json[] {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape as Record<string, z.ZodType>).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || !field.safeParse(undefined).success,
    schema: components.schemaOf(field, 'input'),
  }));
}
