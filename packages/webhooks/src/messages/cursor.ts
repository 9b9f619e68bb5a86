import { EngineRefusal } from '../kernel/refusal.ts';

/** Returns the cursor for the next page of a list by id, which begins before this id. */
export function writeCursor(id: string): string {
  return Buffer.from(id).toString('base64url');
}

/** @throws EngineRefusal `invalid_cursor` */
export function readCursor(cursor: string, prefix: 'evt' | 'rpl'): string {
  const id = Buffer.from(cursor, 'base64url').toString('latin1');
  if (id.startsWith(`${prefix}_`) && /^[0-9a-z]{26}$/.test(id.slice(4))) return id;
  throw invalidCursor();
}

/** A position in a list of attempts by message: before this attempt, or with '' before all attempts of the message. */
export interface Place {
  readonly messageId: string;
  readonly attemptId: string;
}

export function writePlace({ messageId, attemptId }: Place): string {
  return Buffer.from(`${messageId}/${attemptId}`).toString('base64url');
}

/** @throws EngineRefusal `invalid_cursor` */
export function readPlace(cursor: string): Place {
  const place = placeIn(Buffer.from(cursor, 'base64url').toString('latin1'));
  if (place === null) throw invalidCursor();
  return place;
}

/** A position in a list of attempts whose failures come first. Null is the beginning of the part. */
export interface FailuresFirst {
  readonly part: 'failures' | 'successes';
  readonly place: Place | null;
}

export function writeFailuresFirst({ part, place }: FailuresFirst): string {
  const from = place === null ? '' : `${place.messageId}/${place.attemptId}`;
  return Buffer.from(`${part} ${from}`).toString('base64url');
}

/** @throws EngineRefusal `invalid_cursor` */
export function readFailuresFirst(cursor: string): FailuresFirst {
  const [part, from = ''] = Buffer.from(cursor, 'base64url').toString('latin1').split(' ', 2);
  const place = placeIn(from);
  if ((part !== 'failures' && part !== 'successes') || (place === null && from !== '')) {
    throw invalidCursor();
  }
  return { part, place };
}

function placeIn(text: string): Place | null {
  const [, messageId, attemptId] = /^(evt_[0-9a-z]{26})\/(|att_[0-9a-z]{26})$/.exec(text) ?? [];
  return messageId === undefined || attemptId === undefined ? null : { messageId, attemptId };
}

function invalidCursor(): EngineRefusal {
  return new EngineRefusal(
    'invalid_cursor',
    'This cursor is invalid: pass next_cursor of the previous page, unchanged.',
    'cursor',
  );
}
