import { type EventType, eventCatalog, eventExamples } from '@svc/contract';
import { z } from 'zod';

/** The catalogue with JSON Schemas and examples, in one page because it is short. */
export function listEventTypes() {
  const items = (Object.keys(eventCatalog) as EventType[]).map((name) => {
    const { group, description, data } = eventCatalog[name];
    return {
      name,
      group,
      description,
      schema: z.toJSONSchema(data) as Record<string, unknown>,
      example: eventExamples[name] as Record<string, unknown>,
    };
  });
  return { items, next_cursor: null };
}
