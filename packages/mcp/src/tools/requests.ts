import { externalId, requestsQuery, settlementsQuery } from '@svc/contract';
import { z } from 'zod';
import { defineTool, listLimit } from '../tool.ts';

const { status, code, path, cursor: requestCursor } = requestsQuery.shape;
const { status: settlementStatus, cursor: settlementCursor } = settlementsQuery.shape;

const listRequests = defineTool({
  name: 'list_requests',
  title: 'List your API calls',
  description:
    'Lists the calls that your backend made, newest first: method, path, status, error code, tenant. With request_id, returns that call with its redacted body and the fields that were wrong.',
  input: z.strictObject({
    request_id: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .meta({ description: 'One call by the X-Request-Id of its response.' }),
    external_id: externalId.optional().meta({ description: 'Only calls about this tenant.' }),
    status,
    code,
    path,
    limit: listLimit,
    cursor: requestCursor,
  }),
  example: { status: '4xx' },
  run: (service, { request_id, ...query }) =>
    request_id === undefined
      ? service.call('GET /partner/requests', { query })
      : service.call('GET /partner/requests/{id}', { params: { id: request_id } }),
});

const listSettlements = defineTool({
  name: 'list_settlements',
  title: 'List settlements',
  description:
    'Lists what we owe you for plans, newest first: amount, charges, debit_by, status, and the processor_transaction_id that you reported. A split is done when its settlement is "verified".',
  input: z.strictObject({
    external_id: externalId.optional().meta({ description: 'Only settlements of this tenant.' }),
    status: settlementStatus,
    limit: listLimit,
    cursor: settlementCursor,
  }),
  example: { external_id: 't-100' },
  run: (service, query) => service.call('GET /settlements', { query }),
});

export const requestTools = [listRequests, listSettlements];
