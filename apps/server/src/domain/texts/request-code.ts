import { randomInt } from 'node:crypto';
import type { TextChangeOutput, TextCodeInput, TextProblem } from '@svc/contract';
import { bigint, nullable, row, sql } from '@svc/db';
import type { Ctx, RequestSteps } from '../../context.ts';
import { newId } from '../../ids.ts';
import { wordsByLocale } from '../../words/words-by-locale.ts';
import type { TenantActor } from '../access/actor.ts';
import { Refusal } from '../refusal.ts';
import { isSimulated } from '../tenants/time.ts';
import { composeText } from './compose-text.ts';
import { isHmacOfNumber } from './is-number.ts';
import { readUsNumber } from './phone-number.ts';
import { endConsent } from './record-texts.ts';
import type { NumberEnd, TextOutcome } from './text-sender.ts';
import { consentsOf, readTexts, requireTexts } from './texts-of-tenant.ts';

/** How long a code is valid, in seconds. */
const codeSeconds = 600;
const codeTries = 5;

// Each text costs money, and carriers pay those who make services send many ("SMS pumping").
const codesPerTenant = 5;
const codesPerNumber = 5;
const dayMs = 86_400_000;

/**
 * Sends a six-digit code to the number, which proves that it is the tenant's. The consent is stored with the
 * code, and counts once the code was entered.
 */
export async function requestCode(
  steps: RequestSteps<TenantActor>,
  input: TextCodeInput,
): Promise<TextChangeOutput> {
  const { sender } = requireTexts(steps);
  const number = readUsNumber(input.number);
  const begun = await steps.step((ctx) => beginConsent(ctx, input, number));
  if ('problem' in begun) return steps.step((ctx) => answer(ctx, begun.problem));
  const { id, body } = begun;
  const outcome: TextOutcome =
    begun.simulated && !sender.takesSimulated
      ? { kind: 'failed', reason: 'simulated tenant' }
      : await sender.send({
          id,
          to: begun.number,
          body,
          validForSeconds: codeSeconds,
          statusUrl: null,
          date: steps.now,
        });
  const end = endOf(outcome);
  if (outcome.kind !== 'accepted') {
    steps.log.warn({ text_id: id, outcome: outcome.kind, reason: outcome.reason }, 'code not sent');
  }
  return steps.step(async (ctx) => {
    if (end === null) return answer(ctx, null);
    const key = { partnerId: ctx.actor.partnerId, id };
    await endConsent(ctx.tx, key, { now: ctx.now, by: end.by });
    return answer(ctx, end.problem);
  });
}

async function answer(
  ctx: Ctx<TenantActor>,
  problem: TextProblem | null,
): Promise<TextChangeOutput> {
  return { texts: await readTexts(ctx), problem };
}

/** Returns why the consent ends at once. Null if it stays: after a timeout, the code may still arrive. */
function endOf(outcome: TextOutcome): { by: NumberEnd; problem: TextProblem } | null {
  if (outcome.kind === 'accepted' || outcome.kind === 'unknown') return null;
  if (outcome.kind === 'refused' && outcome.ends === 'stop')
    return { by: 'stop', problem: 'stopped' };
  if (outcome.kind === 'refused' && outcome.ends === 'undeliverable') {
    return { by: 'undeliverable', problem: 'undeliverable' };
  }
  return { by: 'undeliverable', problem: 'unavailable' };
}

interface Begun {
  readonly id: string;
  readonly number: string;
  readonly body: string;
  readonly simulated: boolean;
}

