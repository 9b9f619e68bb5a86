import { boolean, type Database, listOf, row, sql, text } from '@svc/db';
import { createPartitions as createForWebhooks, dropExpired } from '@svc/webhooks';
import { createPartitions as createForLedger } from '../jobs/ledger-partitions.ts';
import { neededSince } from '../relay/measure-outbox.ts';
import { recordPartitions } from './grant-to-service.ts';
import type { Operator } from './record-by-operator.ts';

/**
 * The months for which webhook partitions are created ahead. Far more than the month between two runs, so a missed
 * run does no harm.
 */
const monthsAhead = 12;

export interface PartitionChanges {
  readonly created: string[];
  readonly dropped: string[];
  /** Sentences about what could not be done, or was done differently. */
  readonly notes: string[];
  /** False if something must be tried again. */
  readonly complete: boolean;
}

const ownerRow = row('owner of the tables', { owner: text, isOwner: boolean });

/**
 * Creates the partitions of webhooks for the next 12 months and of the ledger up to the end of next year,
 * and drops expired ones. For a service whose role does not own the tables. Safe while services run.
 */
export async function keepPartitions(
  db: Database,
  {
    now,
    retentionDays,
    by,
  }: { readonly now: Date; readonly retentionDays: number; readonly by: Operator },
): Promise<PartitionChanges> {
  const { owner, isOwner } = await db.one(
    ownerRow,
    sql`
    select r.rolname::text as owner, r.rolname = current_user as is_owner
    from pg_class c join pg_roles r on r.oid = c.relowner
    where c.oid = 'webhook_messages'::regclass`,
  );
  // A superuser could create them, but would own them: the owner could not drop them later, and its
  // default privileges would not apply.
  if (!isOwner) {
    const advice = `Run "svc-admin migrate partitions" as the role ${owner}, which owns the tables: put it into DATABASE_URL.`;
    return { created: [], dropped: [], notes: [advice], complete: false };
  }
  const notes: string[] = [];
  const note = (_: object, message: string) => void notes.push(message);
  const log = { info: () => {}, warn: note, error: note };
  const before = await listNames(db);
  let complete = await createForWebhooks(db, log, now, monthsAhead);
  const expired = new Date(now.getTime() - retentionDays * 86_400_000);
  const needed = await neededSince(db);
  const cutoff = needed && needed < expired ? needed : expired;
  let dropped = await dropExpired(db, log, cutoff);
  while (dropped === 'more') dropped = await dropExpired(db, log, cutoff);
  if (dropped === 'blocked') complete = false;
  try {
    await createForLedger({ db, now, log });
  } catch (error) {
    complete = false;
    notes.push((error as Error).message);
  }
  const after = await listNames(db);
  const changes = {
    created: after.filter((name) => !before.includes(name)),
    dropped: before.filter((name) => !after.includes(name)),
  };
  if (changes.created.length + changes.dropped.length > 0) await recordPartitions(db, by, changes);
  return { ...changes, notes, complete };
}

const namesRow = row('partitions', { names: listOf(text) });

async function listNames(db: Database): Promise<string[]> {
  const { names } = await db.one(
    namesRow,
    sql`
    select array_agg(c.relname::text order by c.relname) as names
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent in ('webhook_messages'::regclass, 'webhook_attempts'::regclass,
      'ledger_transfer'::regclass, 'ledger_entry'::regclass)`,
  );
  return names;
}

const writersRow = row('writers without ownership', { exist: boolean });

/** Returns whether a role that does not own the tables may write to them, as after `migrate grant`. */
export async function hasLimitedRole(db: Database): Promise<boolean> {
  const { exist } = await db.one(
    writersRow,
    sql`
    select exists (
      select from pg_class c cross join lateral aclexplode(c.relacl) a
      where c.oid = 'webhook_messages'::regclass and a.privilege_type = 'INSERT'
        and a.grantee <> c.relowner) as exist`,
  );
  return exist;
}
