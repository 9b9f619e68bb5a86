import { logged, moment } from '@svc/contract';
import { z } from 'zod';

const singleValue = z.string({ error: 'must be given once' }).optional();

/** Parameters that we know. Svix's clients send others, which only change the form of the answer. */
export const queryIn = z.object({
  limit: logged(singleValue),
  iterator: singleValue,
  order: logged(
    z
      .enum(['ascending', 'descending'], { error: 'must be "ascending" or "descending"' })
      .optional(),
  ),
  before: logged(moment.optional()),
  after: logged(moment.optional()),
  channel: logged(singleValue),
  tag: singleValue,
  // Clients send a list as one value with commas, or repeat the parameter.
  event_types: logged(
    z.union([z.string(), z.array(z.string()).transform((types) => types.join(','))]).optional(),
  ),
  status: logged(
    z
      .enum(['0', '1', '2', '3', '4'], {
        error:
          'must be 0 (success), 1 (pending), 2 (failed), 3 (sending) or 4 (canceled), and given once',
      })
      .optional(),
  ),
  status_code_class: logged(
    z
      .enum(['0', '100', '200', '300', '400', '500'], {
        error: 'must be 0 (no response), 100, 200, 300, 400 or 500, and given once',
      })
      .optional(),
  ),
  endpoint_id: logged(singleValue),
  with_content: logged(singleValue),
});
export type SvixQuery = z.output<typeof queryIn>;

const text = z.string();
export const applicationIn = z.object({ uid: logged(text.nullish()) });
export const endpointUpdate = z.object({
  url: text,
  description: text.nullish(),
  disabled: logged(z.boolean().optional()),
  filterTypes: logged(z.array(text).nullish()),
  eventTypes: logged(z.array(text).nullish()),
  channels: logged(z.array(text).nullish()),
  metadata: z.record(text, text).nullish(),
  rateLimit: logged(z.int().nullish()),
  throttleRate: logged(z.int().nullish()),
  uid: logged(text.nullish()),
});
export const endpointPatch = endpointUpdate.partial();
export const endpointIn = endpointUpdate.extend({
  headers: z.record(text, text).optional(),
  secret: text.nullish(),
});
export const headersIn = z.object({
  headers: z.record(text, text),
  deleteHeaders: z.array(text).optional(),
});
export const rotateIn = z.object({ key: text.nullish() });
export const exampleIn = z.object({ eventType: logged(text) });
export const messageIn = z.object({
  eventType: logged(text),
  eventId: logged(text.nullish()),
  channels: logged(z.array(text).nullish()),
  payload: z.record(text, z.unknown()),
  deliverAt: text.nullish(),
});
export const portalAccessIn = z.object({
  readOnly: logged(z.boolean().nullish()),
  capabilities: z.array(text).nullish(),
});
export const recoverIn = z.object({ since: logged(text), until: logged(text.nullish()) });
export const eventTypeIn = z.object({ name: text });
