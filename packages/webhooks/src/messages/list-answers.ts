import { instant, integer, nullable, oneOf, type Queryable, row, sql, text } from '@svc/db';
import { statusClasses } from '../kernel/status-class.ts';
import { errorClasses } from '../sending/describe-attempt.ts';

/** An attempt without anything that the endpoint wrote. */
export interface AnswerView {
  readonly message_id: string;
  readonly endpoint_id: string;
  readonly started_at: string;
  /** The class of the status, such as `2xx`, or of the error, such as `timeout`. */
  readonly answer: string;
}

const answerRow = row('answer of an endpoint', {
  message_id: text,
  endpoint_id: text,
  started_at: instant,
  status: nullable(integer),
  error_class: nullable(oneOf(...errorClasses)),
});

/** Lists the newest 20 attempts of each message, oldest first. */
export async function listAnswers(
  q: Queryable,
  owner: string,
  messageIds: readonly string[],
): Promise<AnswerView[]> {
  if (messageIds.length === 0) return [];
  const rows = await q.many(
    answerRow,
    sql`
    select a.message_id, a.endpoint_id, a.started_at, a.status, a.error_class
    from unnest(${messageIds}::text[]) m(id) cross join lateral (
      select * from webhook_attempts a where a.owner = ${owner} and a.message_id = m.id
      order by a.id desc limit 20) a
    order by a.id`,
  );
  return rows.map(({ started_at, status, error_class, ...attempt }) => ({
    ...attempt,
    started_at: started_at.toISOString(),
    answer: status === null ? (error_class ?? 'none') : statusClassOf(status),
  }));
}

function statusClassOf(status: number): string {
  return statusClasses[Math.floor(status / 100)] ?? 'none';
}
