import { z } from 'zod';
import { exampleIds, field, loggedField, named } from '../describe-schema.ts';
import { externalId, instant, listByIdQuery, moment, searchedListOf, text } from '../primitives.ts';

const shape = {
  request_id: field(z.string(), 'The `X-Request-Id` of the response.', exampleIds.request),
  occurred_at: field(instant, 'When the request arrived.', '2026-02-02T15:30:00.000Z'),
  method: field(z.string(), 'The HTTP method.', 'POST'),
  path: field(z.string(), 'The path without the query.', '/v1/tenant/portal_info/t-100'),
  status: field(
    z.int(),
    'The HTTP status. 499: your side closed the connection before the response.',
    422,
  ),
  duration_in_ms: field(z.int(), 'From the arrival to the end of the response.', 38),
  code: field(z.string().nullable(), 'The error code, if the call failed.', 'validation_failed'),
  external_id: field(z.string().nullable(), 'The tenant that the call was about.', 't-100'),
  user_agent: field(z.string().nullable(), 'The `User-Agent` of the call.', 'svc-node/0.3.0'),
  api_key: named(
    'RequestApiKey',
    'The key that made the call.',
    z.object({
      id: field(z.string(), 'Id of the key.', exampleIds.key),
      name: field(z.string().nullable(), 'Your name for it.', 'Billing backend'),
      ends_with: field(z.string().nullable(), 'Its last four characters.', '4f2a'),
    }),
  ),
};

/** A logged call of the partner API. */
export const requestOutput = named(
  'LoggedRequest',
  'A call of your backend, from the log of the last 7 days.',
  z.object(shape),
);
export type RequestOutput = z.infer<typeof requestOutput>;

const redacted =
  'Only fields that cannot hold personal data or a secret; other values are "[redacted]".';

export const requestDetailOutput = named(
  'LoggedRequestDetail',
  'A call of your backend with its redacted query, body and error.',
  z.object({
    ...shape,
    query: field(z.record(z.string(), z.string()), `The query. ${redacted}`, { dry_run: 'true' }),
    request_body: field(z.unknown(), `The JSON body, or null. ${redacted}`, {
      first_name: '[redacted]',
      charges: [{ id: 'C-1', amount_in_cents: 152_012 }],
    }),
    error: field(
      named(
        'LoggedRequestError',
        'The error of the response, without values of the request.',
        z.object({
          code: field(z.string(), 'The error code.', 'validation_failed'),
          message: field(z.string(), 'What was wrong.', 'first_name is required.'),
          param: field(z.string().nullable(), 'The field that was wrong.', 'first_name'),
          errors: field(
            z.array(
              named(
                'LoggedFieldError',
                'One field that was wrong.',
                z.object({
                  param: field(z.string(), 'The field.', 'first_name'),
                  code: field(z.string(), 'The kind of mistake.', 'required'),
                  message: field(z.string(), 'What was wrong with it.', 'is required'),
                }),
              ),
            ),
            'Each field that was wrong.',
          ),
          doc_url: field(
            z.string(),
            'The description of the code.',
            'https://sandbox.svc.example/docs/errors#validation_failed',
          ),
        }),
      ).nullable(),
      'The error of the response. Null if the call succeeded.',
    ),
  }),
);
export type RequestDetailOutput = z.infer<typeof requestDetailOutput>;

export const requestsQuery = z.strictObject({
  ...listByIdQuery('req'),
  request_id: loggedField(
    text(100)
      .transform((id) => id.trim())
      .optional(),
    'The `X-Request-Id` of a response.',
    exampleIds.request,
  ),
  external_id: loggedField(externalId.optional(), 'Calls about this tenant.', 't-100'),
  method: loggedField(
    z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']).optional(),
    'Calls with this method.',
    'POST',
  ),
  status: loggedField(
    z
      .string()
      .regex(/^[1-5](xx|\d\d)$/, { error: 'must be a status such as 422, or a class such as 4xx' })
      .optional(),
    'A status such as 422, or a class such as 4xx.',
    '4xx',
  ),
  code: loggedField(text(100).optional(), 'An error code.', 'validation_failed'),
  path: field(
    text(300).optional(),
    'The beginning of the path, with or without `/v1`. Calls of Svix’s API begin with `/svix`.',
    '/tenant/portal_info',
  ),
  since: loggedField(moment.optional(), 'Calls at or after this time.', '2026-02-02T00:00:00Z'),
  until: loggedField(moment.optional(), 'Calls before this time.', '2026-02-03T00:00:00Z'),
});
export const requestsOutput = searchedListOf(requestOutput);
