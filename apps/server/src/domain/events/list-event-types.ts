import { type EventType, eventCatalog, eventExamples, eventSchemaOf } from '@svc/contract';

/** Lists the event catalog with JSON Schemas and examples, in one page because it is short. */
export function listEventTypes() {
  const items = (Object.keys(eventCatalog) as EventType[]).map((name) => {
    const { group, description } = eventCatalog[name];
    return {
      name,
      group,
      description,
      schema: eventSchemaOf(name),
      example: eventExamples[name] as Record<string, unknown>,
    };
  });
  return { items, next_cursor: null };
}
