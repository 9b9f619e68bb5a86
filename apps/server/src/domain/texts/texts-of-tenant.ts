import { locales, type TextChangeOutput, type TextsOutput } from '@svc/contract';
import { bytes, instant, integer, json, nullable, oneOf, type RowOf, row, sql } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { wordsByLocale } from '../../words/words-by-locale.ts';
import type { TenantActor } from '../access/actor.ts';
import { sha256 } from '../access/secrets.ts';
import { Refusal } from '../refusal.ts';
import { openPersonal, storedPersonal, storedPersonalSchema } from '../tenants/personal-data.ts';
import { maskNumber, readUsNumber } from './phone-number.ts';
import type { Texts } from './text-sender.ts';

/** The version of the consent text, stored with each consent. Increment it with each change of the words. */
export const textConsentVersion = '1';

const consentRow = row('latest text consent', {
  personal: json(storedPersonalSchema),
  numberSealed: nullable(bytes),
  triesLeft: nullable(integer),
  codeExpiresAt: nullable(instant),
  confirmedAt: nullable(instant),
  endedAt: nullable(instant),
  endedBy: nullable(oneOf('tenant', 'stop', 'replaced', 'undeliverable')),
});

type TenantCtx = Pick<Ctx<TenantActor>, 'tx' | 'now' | 'service' | 'actor'>;

/** The tenant's texts and the words to agree to. A session from a mail's link sees no number. */
export async function readTexts(ctx: TenantCtx): Promise<TextsOutput> {
  requireTexts(ctx);
  const { tx, actor, service } = ctx;
  const found = await tx.one(
    consentRow,
    sql`
    select ${storedPersonal} as personal, c.number_sealed, c.tries_left, c.code_expires_at,
      c.confirmed_at, c.ended_at, c.ended_by
    from tenant t left join lateral (
      select * from text_consent where partner_id = ${actor.partnerId} and tenant_id = ${actor.tenantId}
      order by confirmed_at is not null and ended_at is null desc, requested_at desc, id desc limit 1
    ) c on true
    where t.partner_id = ${actor.partnerId} and t.id = ${actor.tenantId}`,
  );
  const state = stateOf(found, ctx.now);
  const mayRead = actor.access === 'full';
  const number =
    state === 'off' || !mayRead || found.numberSealed === null
      ? null
      : maskNumber(service.vault.open(found.numberSealed, actor.tenantId));
  const person = mayRead ? openPersonal(service.vault, actor.tenantId, found.personal) : null;
  const reported = readUsNumber(person?.phoneNumber ?? '');
  return { state, number, reported_number: reported, consents: consentsOf(service.creditor) };
}

function stateOf(
  { numberSealed, triesLeft, codeExpiresAt, confirmedAt, endedAt, endedBy }: ConsentFacts,
  now: Date,
): TextsOutput['state'] {
  if (numberSealed === null) return 'off';
  if (confirmedAt === null) {
    const isOpen = endedAt === null && triesLeft !== 0 && (codeExpiresAt ?? now) > now;
    return isOpen ? 'code_sent' : 'off';
  }
  if (endedAt === null) return 'on';
  if (endedBy === 'stop') return 'stopped';
  return endedBy === 'undeliverable' ? 'undeliverable' : 'off';
}

type ConsentFacts = Pick<
  RowOf<typeof consentRow>,
  'numberSealed' | 'triesLeft' | 'codeExpiresAt' | 'confirmedAt' | 'endedAt' | 'endedBy'
>;

/** The words to agree to, in each language. */
export function consentsOf({
  name,
  supportEmail,
}: Ctx['service']['creditor']): TextsOutput['consents'] {
  return locales.map((locale) => {
    const words = wordsByLocale[locale].texts.consent({ lender: name, email: supportEmail });
    return {
      locale,
      version: textConsentVersion,
      sha256: sha256(words).toString('hex'),
      text: words,
    };
  });
}

/** Turns texts off, and ends a number that waits for its code. */
export async function stopTexts(ctx: TenantCtx): Promise<TextChangeOutput> {
  requireTexts(ctx);
  await endTextsOf(ctx, 'tenant');
  return { texts: await readTexts(ctx), problem: null };
}

/** Ends the tenant's consents: for the number that gets texts, and for any that waits for its code. */
export async function endTextsOf(
  { tx, now, actor }: Pick<TenantCtx, 'tx' | 'now' | 'actor'>,
  by: 'tenant' | 'replaced',
): Promise<void> {
  await tx.run(sql`
    update text_consent set ended_at = ${now}, ended_by = ${by}, code_hmac = null
    where partner_id = ${actor.partnerId} and tenant_id = ${actor.tenantId} and ended_at is null`);
}

/** @throws Refusal `not_found` where no texts are sent */
export function requireTexts({ service }: Pick<Ctx, 'service'>): Texts {
  if (!service.texts) {
    throw new Refusal('not_found', { message: 'This service sends no text messages.' });
  }
  return service.texts;
}
