import { bigint, type Database, openDatabase, raw, row } from '@svc/db';
import { watchStatements } from '@svc/db/testing';
import pg from 'pg';

/** Round trips and commands between the servers for one operation. */
export interface RoundTrips {
  /** Statements that the service sends, including `begin` and `commit`. */
  readonly statements: number;
  /** How often the service waited. Statements that were sent together are one wait. */
  readonly waits: number;
  /** Commands of the coordinator to workers. Each is a wait, unless it went to several workers at once. */
  readonly commands: number;
  /** Statements about rows of one shard, and of several. */
  readonly oneShard: number;
  readonly manyShards: number;
}

interface Counting {
  /** A database whose coordinator reports each command that it sends to another server. */
  readonly db: Database;
  count(work: () => Promise<unknown>): Promise<RoundTrips>;
}

let counted = { statements: 0, waits: 0, commands: 0 };
let inFlight = 0;
watchStatements(() => {
  counted.statements += 1;
  if (inFlight === 0) counted.waits += 1;
  inFlight += 1;
});
const clientPrototype = pg.Client.prototype as unknown as {
  emit(this: pg.Client, event: string, ...args: unknown[]): boolean;
};
const { emit } = clientPrototype;
clientPrototype.emit = function (event, ...args) {
  const [notice] = args as { message?: string }[];
  if (event === 'notice' && notice?.message?.startsWith('issuing ')) counted.commands += 1;
  return emit.call(this, event, ...args);
};

/** Opens the database a second time, to count what calls send. Only one call may run at a time. */
export async function openCounting(url: string): Promise<Counting> {
  const reporting = new URL(url);
  reporting.searchParams.set('options', '-c citus.log_remote_commands=on');
  const statementEnded = () => {
    inFlight = Math.max(0, inFlight - 1);
  };
  const observer = { succeeded() {}, failed() {}, statementEnded };
  const db = await openDatabase({ url: reporting.href }, { observer });
  return {
    db,
    async count(work) {
      const before = await readShards(db);
      inFlight = 0;
      counted = { statements: 0, waits: 0, commands: 0 };
      await work();
      const sent = { ...counted };
      const after = await readShards(db);
      return { ...sent, oneShard: after.one - before.one, manyShards: after.many - before.many };
    },
  };
}

const shardsRow = row('statements by shards', { one: bigint, many: bigint });

async function readShards(db: Database): Promise<{ one: number; many: number }> {
  if (!db.cluster) return { one: 0, many: 0 };
  return db.one(
    shardsRow,
    raw(`select sum(query_execution_single_shard)::int8 as one,
      sum(query_execution_multi_shard)::int8 as many
      from citus_stat_counters where name = current_database()`),
  );
}
