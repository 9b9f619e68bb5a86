import { EngineRefusal } from '../kernel/refusal.ts';

/** The cursor for the next page of a list by id, which begins before this id. */
export function writeCursor(id: string): string {
  return Buffer.from(id).toString('base64url');
}

/** @throws EngineRefusal `invalid_cursor` */
export function readCursor(cursor: string, prefix: 'evt' | 'rpl'): string {
  const id = Buffer.from(cursor, 'base64url').toString('latin1');
  if (id.startsWith(`${prefix}_`) && /^[0-9a-z]{26}$/.test(id.slice(4))) return id;
  throw invalidCursor();
}

/** A position in a list of attempts by message: before this attempt, or with '' before all of the message. */
export interface Place {
  readonly messageId: string;
  readonly attemptId: string;
}

export function writePlace({ messageId, attemptId }: Place): string {
  return Buffer.from(`${messageId}/${attemptId}`).toString('base64url');
}

/** @throws EngineRefusal `invalid_cursor` */
export function readPlace(cursor: string): Place {
  const place = Buffer.from(cursor, 'base64url').toString('latin1');
  const [, messageId, attemptId] = /^(evt_[0-9a-z]{26})\/(|att_[0-9a-z]{26})$/.exec(place) ?? [];
  if (messageId === undefined || attemptId === undefined) throw invalidCursor();
  return { messageId, attemptId };
}

function invalidCursor(): EngineRefusal {
  return new EngineRefusal(
    'invalid_cursor',
    'This cursor is invalid: pass next_cursor of the previous page, unchanged.',
    'cursor',
  );
}
