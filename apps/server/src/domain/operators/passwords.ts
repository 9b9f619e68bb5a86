import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { bigint, bytes, row, sql, text } from '@svc/db';
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

/** Makes the secret of an authenticator app. It is stored when its first code has come back. */
export function newTotpSecret(name: string): { secret: string; uri: string } {
  const secret = new Secret({ size: 20 });
  return { secret: secret.base32, uri: totpOf(secret.base32, name).toString() };
}

interface NewPassword {
  readonly operatorId: string;
  readonly password: string;
  readonly secret: string;
  readonly code: string;
}

/** Stores a password with the authenticator app, in place of those before. @throws Refusal for a wrong code */
export async function enrollPassword(
  { tx, now, service }: Parts,
  { operatorId, password, secret, code }: NewPassword,
): Promise<void> {
  const step = stepOf(secret, code, now);
  if (step === undefined) {
    throw new Refusal('validation_failed', {
      message: 'The code is not the one that the app shows now. Check the clock of the phone.',
      param: 'code',
    });
  }
  const salt = randomBytes(16);
  const sealed = service.vault.seal(secret, operatorId);
  await tx.run(sql`
    insert into operator_password (operator_id, salt, scrypt, totp_sealed, totp_step, created_at)
    values (${operatorId}, ${salt}, ${await hashOf(password, salt)}, ${sealed}, ${step}, ${now})
    on conflict (operator_id) do update set salt = excluded.salt, scrypt = excluded.scrypt,
      totp_sealed = excluded.totp_sealed, totp_step = excluded.totp_step,
      created_at = excluded.created_at`);
}

const passwordRow = row('password', {
  operatorId: text,
  salt: bytes,
  scrypt: bytes,
  totpSealed: bytes,
  totpStep: bigint,
});

/**
 * Verifies a password together with the code of the app, and returns the person's id.
 * @throws Refusal that says neither which of them is wrong nor whether there is such a person
 */
export async function verifyPassword(
  { tx, now, service }: Parts,
  {
    name,
    password,
    code,
  }: { readonly name: string; readonly password: string; readonly code: string },
): Promise<string> {
  const stored = await tx.maybe(
    passwordRow,
    sql`
    select p.operator_id, p.salt, p.scrypt, p.totp_sealed, p.totp_step
    from operator o join operator_password p on p.operator_id = o.id
    where lower(o.name) = lower(${name.trim()}) and o.disabled_at is null
    for update of p`,
  );
  // An unknown name takes as long as a known one.
  const hash = await hashOf(password, stored?.salt ?? Buffer.alloc(16));
  if (!stored || !timingSafeEqual(hash, stored.scrypt)) throw wrong();
  const step = stepOf(service.vault.open(stored.totpSealed, stored.operatorId), code, now);
  if (step === undefined || step <= stored.totpStep) throw wrong();
  await tx.run(sql`
    update operator_password set totp_step = ${step} where operator_id = ${stored.operatorId}`);
  return stored.operatorId;
}

function wrong(): Refusal {
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

/** The number of the 30 seconds that the code belongs to: those of now, or one before or after. */
function stepOf(secret: string, code: string, now: Date): number | undefined {
  const delta = totpOf(secret, '').validate({ token: code, timestamp: now.getTime(), window: 1 });
  return delta === null ? undefined : Math.floor(now.getTime() / (periodSeconds * 1_000)) + delta;
}
