import { type Database, raw } from '@svc/db';
import { rowsOf } from '@svc/db/testing';
import { multiplyRows } from '../../apps/server/test/statements/multiply-rows.ts';

/** Tables that have a row for each tenant. */
const ofEachTenant = ['charge', 'tenant'];
/** One of this many tenants has a plan, with its payments, events and ledger entries. */
const tenantsPerPlan = 20;
/** Tables that are not copied, so that work is due for the original tenants only. */
const notCopied = ['rate_limit_bucket', 'tenant_due'];

/** Copies the tenants of the only partner until there are about `tenants`, and some of them have plans. */
export async function growTenants(db: Database, tenants: number): Promise<void> {
  const others = (await listTables(db)).filter(
    (it) => ![...ofEachTenant, ...notCopied].includes(it),
  );
  await multiplyRows(db, ofEachTenant, tenants);
  await multiplyRows(db, others, tenants / tenantsPerPlan);
  await db.session((session) => session.run(raw('vacuum analyze')));
}

/** Copies the only partner, with its tenants and all their rows, until there are `partners`. */
export async function growPartners(db: Database, partners: number): Promise<void> {
  for (const table of (await listTables(db)).filter((it) => !notCopied.includes(it))) {
    const columns = await rowsOf<{ name: string; value: string }>(
      db,
      raw(`
      select attname as name, case
          when attname in ('partner_id', 'owner', 'pms')
            or attname = 'id' and attrelid = 'partner'::regclass
            then format('overlay(%I placing lpad(n::text, 5, ''0'') from 5)', attname)
          when atttypid = 'bytea'::regtype and attname like '%sha256'
            then format('sha256(%I || int4send(n))', attname)
          else format('%I', attname) end as value
      from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where attrelid = '${table}'::regclass and attnum > 0 and not attisdropped
        and attidentity = '' and attgenerated = '' and atttypid <> 'xid8'::regtype
        and coalesce(pg_get_expr(adbin, adrelid) !~ '^nextval', true)
      order by attnum`),
    );
    await db.transaction(
      async (tx) => {
        await tx.run(raw('set local session_replication_role = replica'));
        await tx.run(
          raw(`insert into ${table} (${columns.map(({ name }) => name).join(', ')})
            select ${columns.map(({ value }) => value).join(', ')}
            from ${table}, generate_series(1, ${partners - 1}) n on conflict do nothing`),
        );
      },
      { timeoutMs: 600_000 },
    );
  }
  await db.session((session) => session.run(raw('vacuum analyze')));
}

async function listTables(db: Database): Promise<string[]> {
  const found = await rowsOf<{ name: string }>(
    db,
    raw(`select relname as name from pg_class where relnamespace = 'public'::regnamespace
      and relkind in ('r', 'p') and not relispartition and not starts_with(relname, 'svc_')`),
  );
  return found.map(({ name }) => name);
}
