import { defaultLocale, localeOf } from '@svc/contract';
import { boolean, row, sql, text } from '@svc/db';
import type { UnitOfWork } from '../../context.ts';
import { newId } from '../../ids.ts';
import { wordsByLocale } from '../../words/words-by-locale.ts';
import { composeText } from './compose-text.ts';
import { isHmacOfNumber } from './is-number.ts';
import { type ReplyMeaning, readReply } from './read-reply.ts';
import type { TextReply } from './text-sender.ts';

interface Received {
  readonly meaning: ReplyMeaning | null;
  /** The text to answer with. */
  readonly answer: string | null;
}

/**
 * Does what a received text asks for, once even if the provider repeats it. A stop applies to the number, so it
 * ends the texts of every tenant who gave it.
 */
export async function receiveText(
  uow: Pick<UnitOfWork, 'tx' | 'now' | 'service'>,
  reply: TextReply,
): Promise<Received> {
  const { tx, now, service } = uow;
  const isNew = await tx.run(sql`
    insert into text_inbound (id, received_at) values (${reply.id}, ${now}) on conflict do nothing`);
  const meaning = isNew === 1 ? readReply(reply.text) : null;
  if (meaning === null) return { meaning, answer: null };
  const { creditor } = service;
  const locale = await localeOfNumber(uow, reply.from);
  const words = wordsByLocale[locale ?? defaultLocale].texts;
  const isChanged = meaning === 'help' || (await stopOrRestart(uow, meaning, reply.from));
  if (!isChanged || reply.isAnswered) return { meaning, answer: null };
  const replyText = {
    stop: words.stopped,
    start: words.started,
    help: words.help(creditor.supportEmail),
  }[meaning];
  return { meaning, answer: composeText(creditor, replyText) };
}

function stopOrRestart(
  uow: Pick<UnitOfWork, 'tx' | 'now' | 'service'>,
  meaning: 'stop' | 'start',
  number: string,
): Promise<boolean> {
  return meaning === 'stop' ? stopNumber(uow, number) : restartNumber(uow, number);
}

const localeRow = row('language of a number', { locale: text });

async function localeOfNumber({ tx, service }: Pick<UnitOfWork, 'tx' | 'service'>, number: string) {
  const found = await tx.maybe(
    localeRow,
    sql`
    /* all partners */
    select locale from text_consent where ${isHmacOfNumber(service.vault, number)}
    order by requested_at desc limit 1`,
  );
  return found && localeOf(found.locale);
}

/** Ends every consent of the number, including one that waits for its code. Returns whether there was one. */
async function stopNumber(
  { tx, now, service }: Pick<UnitOfWork, 'tx' | 'now' | 'service'>,
  number: string,
): Promise<boolean> {
  const ended = await tx.run(sql`
    /* all partners */
    update text_consent set ended_at = ${now}, ended_by = 'stop', code_hmac = null
    where ${isHmacOfNumber(service.vault, number)} and ended_at is null`);
  return ended > 0;
}

const stoppedRow = row('stopped consent', { partnerId: text, id: text, isLatest: boolean });

/**
 * Starts texts again for tenants who had confirmed this number, stopped texts by a reply, and have done nothing
 * about texts since. The earlier consent and its end stay stored. Returns whether there was one.
 */
async function restartNumber(
  { tx, now, service }: Pick<UnitOfWork, 'tx' | 'now' | 'service'>,
  number: string,
): Promise<boolean> {
  const stopped = await tx.many(
    stoppedRow,
    sql`
    /* all partners */
    select c.partner_id, c.id, not exists (
        select from text_consent o where o.partner_id = c.partner_id and o.tenant_id = c.tenant_id
          and (o.requested_at, o.id) > (c.requested_at, c.id)) as is_latest
    from text_consent c
    where ${isHmacOfNumber(service.vault, number)} and c.ended_by = 'stop' and c.confirmed_at is not null`,
  );
  const latest = stopped.filter(({ isLatest }) => isLatest);
  for (const { partnerId, id } of latest) {
    await tx.run(sql`
      insert into text_consent (partner_id, id, tenant_id, number_sealed, number_hmac, consent_text,
        consent_version, locale, code_expires_at, tries_left, requested_at, confirmed_at)
      select partner_id, ${newId('txc', now)}, tenant_id, number_sealed, number_hmac, consent_text,
        consent_version, locale, code_expires_at, 0, ${now}::timestamptz, ${now}::timestamptz
      from text_consent where partner_id = ${partnerId} and id = ${id}`);
  }
  return latest.length > 0;
}
