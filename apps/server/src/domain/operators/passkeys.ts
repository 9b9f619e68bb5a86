import { randomBytes } from 'node:crypto';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { bigint, bytes, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { sha256 } from '../access/secrets.ts';
import { Refusal } from '../refusal.ts';

const challengeMinutes = 5;

/** Loads the library on first use, because it and its certificate parsers take 5 MB of memory. */
const loadWebAuthn = () => import('@simplewebauthn/server');

type Parts = Pick<Ctx, 'tx' | 'now' | 'service'>;

/** Returns what the browser needs to make a passkey for this person. */
export async function passkeyToEnroll(
  ctx: Parts,
  { operatorId, name }: { readonly operatorId: string; readonly name: string },
): Promise<object> {
  const { generateRegistrationOptions } = await loadWebAuthn();
  const existing = await passkeysOf(ctx, operatorId);
  return generateRegistrationOptions({
    rpName: 'Svc operator',
    rpID: siteOf(ctx).rpId,
    userName: name,
    userID: new TextEncoder().encode(operatorId),
    challenge: await createChallenge(ctx, operatorId),
    attestationType: 'none',
    excludeCredentials: existing.map(({ id }) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/** Stores the passkey that the browser has made. @throws Refusal */
export async function enrollPasskey(
  ctx: Parts,
  { operatorId, response }: { readonly operatorId: string; readonly response: object },
): Promise<void> {
  const { verifyRegistrationResponse } = await loadWebAuthn();
  const given = response as RegistrationResponseJSON;
  const challenge = await takeChallenge(ctx, given, operatorId);
  const { origin, rpId } = siteOf(ctx);
  const verified = await verifyRegistrationResponse({
    response: given,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: true,
  }).catch(() => undefined);
  if (!verified?.verified) throw unverified();
  const { id, publicKey, counter } = verified.registrationInfo.credential;
  await ctx.tx.run(sql`
    insert into operator_passkey (id, operator_id, public_key, counter, created_at)
    values (${id}, ${operatorId}, ${Buffer.from(publicKey)}, ${counter}, ${ctx.now})`);
}

/** Returns what the browser needs to prove a passkey: one of this person, or any one to sign in. */
export async function passkeyToProve(ctx: Parts, operatorId?: string): Promise<object> {
  const { generateAuthenticationOptions } = await loadWebAuthn();
  const allowed = operatorId === undefined ? [] : await passkeysOf(ctx, operatorId);
  return generateAuthenticationOptions({
    rpID: siteOf(ctx).rpId,
    challenge: await createChallenge(ctx, operatorId),
    allowCredentials: allowed.map(({ id }) => ({ id })),
    userVerification: 'required',
  });
}

const passkeyRow = row('passkey', { operatorId: text, publicKey: bytes, counter: bigint });

/**
 * Verifies a passkey's response and returns its owner's id.
 * @throws Refusal also if it is not one of `operatorId`
 */
export async function verifyPasskey(
  ctx: Parts,
  { response, operatorId }: { readonly response: object; readonly operatorId?: string },
): Promise<string> {
  const { verifyAuthenticationResponse } = await loadWebAuthn();
  const given = response as AuthenticationResponseJSON;
  const challenge = await takeChallenge(ctx, given, operatorId);
  const passkey = await ctx.tx.maybe(
    passkeyRow,
    sql`
    select operator_id, public_key, counter from operator_passkey where id = ${given.id} for update`,
  );
  if (!passkey || (operatorId !== undefined && passkey.operatorId !== operatorId)) {
    throw unverified();
  }
  const { origin, rpId } = siteOf(ctx);
  const verified = await verifyAuthenticationResponse({
    response: given,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    credential: {
      id: given.id,
      publicKey: new Uint8Array(passkey.publicKey),
      counter: passkey.counter,
    },
    requireUserVerification: true,
  }).catch(() => undefined);
  if (!verified?.verified) throw unverified();
  await ctx.tx.run(sql`
    update operator_passkey
    set counter = ${verified.authenticationInfo.newCounter}, last_used_at = ${ctx.now}
    where id = ${given.id}`);
  return passkey.operatorId;
}

const idRow = row('passkey of an operator', { id: text });

function passkeysOf({ tx }: Pick<Ctx, 'tx'>, operatorId: string) {
  return tx.many(idRow, sql`select id from operator_passkey where operator_id = ${operatorId}`);
}

async function createChallenge({ tx, now }: Parts, operatorId?: string) {
  const challenge = randomBytes(32);
  const expiresAt = new Date(now.getTime() + challengeMinutes * 60_000);
  await tx.run(sql`
    insert into operator_challenge (challenge_sha256, operator_id, expires_at)
    values (${sha256(challenge.toString('base64url'))}, ${operatorId ?? null}::text, ${expiresAt})`);
  return new Uint8Array(challenge);
}

/** Uses up the challenge that the browser has signed. @throws Refusal if it is unknown, used or old */
async function takeChallenge(
  { tx, now }: Parts,
  { response: { clientDataJSON } }: { readonly response: { readonly clientDataJSON: string } },
  operatorId?: string,
): Promise<string> {
  const challenge = challengeIn(clientDataJSON);
  const taken = await tx.run(sql`
    delete from operator_challenge
    where challenge_sha256 = ${sha256(challenge)} and expires_at > ${now}
      and operator_id is not distinct from ${operatorId ?? null}::text`);
  if (taken === 1) return challenge;
  throw new Refusal('token_invalid', {
    message: 'This took longer than 5 minutes, or was answered before. Start again.',
  });
}

function challengeIn(clientDataJSON: string): string {
  try {
    const data = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8')) as {
      challenge?: unknown;
    };
    return String(data.challenge);
  } catch {
    throw unverified();
  }
}

/** The site that passkeys belong to: the host of the console's origin. */
function siteOf({ service: { operatorOrigin } }: Parts): { origin: string; rpId: string } {
  if (operatorOrigin === null) throw new Error('There is no console to sign in to.');
  return { origin: operatorOrigin, rpId: new URL(operatorOrigin).hostname };
}

function unverified(): Refusal {
  return new Refusal('invalid_credentials', {
    message: 'The passkey could not be verified. Try again, or use another way to sign in.',
  });
}
