import { instant, listOf, oneOf, type Queryable, type RowOf, row, sql, text } from '@svc/db';
import { firstIdAt } from '../../ids.ts';
import { type Listed, listNewest, mostListed } from '../listed.ts';
import { flagReasons } from './flag-application.ts';

const flagRow = row('flagged application', {
  application_id: text,
  pms: text,
  external_id: text,
  reasons: listOf(oneOf(...flagReasons)),
  state: text,
  found_at: instant,
});
type Flag = Omit<RowOf<typeof flagRow>, 'found_at'> & { readonly found_at: string };

/** Flagged applications, those in review first, then the newest. */
export async function listFlags(q: Queryable, pms: string | undefined): Promise<Listed<Flag>> {
  const rows = await q.many(
    flagRow,
    sql`
    /* many rows: all flags, which are few */
    /* all partners, unless one is named */
    select f.application_id, p.pms, t.external_id, f.reasons, a.state, f.found_at
    from application_flag f
      join application a on a.partner_id = f.partner_id and a.id = f.application_id
      join tenant t on t.partner_id = f.partner_id and t.id = f.tenant_id
      join partner p on p.id = f.partner_id
    where ${pms === undefined ? sql`true` : sql`p.pms = ${pms}`}
    order by a.state <> 'in_review', f.application_id desc limit ${mostListed + 1}`,
  );
  const { items, has_more } = listNewest(rows);
  return { items: items.map((it) => ({ ...it, found_at: it.found_at.toISOString() })), has_more };
}

const firstRow = row('returned first payment', {
  payment_id: text,
  pms: text,
  external_id: text,
  return_code: text,
  began_at: instant,
});
type FirstPayment = Omit<RowOf<typeof firstRow>, 'began_at'> & { readonly began_at: string };

/** Lists first payments by bank account that began at or after `since` and that a bank returned, newest first. */
export async function listReturnedFirst(
  q: Queryable,
  { pms, since }: { readonly pms: string | undefined; readonly since: Date },
): Promise<Listed<FirstPayment>> {
  const rows = await q.many(
    firstRow,
    sql`
    /* many rows: every debit of the time */
    /* all partners, unless one is named */
    select y.id as payment_id, p.pms, t.external_id, y.return_code, c.created_at as began_at
    from partner p join processor_call c on c.partner_id = p.id and c.kind = 'charge'
        and c.key >= ${firstIdAt('pay', since)} and c.occasion = 'first'
      join payment y on y.partner_id = c.partner_id and y.id = c.key
      join payment_method m on m.partner_id = c.partner_id and m.id = c.payment_method_id
        and m.type = 'bank_account'
      join tenant t on t.partner_id = c.partner_id and t.id = c.tenant_id
    where ${pms === undefined ? sql`true` : sql`p.pms = ${pms}`}
      and y.outcome in ('failed', 'returned') and y.return_code ~ '^R[0-9][0-9]$'
    order by c.key desc limit ${mostListed + 1}`,
  );
  const { items, has_more } = listNewest(rows);
  return { items: items.map((it) => ({ ...it, began_at: it.began_at.toISOString() })), has_more };
}
