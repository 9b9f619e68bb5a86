import { randomBytes } from 'node:crypto';
import { row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { sha256 } from '../access/secrets.ts';
import { Refusal } from '../refusal.ts';

const count = 10;
// Without 0, 1, l and o, which look like others.
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';

/** Creates ten codes, which replace the earlier ones. They are shown once. */
export async function createRecoveryCodes(
  { tx }: Pick<Ctx, 'tx'>,
  operatorId: string,
): Promise<string[]> {
  await tx.run(sql`delete from operator_recovery_code where operator_id = ${operatorId}`);
  const codes = Array.from({ length: count }, newCode);
  for (const code of codes) {
    await tx.run(sql`
      insert into operator_recovery_code (code_sha256, operator_id)
      values (${hashOf(operatorId, code)}, ${operatorId})`);
  }
  return codes;
}

const operatorRow = row('operator by name', { id: text });

/**
 * Uses up a recovery code, and returns the person's id. Passkeys and the password are lost, so they are
 * removed, and sessions end.
 * @throws Refusal that does not say whether there is such a person
 */
export async function takeRecoveryCode(
  { tx, now }: Pick<Ctx, 'tx' | 'now'>,
  { name, code }: { readonly name: string; readonly code: string },
): Promise<string> {
  const found = await tx.maybe(
    operatorRow,
    sql`
    select id from operator where lower(name) = lower(${name.trim()}) and disabled_at is null`,
  );
  const used = await tx.run(sql`
    update operator_recovery_code set used_at = ${now}
    where code_sha256 = ${hashOf(found?.id ?? '', code)} and used_at is null`);
  if (!found || used !== 1) {
    throw new Refusal('invalid_credentials', {
      message: 'The name or the recovery code is wrong, or the code was used before.',
    });
  }
  await tx.run(sql`delete from operator_passkey where operator_id = ${found.id}`);
  await tx.run(sql`delete from operator_password where operator_id = ${found.id}`);
  await tx.run(sql`
    update operator_session set revoked_at = ${now}
    where operator_id = ${found.id} and revoked_at is null`);
  return found.id;
}

/** Returns a code such as `abcde-fghij`, with 50 random bits. */
function newCode(): string {
  const letters = Array.from(randomBytes(10), (byte) => alphabet.charAt(byte % 32)).join('');
  return `${letters.slice(0, 5)}-${letters.slice(5)}`;
}

function hashOf(operatorId: string, code: string): Buffer {
  return sha256(
    `${operatorId} ${code
      .trim()
      .toLowerCase()
      .replace(/[^a-z0-9]/g, '')}`,
  );
}
