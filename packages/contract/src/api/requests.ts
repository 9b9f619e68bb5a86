import { z } from 'zod';
import { externalId, instant, listQuery, moment, searchedListOf, text } from '../primitives.ts';

/** A logged call of the partner API. */
export const requestOutput = z.object({
  request_id: z.string().describe('The `X-Request-Id` of the response.'),
  occurred_at: instant.describe('When the request arrived.'),
  method: z.string(),
  path: z.string().describe('Without the query.'),
  status: z.int().describe('499: your side closed the connection before the response.'),
  duration_in_ms: z.int().describe('From the arrival to the end of the response.'),
  code: z.string().nullable().describe('The error code, if the call failed.'),
  external_id: z.string().nullable().describe('The tenant that the call was about.'),
  user_agent: z.string().nullable(),
  api_key: z
    .object({ id: z.string(), name: z.string().nullable(), ends_with: z.string().nullable() })
    .describe('The key that made the call.'),
});
export type RequestOutput = z.infer<typeof requestOutput>;

const redacted =
  'Only fields that cannot hold personal data or a secret; other values are "[redacted]".';

export const requestDetailOutput = requestOutput.extend({
  query: z.record(z.string(), z.string()).describe(`The query. ${redacted}`),
  request_body: z.unknown().describe(`The JSON body, or null. ${redacted}`),
  error: z
    .object({
      code: z.string(),
      message: z.string(),
      param: z.string().nullable(),
      errors: z.array(z.object({ param: z.string(), code: z.string(), message: z.string() })),
      doc_url: z.string(),
    })
    .nullable()
    .describe('The error of the response, without values of the request.'),
});
export type RequestDetailOutput = z.infer<typeof requestDetailOutput>;

export const requestsQuery = z.strictObject({
  ...listQuery,
  request_id: text(100).optional(),
  external_id: externalId.describe('Calls about this tenant.').optional(),
  method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']).optional(),
  status: z
    .string()
    .regex(/^[1-5](xx|\d\d)$/, { error: 'must be a status such as 422, or a class such as 4xx' })
    .describe('A status such as 422, or a class such as 4xx.')
    .optional(),
  code: text(100).describe('An error code.').optional(),
  path: text(300).describe('The beginning of the path, with or without `/v1`.').optional(),
  from: moment.describe('Calls at or after this time.').optional(),
  to: moment.describe('Calls before this time.').optional(),
});
export const requestsOutput = searchedListOf(requestOutput);
