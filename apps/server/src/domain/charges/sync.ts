import type { ChargeInput } from '@svc/contract';
import { bigint, date, integer, nullable, raw, recordset, row, type Sql, sql, text } from '@svc/db';
import type { Charge } from './rent-cycle.ts';

export function toCharges(inputs: readonly ChargeInput[], variant: 'rent' | 'hoa'): Charge[] {
  return inputs.map((it) => ({
    id: it.id,
    type: it.type ?? (variant === 'hoa' ? 'hoa_dues' : 'rent'),
    description: it.description ?? null,
    dueDate: it.due_date,
    amountInCents: it.amount_in_cents,
    amountPaidInCents: it.amount_paid_in_cents,
  }));
}

const givenRow = row('given charge', {
  id: text,
  type: text,
  description: nullable(text),
  dueDate: date,
  amountInCents: bigint,
  amountPaidInCents: bigint,
  position: integer,
});

/**
 * Parts of a `with` list that make the stored charges equal to these: the full list replaces
 * the earlier one, unchanged rows are not written. `saved(id)` must be a part before them.
 */
export function replaceCharges(charges: readonly Charge[], { removes }: { removes: boolean }): Sql {
  const rows = charges.map((it, position) => ({ ...it, position }));
  return sql`
    given as materialized (
      select * from ${recordset(givenRow, rows, 'g')}
    ), ${removes ? goneCharges : raw('')} kept as (
      insert into charge as c (tenant_id, id, position, type, description, due_date,
        amount_in_cents, amount_paid_in_cents)
      select saved.id, g.id, g."position", g.type, g.description, g."dueDate",
        g."amountInCents", g."amountPaidInCents" from given g, saved
      on conflict (tenant_id, id) do update set position = excluded.position,
        type = excluded.type, description = excluded.description, due_date = excluded.due_date,
        amount_in_cents = excluded.amount_in_cents,
        amount_paid_in_cents = excluded.amount_paid_in_cents
      where (c.position, c.type, c.description, c.due_date, c.amount_in_cents,
          c.amount_paid_in_cents) is distinct from
        (excluded.position, excluded.type, excluded.description, excluded.due_date,
          excluded.amount_in_cents, excluded.amount_paid_in_cents)
    )`;
}

const goneCharges = sql`gone as (
      delete from charge c using saved
      where c.tenant_id = saved.id and not exists (select from given g where g.id = c.id)
    ),`;
