import { bigint, bytes, type Database, listOf, raw, row, sql, text } from '@svc/db';
import type { Vault } from '@svc/runtime';
import { type SealedColumn, sealedColumns as webhookColumns } from '@svc/webhooks';
import { checkpointsOfOtherKeys, renewCheckpoints } from '../domain/ledger/checkpoint.ts';
import { sealContext } from '../domain/tenants/sealed-document.ts';
import { answerContext } from '../http/idempotency.ts';
import { storeFingerprint } from '../secret-key.ts';

interface Rotation {
  /** Sealed values and checkpoints of the ledger that were sealed again with the first key of SVC_SECRET_KEY. */
  readonly resealed: number;
  /**
   * Values that are still sealed with another key, because a running process has that one as its first key and wrote
   * them during the rotation. The other keys are needed until this is 0.
   */
  readonly remaining: number;
}

interface StoredColumn extends SealedColumn {
  /** The column with the first digest of the value (`Vault.digests`), by which its row is found. */
  readonly digest?: string;
}

/** Every column with sealed values. A test compares the list with the database's columns. */
export const sealedColumns: readonly StoredColumn[] = [
  ...webhookColumns,
  sealedWithId('api_key', 'secret_sealed'),
  sealedWithId('application', 'date_of_birth_sealed'),
  sealedWithId('application', 'ssn_sealed'),
  sealedWithId('decision', 'details_sealed'),
  sealedWithId('mail', 'link_sealed'),
  sealedWithId('payment_method', 'details_sealed'),
  sealedWithId('plan', 'agreement_sealed'),
  sealedWithId('recorded_call', 'input_sealed'),
  sealedWithId('tenant', 'key_sealed'),
  sealedWithId('tenant', 'paydays_sealed'),
  {
    table: 'idempotency_key',
    column: 'body_sealed',
    key: ['partner_id', 'scope', 'key'],
    contextOf: ([, scope = '', key = '']) => answerContext({ scope, key }),
  },
  {
    table: 'operator_password',
    column: 'totp_sealed',
    key: ['operator_id'],
    contextOf: ([id = '']) => id,
  },
  {
    table: 'review',
    column: 'details_sealed',
    key: ['partner_id', 'application_id'],
    contextOf: ([, id = '']) => id,
  },
  {
    table: 'risk_key',
    column: 'key_sealed',
    key: ['partner_id'],
    contextOf: ([partnerId = '']) => partnerId,
  },
  {
    table: 'tenant_document',
    column: 'content_sealed',
    key: ['partner_id', 'tenant_id', 'kind', 'subject_id', 'locale', 'revision'],
    contextOf: ([, , kind = '', id = '', locale = '', revision = '']) =>
      sealContext({ kind, id, locale, revision }),
  },
  {
    table: 'text_consent',
    column: 'number_sealed',
    key: ['partner_id', 'tenant_id', 'id'],
    contextOf: ([, tenantId = '']) => tenantId,
    digest: 'number_hmac',
  },
];

function sealedWithId(table: string, column: string): SealedColumn {
  return { table, column, key: ['partner_id', 'id'], contextOf: ([, id = '']) => id };
}

const batchSize = 200;

/**
 * Seals every stored secret again with the first key of the vault, in short transactions, while the
 * service is running. After an interruption, run it again: it skips what is done. Once no value needs
 * the other keys, the database belongs to the first key alone.
 * @throws Error when a value cannot be opened with any key of the vault
 */
export async function rotateSecret(db: Database, vault: Vault): Promise<Rotation> {
  let resealed = 0;
  for (const column of sealedColumns) resealed += await resealColumn(db, vault, column);
  resealed += await renewCheckpoints(db, vault);
  let remaining = (await checkpointsOfOtherKeys(db, vault)).length;
  for (const column of sealedColumns) remaining += await countOthers(db, vault, column);
  if (remaining === 0) await storeFingerprint(db, vault);
  return { resealed, remaining };
}

const sealedRow = row('sealed value', { key: listOf(text), sealed: bytes });

async function resealColumn(db: Database, vault: Vault, column: StoredColumn): Promise<number> {
  const key = raw(column.key.map((each) => `${each}::text`).join(', '));
  const name = raw(column.column);
  const table = raw(column.table);
  let resealed = 0;
  // Empty texts sort before every key.
  let after: readonly string[] = column.key.map(() => '');
  for (;;) {
    const found = await db.many(
      sealedRow,
      sql`
      /* many rows: a migration by the operator */
      select array[${key}] as key, ${name} as sealed from ${table} /* all partners */
      where ${isSealedByAnother(vault, column)} and (${key}) > (${commaSeparated(after)})
      order by ${key} limit ${batchSize}`,
    );
    const last = found.at(-1);
    if (!last) return resealed;
    after = last.key;
    resealed += await db.transaction(async (tx) => {
      const changed = found.map((each) => {
        const context = column.contextOf(each.key);
        const plain = vault.open(each.sealed, context);
        const sealed = vault.seal(plain, context);
        const digest =
          column.digest === undefined
            ? sql``
            : sql`, ${raw(column.digest)} = ${vault.digests(plain)[0]}`;
        // Another process may have replaced the value since we read it. Its own value stays.
        return tx.run(sql`
          update ${table} set ${name} = ${sealed}${digest}
          where (${key}) = (${commaSeparated(each.key)}) and ${name} = ${each.sealed}`);
      });
      return (await Promise.all(changed)).reduce((sum, count) => sum + count, 0);
    });
  }
}

const countRow = row('count', { count: bigint });

async function countOthers(db: Database, vault: Vault, column: SealedColumn): Promise<number> {
  const { count } = await db.one(
    countRow,
    sql`
    /* many rows: a migration by the operator */
    select count(*) from ${raw(column.table)} /* all partners */
    where ${isSealedByAnother(vault, column)}`,
  );
  return count;
}

function isSealedByAnother({ prefix }: Vault, { column }: SealedColumn) {
  return sql`substring(${raw(column)} from 1 for ${prefix.length}::integer) <> ${prefix}::bytea`;
}

function commaSeparated(values: readonly string[]) {
  return values.map((value) => sql`${value}::text`).reduce((list, value) => sql`${list}, ${value}`);
}
