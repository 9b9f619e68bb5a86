import { createHash, randomFillSync } from 'node:crypto';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const timeCharacters = 10;
const randomCharacters = 16;

/**
 * A new id: a prefix, 10 characters of wall time (ms) and 16 random characters (80 bits). Ids sort by
 * time. Several ids made by one process in one millisecond sort in the order in which they were made.
 */
export function newId(prefix: 'att' | 'ep' | 'evt' | 'rpl', now: Date): string {
  const ms = now.getTime();
  if (ms === lastId.ms) lastId.random = successor(lastId.random);
  else lastId = { ms, time: timePart(now), random: characters(randomness()) };
  return `${prefix}_${lastId.time}${lastId.random}`;
}

let lastId = { ms: Number.NaN, time: '', random: '' };

/** The id of a delivery. It follows from the message and the endpoint, so it is not stored. */
export function deliveryId(messageId: string, endpointId: string): string {
  const time = messageId.slice('evt_'.length, 'evt_'.length + timeCharacters);
  const digest = createHash('sha256').update(`${messageId} ${endpointId}`).digest();
  return `dlv_${time}${characters(digest.subarray(0, randomCharacters))}`;
}

/** The smallest possible id of this time: every id made at or after `time` sorts at or after it. */
export function firstId(prefix: 'att' | 'evt', time: Date): string {
  return `${prefix}_${timePart(time)}${'0'.repeat(randomCharacters)}`;
}

/** When an id was made, to the millisecond. */
export function timeOf(id: string): Date {
  const start = id.indexOf('_') + 1;
  let ms = 0;
  for (const character of id.slice(start, start + timeCharacters)) {
    ms = ms * 32 + alphabet.indexOf(character);
  }
  return new Date(ms);
}

/** The next number in base 32. An overflow would take 2^80 ids in one millisecond. */
function successor(text: string): string {
  let end = text.length - 1;
  while (text.charAt(end) === 'z') end -= 1;
  const digit = alphabet.charAt(alphabet.indexOf(text.charAt(end)) + 1);
  return (text.slice(0, end) + digit).padEnd(randomCharacters, '0');
}

// Random bytes are fetched in bulk: one call to the system's generator costs as much as forty ids.
const pool = Buffer.alloc(randomCharacters * 256);
let usedBytes = pool.length;

function randomness(): Buffer {
  if (usedBytes === pool.length) {
    randomFillSync(pool);
    usedBytes = 0;
  }
  usedBytes += randomCharacters;
  return pool.subarray(usedBytes - randomCharacters, usedBytes);
}

function timePart(time: Date): string {
  let rest = time.getTime();
  let text = '';
  for (let index = 0; index < timeCharacters; index += 1) {
    text = alphabet.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

function characters(bytes: Buffer): string {
  let text = '';
  for (const byte of bytes) text += alphabet.charAt(byte & 31);
  return text;
}