async function beginConsent(
  ctx: Ctx<TenantActor>,
  { accepted_consent_sha256, locale }: TextCodeInput,
  number: string | null,
): Promise<Begun | { readonly problem: TextProblem }> {
  const { tx, now, service, actor } = ctx;
  const { partnerId, tenantId } = actor;
  const consent = consentsOf(service.creditor).find((it) => it.locale === locale);
  if (consent?.sha256 !== accepted_consent_sha256) {
    const message = 'The text changed after it was read. Read GET /experience/texts again.';
    throw new Refusal('version_conflict', { message });
  }
  if (number === null) return { problem: 'number' };
  const [digest] = service.vault.digests(number);
  const tenant = await lockTenantAndNumber(ctx, digest);
  if (!tenant) throw new Refusal('tenant_not_found');
  const counts = await countCodes(ctx, number);
  const isTooMany =
    counts.ofTenant >= codesPerTenant ||
    counts.ofNumber >= codesPerNumber ||
    counts.ofPartner >= requireTexts(ctx).codesPerDay;
  if (isTooMany) {
    ctx.log.warn({ tenant_id: tenantId, ...counts }, 'too many codes were requested');
    return { problem: 'too_many' };
  }
  // A new code replaces one that was not entered. Texts that are on stay on until the new number is confirmed.
  await tx.run(sql`
    update text_consent set ended_at = ${now}, ended_by = 'replaced', code_hmac = null
    where partner_id = ${partnerId} and tenant_id = ${tenantId}
      and confirmed_at is null and ended_at is null`);
  const id = newId('txc', now);
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  await tx.run(sql`
    insert into text_consent (partner_id, id, tenant_id, number_sealed, number_hmac, consent_text,
      consent_version, locale, code_hmac, code_expires_at, tries_left, requested_at)
    values (${partnerId}, ${id}, ${tenantId}, ${service.vault.seal(number, tenantId)}, ${digest},
      ${consent.text}, ${consent.version}, ${locale}, ${service.vault.digests(codeText(id, code))[0]},
      ${new Date(now.getTime() + codeSeconds * 1_000)}, ${codeTries}, ${now})`);
  return {
    id,
    number,
    body: composeText(service.creditor, wordsByLocale[locale].texts.code(code)),
    simulated: isSimulated(tenant),
  };
}

const tenantRow = row('tenant who requests a code', { clockOffsetMs: nullable(bigint) });

/** Serializes the requests for a number and for a tenant, so that concurrent ones are all counted. */
async function lockTenantAndNumber(
  { tx, actor }: Pick<Ctx<TenantActor>, 'tx' | 'actor'>,
  digest: Buffer,
) {
  await tx.run(sql`
    select pg_advisory_xact_lock(hashtextextended(${`text code ${digest.toString('hex')}`}, 0))`);
  return tx.maybe(
    tenantRow,
    sql`
    select clock_offset_ms from tenant
    where partner_id = ${actor.partnerId} and id = ${actor.tenantId} and erased_at is null
    for update`,
  );
}

const countsRow = row('requested codes', { ofTenant: bigint, ofPartner: bigint });
const numberCountRow = row('codes of a number', { ofNumber: bigint });

/** The codes of the last 24 hours, counted up to each limit. */
async function countCodes(ctx: Ctx<TenantActor>, number: string) {
  const { tx, now, service, actor } = ctx;
  const since = new Date(now.getTime() - dayMs);
  const ofPartner = sql`select id from text_consent
      where partner_id = ${actor.partnerId} and requested_at > ${since}`;
  const counts = await tx.one(
    countsRow,
    sql`
    -- Ordered, so that an index is read until the limit.
    select (select count(*) from (${ofPartner} and tenant_id = ${actor.tenantId}
          order by requested_at desc limit ${codesPerTenant}) c) as of_tenant,
      (select count(*) from (${ofPartner}
          order by requested_at desc limit ${requireTexts(ctx).codesPerDay}) c) as of_partner`,
  );
  const { ofNumber } = await tx.one(
    numberCountRow,
    sql`
    /* all partners */
    select count(*) as of_number from (select id from text_consent
      where ${isHmacOfNumber(service.vault, number)} and requested_at > ${since}
      limit ${codesPerNumber}) c`,
  );
  return { ...counts, ofNumber };
}

/** The text that is hashed for a stored code. Without the consent's id, equal codes would have equal digests. */
export function codeText(consentId: string, code: string): string {
  return `${consentId} ${code}`;
}
