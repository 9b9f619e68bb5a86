import { type Sql, sql } from '@svc/db';

/** The reasons for dropping a text although nothing went wrong. */
export const dropReasons = {
  stopped: 'the tenant stopped texts',
  untrue: 'it is no longer true',
  simulated: 'simulated tenant',
} as const;

/** The condition that a row of `text_message` should have been sent but was not, with no attempt left. */
export function isGivenUp(message: Sql): Sql {
  return sql`(${message}.sent_at is null and ${message}.due_at is null and ${message}.failure is not null
    and ${message}.failure <> all(${Object.values(dropReasons)}))`;
}
