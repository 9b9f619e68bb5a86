import { createHmac, timingSafeEqual } from 'node:crypto';
import { type ExperienceResult, experienceResult } from '@svc/contract';
import { bytes, instant, nullable, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { newId } from '../../ids.ts';
import { Refusal } from '../refusal.ts';
import type { PartnerActor, TenantActor } from './actor.ts';

const resultSeconds = 600;

const sessionRow = row('hosted session', {
  linkId: text,
  openedAt: instant,
  returnUrl: nullable(text),
  keyId: text,
  secretSealed: bytes,
});
export type HostedSession = Awaited<ReturnType<typeof findHostedSession>>;

/** Finds the link that the session began with. Undefined if it began in the widget or with a mail's link. */
export async function findHostedSession({ tx, actor }: Pick<Ctx<TenantActor>, 'tx' | 'actor'>) {
  return tx.maybe(
    sessionRow,
    sql`
    select h.id as link_id, h.opened_at, h.return_url, k.id as key_id, k.secret_sealed
    from experience_session s
      join hosted_link h on h.secret_sha256 = s.token_sha256 and h.partner_id = s.partner_id
      join api_key k on k.partner_id = h.partner_id and k.id = h.key_id
    where s.partner_id = ${actor.partnerId} and s.id = ${actor.sessionId}`,
  );
}

/**
 * Signs the outcome that a tenant brings back to the portal. Returns the facts as base64url, a period, and their
 * HMAC-SHA256 with the API key that requested the link. Backends verify it, or pass it to
 * `POST /experience_results`, which accepts each one once.
 */
export async function signResult(
  { tx, now, service, actor }: Ctx<TenantActor>,
  session: NonNullable<HostedSession>,
  outcome: Pick<ExperienceResult, 'external_id' | 'reason' | 'last_step' | 'plan_id'>,
): Promise<string> {
  const id = newId('res', now);
  await tx.run(sql`
    update hosted_link set result_id = ${id}, result_used_at = null
    where partner_id = ${actor.partnerId} and id = ${session.linkId}`);
  const facts: ExperienceResult = {
    id,
    ...outcome,
    expires_at: new Date(now.getTime() + resultSeconds * 1000).toISOString(),
  };
  const payload = Buffer.from(JSON.stringify(facts)).toString('base64url');
  return `${payload}.${signatureOf(payload, service.vault.open(session.secretSealed, session.keyId))}`;
}

const resultRow = row('result of a hosted page', {
  linkId: text,
  usedAt: nullable(instant),
  keyId: text,
  secretSealed: bytes,
});

/**
 * Verifies a result and marks it as used, because each works once.
 * @throws Refusal `result_invalid` or `result_used`
 */
export async function useResult(
  { tx, now, service, actor }: Ctx<PartnerActor>,
  { result }: { readonly result: string },
): Promise<ExperienceResult> {
  const [payload = '', signature = ''] = result.split('.');
  const facts = readFacts(payload);
  const found =
    facts &&
    (await tx.maybe(
      resultRow,
      sql`
      select h.id as link_id, h.result_used_at as used_at, k.id as key_id, k.secret_sealed
      from hosted_link h join api_key k on k.partner_id = h.partner_id and k.id = h.key_id
      where h.partner_id = ${actor.partnerId} and h.result_id = ${facts.id} for update of h`,
    ));
  if (!facts || !found) throw new Refusal('result_invalid');
  const expected = signatureOf(payload, service.vault.open(found.secretSealed, found.keyId));
  const isSigned =
    /^[0-9a-f]{64}$/.test(signature) &&
    timingSafeEqual(Buffer.from(signature), Buffer.from(expected));
  if (!isSigned || new Date(facts.expires_at) <= now) throw new Refusal('result_invalid');
  if (found.usedAt !== null) throw new Refusal('result_used');
  await tx.run(sql`
    update hosted_link set result_used_at = ${now}
    where partner_id = ${actor.partnerId} and id = ${found.linkId}`);
  return facts;
}

function readFacts(payload: string): ExperienceResult | undefined {
  try {
    return experienceResult.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()));
  } catch {
    return undefined;
  }
}

function signatureOf(payload: string, apiKey: string): string {
  return createHmac('sha256', apiKey).update(payload).digest('hex');
}
