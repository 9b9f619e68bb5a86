import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { bigint, bytes, type Queryable, row, sql, text } from '@svc/db';
import { Secret, TOTP } from 'otpauth';
import type { Ctx } from '../../context.ts';
import { Refusal } from '../refusal.ts';

type Parts = Pick<Ctx, 'tx' | 'now' | 'service'>;

const derive = promisify<
  string,
  Buffer,
  number,
  { N: number; r: number; p: number; maxmem: number },
  Buffer
>(scrypt);
// OWASP's parameters for 32 MiB: 100 to 200 ms of one of libuv's four threads.
const cost = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 };
const periodSeconds = 30;

/** Creates the secret of an authenticator app. It is stored when the person has sent its first code. */
export function newTotpSecret(name: string): { secret: string; uri: string } {
  const secret = new Secret({ size: 20 });
  return { secret: secret.base32, uri: totpOf(secret.base32, name).toString() };
}

interface HashedPassword {
  readonly salt: Buffer;
  readonly scrypt: Buffer;
}

/** Takes 0.2 s, so it is called outside of a transaction. */
export async function hashPassword(password: string): Promise<HashedPassword> {
  const salt = randomBytes(16);
  return { salt, scrypt: await hashOf(password, salt) };
}

interface NewPassword {
  readonly operatorId: string;
  readonly hashed: HashedPassword;
  readonly secret: string;
  readonly code: string;
}

/** Stores a password with its authenticator app, and replaces earlier ones. @throws Refusal for a wrong code */
export async function enrollPassword(
  { tx, now, service }: Parts,
  { operatorId, hashed: { salt, scrypt: hash }, secret, code }: NewPassword,
): Promise<void> {
  const step = stepOf(secret, code, now);
  if (step === undefined) {
    throw new Refusal('validation_failed', {
      message: 'The code is not the one that the app shows now. Check the clock of the phone.',
      param: 'code',
    });
  }
  const sealed = service.vault.seal(secret, operatorId);
  await tx.run(sql`
    insert into operator_password (operator_id, salt, scrypt, totp_sealed, totp_step, created_at)
    values (${operatorId}, ${salt}, ${hash}, ${sealed}, ${step}, ${now})
    on conflict (operator_id) do update set salt = excluded.salt, scrypt = excluded.scrypt,
      totp_sealed = excluded.totp_sealed, totp_step = excluded.totp_step,
      created_at = excluded.created_at`);
}

const passwordRow = row('password', { operatorId: text, salt: bytes, scrypt: bytes });

/** A verified password: its owner, and its hash as it is stored. */
export interface CheckedPassword {
  readonly operatorId: string;
  readonly scrypt: Buffer;
}

/**
 * Checks a password, which takes 0.2 s, so it is called outside of a transaction. `useCode` must follow.
 * @throws Refusal that does not say whether there is such a person
 */
export async function checkPassword(
  q: Queryable,
  { name, password }: { readonly name: string; readonly password: string },
): Promise<CheckedPassword> {
  const stored = await q.maybe(
    passwordRow,
    sql`
    select p.operator_id, p.salt, p.scrypt
    from operator o join operator_password p on p.operator_id = o.id
    where lower(o.name) = lower(${name.trim()}) and o.disabled_at is null`,
  );
  // An unknown name takes as long as a known one.
  const hash = await hashOf(password, stored?.salt ?? Buffer.alloc(16));
  if (!stored || !timingSafeEqual(hash, stored.scrypt)) throw wrongCredentials();
  return stored;
}

const totpRow = row('authenticator app', { totpSealed: bytes, totpStep: bigint });

/**
 * Uses up the code of the app that belongs to a checked password.
 * @throws Refusal that does not say whether the password was wrong
 */
export async function useCode(
  { tx, now, service }: Parts,
  { operatorId, scrypt: hash }: CheckedPassword,
  code: string,
): Promise<void> {
  const stored = await tx.maybe(
    totpRow,
    sql`
    select p.totp_sealed, p.totp_step
    from operator o join operator_password p on p.operator_id = o.id
    where o.id = ${operatorId} and o.disabled_at is null and p.scrypt = ${hash}
    for update of p`,
  );
  // Since the check, the password was replaced or the person's access has ended.
  if (!stored) throw wrongCredentials();
  const step = stepOf(service.vault.open(stored.totpSealed, operatorId), code, now);
  if (step === undefined || step <= stored.totpStep) throw wrongCredentials();
  await tx.run(sql`
    update operator_password set totp_step = ${step} where operator_id = ${operatorId}`);
}

function wrongCredentials(): Refusal {
  return new Refusal('invalid_credentials', {
    message: 'The name, the password or the code is wrong, or the code was used before.',
  });
}

function hashOf(password: string, salt: Buffer): Promise<Buffer> {
  return derive(password.normalize('NFKC'), salt, 32, cost);
}

function totpOf(secret: string, label: string): TOTP {
  return new TOTP({
    issuer: 'Svc operator',
    label,
    secret: Secret.fromBase32(secret),
    period: periodSeconds,
  });
}

/**
 * Returns the number of the 30-second step that the code belongs to: the current one, or the one before or after.
 * Undefined for a wrong code.
 */
function stepOf(secret: string, code: string, now: Date): number | undefined {
  const delta = totpOf(secret, '').validate({ token: code, timestamp: now.getTime(), window: 1 });
  return delta === null ? undefined : Math.floor(now.getTime() / (periodSeconds * 1_000)) + delta;
}
