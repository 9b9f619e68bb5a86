import { limits } from '../kernel/limits.ts';
import { EngineRefusal } from '../kernel/refusal.ts';

/** Returns the types sorted and without duplicates; null for every type. */
export function checkEventTypes(types: readonly string[] | null | undefined): string[] | null {
  if (types === null || types === undefined) return null;
  const known = /^[a-z][a-z0-9_]*(\.[a-z0-9_]+)*(\.\*)?$/;
  const distinct = [...new Set(types)].sort();
  const fits = distinct.length > 0 && distinct.length <= limits.eventTypes;
  if (fits && distinct.every((type) => type.length <= 100 && known.test(type))) return distinct;
  throw new EngineRefusal(
    'invalid_event_types',
    `event_types is null for all, or 1 to ${limits.eventTypes} names such as "plan.created" or "plan.*".`,
    'event_types',
  );
}

/** Returns the channels sorted and without duplicates; null for none. */
export function checkChannels(channels: readonly string[] | null | undefined): string[] | null {
  if (channels === null || channels === undefined) return null;
  const distinct = [...new Set(channels)].sort();
  const fits = distinct.length > 0 && distinct.length <= limits.channels;
  if (fits && distinct.every((channel) => /^[A-Za-z0-9_.:-]{1,100}$/.test(channel)))
    return distinct;
  throw new EngineRefusal(
    'invalid_channels',
    `channels is null, or 1 to ${limits.channels} names of letters, digits, dots, colons, dashes and underscores.`,
    'channels',
  );
}

export function checkUid(uid: string | null | undefined): string | null {
  if (uid === null || uid === undefined) return null;
  if (/^[A-Za-z0-9_.-]{1,100}$/.test(uid) && !uid.startsWith('ep_')) return uid;
  throw new EngineRefusal(
    'invalid_uid',
    'A uid is 1 to 100 letters, digits, dots, dashes and underscores, and does not begin with "ep_".',
    'uid',
  );
}

export function checkDescription(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null;
  const fits = text !== '' && Array.from(text).length <= limits.descriptionCharacters;
  if (fits && text.isWellFormed() && !/\p{Cc}/u.test(text)) return text;
  throw new EngineRefusal(
    'invalid_description',
    `A description is 1 to ${limits.descriptionCharacters} characters without control characters, or null.`,
    'description',
  );
}

/** Returns the metadata as JSON text. */
export function checkMetadata(
  metadata: Readonly<Record<string, string>> | null | undefined,
): string {
  const entries = Object.entries(metadata ?? {});
  const { metadataKeys: most, metadataKeyCharacters, metadataValueCharacters } = limits;
  const fits =
    entries.length <= most &&
    entries.every(
      ([key, value]) =>
        key !== '' &&
        isLine(key, metadataKeyCharacters) &&
        typeof value === 'string' &&
        isLine(value, metadataValueCharacters),
    );
  if (fits) return JSON.stringify(metadata ?? {});
  throw new EngineRefusal(
    'invalid_metadata',
    `metadata is at most ${most} texts of up to ${metadataValueCharacters} characters, under names of up to ${metadataKeyCharacters}, without control characters.`,
    'metadata',
  );
}

function isLine(text: string, most: number): boolean {
  return Array.from(text).length <= most && text.isWellFormed() && !/\p{Cc}/u.test(text);
}

export function checkThrottle(perSecond: number | null | undefined): number | null {
  if (perSecond === null || perSecond === undefined) return null;
  const most = limits.throttlePerSecond;
  if (Number.isInteger(perSecond) && perSecond >= 1 && perSecond <= most) return perSecond;
  throw new EngineRefusal(
    'invalid_throttle',
    `throttle_per_second is a whole number from 1 to ${most}, or null for none.`,
    'throttle_per_second',
  );
}
