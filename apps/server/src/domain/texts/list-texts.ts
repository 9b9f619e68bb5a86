import { instant, nullable, type RowOf, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { type InJson, inJson, type Listed, listNewest, mostListed } from '../listed.ts';
import { isGivenUp } from './is-given-up.ts';

const textRow = row('listed text', {
  text_id: text,
  created_at: instant,
  pms: text,
  external_id: text,
  type: text,
  /** When the provider accepted it. */
  sent_at: nullable(instant),
  /** When the next attempt is due; null if there is none. */
  due_at: nullable(instant),
  /** Why the text was not sent, or the last answer of the provider, without the number. */
  failure: nullable(text),
});

/** A text message as the operator sees it: never the number or the words. */
export type TextLine = InJson<RowOf<typeof textRow>>;

/** The text messages of the last 30 days, newest first, of one partner or of all. */
export async function listTexts(
  { tx }: Pick<Ctx, 'tx'>,
  { pms, given_up = false }: { readonly pms?: string; readonly given_up?: boolean },
): Promise<Listed<TextLine>> {
  const rows = await tx.many(
    textRow,
    sql`
    /* many rows: a list for the operator */
    /* all partners, unless the operator names one */
    select m.id as text_id, m.created_at, p.pms,
      (select t.external_id from tenant t
        where t.partner_id = m.partner_id and t.id = m.tenant_id) as external_id,
      m.type, m.sent_at, m.due_at, m.failure
    from text_message m join partner p on p.id = m.partner_id
    where (${pms ?? null}::text is null or p.pms = ${pms ?? null})
      and (${given_up}::boolean is false or ${isGivenUp(sql`m`)})
    order by m.created_at desc, m.id desc limit ${mostListed + 1}`,
  );
  return listNewest(rows.map(inJson));
}
