import { isDeepStrictEqual } from 'node:util';
import { type EventType, eventCatalog, eventSchemaOf, isEventType } from '@svc/contract';
import type { Log } from '@svc/runtime';
import type { EventTypeOut, Svix } from 'svix';

/**
 * Marks the schemas of the event types that we keep, so that types of others are never archived. The
 * open-source server stores neither groups nor metadata of a type.
 */
const managedMark = 'Kept up to date by Svc.';
const groupName = 'svc';

/** Resolves once the server has the event types of the catalog. Calls the server only until then. */
export function createEventTypes(svix: Svix, log: Log): () => Promise<void> {
  let synced: Promise<void> | undefined;
  return async () => {
    synced ??= syncCatalog(svix).then((changed) => {
      if (changed > 0) log.info({ changed }, 'event types of Svix brought up to date');
    });
    try {
      await synced;
    } catch (error) {
      synced = undefined;
      throw error;
    }
  };
}

/** Writes what differs, and archives our types that left the catalog. Returns how many it changed. */
async function syncCatalog(svix: Svix): Promise<number> {
  const stored = await listAll(svix);
  let changed = 0;
  for (const name of Object.keys(eventCatalog) as EventType[]) {
    const { description } = eventCatalog[name];
    const schemas = { 1: { ...eventSchemaOf(name), $comment: managedMark } };
    const known = stored.get(name);
    const isCurrent =
      known?.description === description &&
      !known.archived &&
      isDeepStrictEqual(known.schemas, JSON.parse(JSON.stringify(schemas)));
    if (isCurrent) continue;
    await svix.eventType.update(name, { description, schemas, groupName, archived: false });
    changed += 1;
  }
  for (const { name, description, schemas, archived } of stored.values()) {
    if (isEventType(name) || archived || schemas?.['1']?.$comment !== managedMark) continue;
    // Never deleted: messages of the type are still listed.
    await svix.eventType.update(name, { description, schemas, groupName, archived: true });
    changed += 1;
  }
  return changed;
}

async function listAll(svix: Svix): Promise<Map<string, EventTypeOut>> {
  const all = new Map<string, EventTypeOut>();
  let iterator: string | null = null;
  do {
    const page = await svix.eventType.list({
      limit: 250,
      iterator,
      includeArchived: true,
      withContent: true,
    });
    for (const it of page.data) all.set(it.name, it);
    iterator = page.done ? null : (page.iterator ?? null);
  } while (iterator !== null);
  return all;
}
