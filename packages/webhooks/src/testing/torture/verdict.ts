import { bigint, type Database, type DatabaseTarget, openDatabase, raw, row, text } from '@svc/db';
import { type ChaosReceiver, goodPaths, misbehaviors } from './chaos-receiver.ts';

export interface Verdict {
  /** Messages whose commit was reported to the publisher. */
  readonly accepted: number;
  /** Messages that are stored. Some publishers were killed before the commit was reported. */
  readonly stored: number;
  /** Deliveries answered with 2xx, as counted by the receiver. */
  readonly delivered: number;
  /** Deliveries of accepted messages that never arrived. A missing message counts as one. */
  readonly lost: number;
  /** Deliveries of messages that are not stored. */
  readonly phantoms: number;
  /** Requests of killed processes without a recorded attempt: they were in flight at the kill. */
  readonly duplicated: number;
  /** Requests without a recorded attempt, by process. */
  readonly duplicatedBy: ReadonlyMap<string, number>;
  /** Successes after the first of a delivery, because its lease ended early, as when a clock is set. */
  readonly repeated: number;
  /** Requests of processes that were not killed, without a recorded attempt. */
  readonly unexplained: number;
  /** Requests whose body differs from the message. */
  readonly wrongBytes: number;
  /** Failed attempts at each misbehaving path, by error class. */
  readonly failures: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Deliveries still open. */
  readonly open: number;
}

/** Compares the reports of publishers and receivers with the database. */
export async function judge(seen: {
  readonly target: DatabaseTarget;
  readonly receiver: ChaosReceiver;
  readonly accepted: ReadonlySet<string>;
  /** Names of processes. */
  readonly killed: ReadonlySet<string>;
}): Promise<Verdict> {
  const { receiver, accepted } = seen;
  const db = await openDatabase(seen.target, { limits: { statement: 60_000 } });
  try {
    const messages = await db.many(
      row('message', { id: text, type: text }),
      raw('select /* all partners */ id, type from webhook_messages'),
    );
    const stored = new Map(messages.map(({ id, type }) => [id, type]));
    const gone = [...accepted].filter((id) => !stored.has(id)).length;
    const expected = messages.flatMap(({ id, type }) =>
      pathsOf(type).map((path) => `${path} ${id}`),
    );
    const missing = expected.filter((key) => !wasDelivered(receiver, key));
    const phantoms = [...receiver.came.keys()].filter((key) => !stored.has(idOf(key)));
    const unrecorded = await unrecordedByProcess(db, receiver);
    const sum = (ofKilled: boolean) =>
      unrecorded
        .filter(({ name }) => seen.killed.has(name) === ofKilled)
        .reduce((total, { count }) => total + count, 0);
    return {
      accepted: accepted.size,
      stored: stored.size,
      delivered: expected.length - missing.length,
      lost: gone + missing.length,
      phantoms: phantoms.length,
      duplicated: sum(true),
      duplicatedBy: new Map(unrecorded.map(({ name, count }) => [name, count])),
      repeated: await countRepeated(db),
      unexplained: sum(false),
      wrongBytes: receiver.wrong.length,
      failures: await failuresByPath(db),
      open: await countOpen(db),
    };
  } finally {
    await db.close();
  }
}

function pathsOf(type: string): string[] {
  return type === 'torture.good' ? goodPaths : Object.keys(misbehaviors);
}

/** A misbehaving path answers 204 only from the second time on. */
function wasDelivered(receiver: ChaosReceiver, key: string): boolean {
  const needed = Object.hasOwn(misbehaviors, key.split(' ')[0] ?? '') ? 2 : 1;
  return (receiver.came.get(key) ?? 0) >= needed;
}

function idOf(key: string): string {
  return key.split(' ')[1] ?? '';
}

async function failuresByPath(db: Database): Promise<Record<string, Record<string, number>>> {
  const rows = await db.many(
    row('failures', { path: text, error_class: text, count: bigint }),
    raw(`select regexp_replace(e.url, '^.*/', '') as path, a.error_class, count(*) as count
      from webhook_attempts a
      join webhook_endpoints e on e.owner = a.owner and e.id = a.endpoint_id
      where a.error_class is not null group by 1, 2 order by 1, 2`),
  );
  const paths: Record<string, Record<string, number>> = {};
  for (const { path, error_class, count } of rows) {
    paths[path] = { ...paths[path], [error_class]: count };
  }
  return paths;
}

async function unrecordedByProcess(
  db: Database,
  receiver: ChaosReceiver,
): Promise<{ name: string; count: number }[]> {
  const rows = await db.many(
    row('attempts of a process', { name: text, count: bigint }),
    raw(
      `select /* all partners */ detail ->> 'agent' as name, count(*) as count from webhook_attempts group by 1`,
    ),
  );
  const recorded = new Map(rows.map(({ name, count }) => [name, count]));
  return [...receiver.from].map(([name, came]) => ({
    name,
    count: came - (recorded.get(name) ?? 0),
  }));
}

const countRow = row('count', { count: bigint });

async function countRepeated(db: Database): Promise<number> {
  const { count } = await db.one(
    countRow,
    raw(`select /* all partners */ count(*) - count(distinct (owner, message_id, endpoint_id)) as count
      from webhook_attempts where error_class is null`),
  );
  return count;
}

async function countOpen(db: Database): Promise<number> {
  const { count } = await db.one(
    countRow,
    raw(`select /* all partners */ (select count(*) from webhook_deliveries_open)
      + (select count(*) from webhook_deliveries_leased) as count`),
  );
  return count;
}
