import { isDeepStrictEqual } from 'node:util';
import { type EventType, eventCatalog, eventSchemaOf } from '@svc/contract';
import type { EventTypeOut, Svix } from 'svix';
import type { Log } from '../../context.ts';
import { isApiFailure } from './read-failure.ts';

/** Marks the event types that we keep, so that types of others are never archived. */
const groupName = 'svc';

export interface EventTypes {
  /** Resolves once the server knows the type. The first call brings the whole catalog up to date. */
  ensure(type: string): Promise<void>;
}

/** Keeps the server's event types as the catalog has them. Types of custom data are added as they come. */
export function createEventTypes(svix: Svix, log: Log): EventTypes {
  const known = new Set<string>();
  let synced: Promise<void> | undefined;

  async function sync(): Promise<void> {
    const changed = await syncCatalog(svix);
    if (changed > 0) log.info({ changed }, 'event types of Svix brought up to date');
    for (const name of Object.keys(eventCatalog)) known.add(name);
  }

  return {
    async ensure(type) {
      synced ??= sync();
      try {
        await synced;
      } catch (error) {
        synced = undefined;
        throw error;
      }
      if (known.has(type)) return;
      await addCustom(svix, type);
      known.add(type);
    },
  };
}

/** Writes what differs, and archives our types that left the catalog. Returns how many it changed. */
export async function syncCatalog(svix: Svix): Promise<number> {
  const stored = await listAll(svix);
  let changed = 0;
  for (const name of Object.keys(eventCatalog) as EventType[]) {
    const { description, deprecated } = catalogEntry(name);
    const schemas = { 1: eventSchemaOf(name) };
    const it = stored.get(name);
    const isCurrent =
      it?.description === description &&
      it.groupName === groupName &&
      !it.archived &&
      isDeepStrictEqual(it.schemas, JSON.parse(JSON.stringify(schemas)));
    if (isCurrent) continue;
    await svix.eventType.update(name, {
      description,
      schemas,
      groupName,
      archived: false,
      deprecated,
    });
    changed += 1;
  }
  for (const it of stored.values()) {
    if (it.name in eventCatalog || it.groupName !== groupName || it.archived) continue;
    // Never deleted: messages of the type are still listed.
    const { description, schemas = null } = it;
    await svix.eventType.update(it.name, { description, schemas, groupName, archived: true });
    changed += 1;
  }
  return changed;
}

function catalogEntry(name: EventType) {
  const { description } = eventCatalog[name];
  return { description, deprecated: false };
}

async function listAll(svix: Svix): Promise<Map<string, EventTypeOut>> {
  const all = new Map<string, EventTypeOut>();
  let iterator: string | null = null;
  do {
    const page = await svix.eventType.list({
      ...{ limit: 250, iterator },
      includeArchived: true,
      withContent: true,
    });
    for (const it of page.data) all.set(it.name, it);
    iterator = page.done ? null : (page.iterator ?? null);
  } while (iterator !== null);
  return all;
}

async function addCustom(svix: Svix, name: string): Promise<void> {
  try {
    await svix.eventType.create({ name, description: 'Custom data of a partner.' });
  } catch (error) {
    if (!isApiFailure(error, 409)) throw error;
  }
}
