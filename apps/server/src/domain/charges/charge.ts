import type { ChargeInput, ChargeOutput, ProductVariant } from '@svc/contract';
import {
  bigint,
  date,
  integer,
  nullable,
  raw,
  recordset,
  row,
  type Sql,
  sql,
  type Tx,
  text,
} from '@svc/db';
import { z } from 'zod';
import type { TenantKey } from '../tenant-key.ts';

/** A charge as it is stored. Everything that names its fields or columns is in this file. */
export type Charge = Readonly<z.infer<typeof chargeSchema>>;

/** One element of `aggregatedCharges`. */
export const chargeSchema = z.object({
  id: z.string(),
  type: z.string(),
  description: z.string().nullable(),
  dueDate: z.string(),
  amountInCents: z.int(),
  amountPaidInCents: z.int(),
});

export function isUnpaid(charge: Charge): boolean {
  return charge.amountInCents > charge.amountPaidInCents;
}

/** Converts a charge as the portal sends it. Without a type, it is the product's main charge. */
export function toCharge(input: ChargeInput, variant: ProductVariant): Charge {
  return {
    id: input.id,
    type: input.type ?? (variant === 'hoa' ? 'hoa_dues' : 'rent'),
    description: input.description ?? null,
    dueDate: input.due_date,
    amountInCents: input.amount_in_cents,
    amountPaidInCents: input.amount_paid_in_cents,
  };
}

/**
 * Returns the charge as the payer of this variant owes it. An association charges no rent: a charge has that type
 * because portal_info left out both type and variant, which then only the widget names.
 */
export function ofVariant(charge: Charge, variant: ProductVariant): Charge {
  return variant === 'hoa' && charge.type === 'rent' ? { ...charge, type: 'hoa_dues' } : charge;
}

export function viewCharge(charge: Charge): ChargeOutput {
  return {
    id: charge.id,
    type: charge.type,
    description: charge.description,
    due_date: charge.dueDate,
    amount_in_cents: charge.amountInCents,
    amount_paid_in_cents: charge.amountPaidInCents,
  };
}

/** Aggregates rows `c` of `charge` to a JSON array of `Charge`, in the portal's order. */
export const aggregatedCharges = sql`coalesce(json_agg(json_build_object(
    'id', c.id, 'type', c.type, 'description', c.description, 'dueDate', c.due_date,
    'amountInCents', c.amount_in_cents, 'amountPaidInCents', c.amount_paid_in_cents)
    order by c.position), '[]')`;

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
 * Parts of a `with` list that replace a tenant's charges by these. Rows that stay the same are not
 * written. An earlier part must be `saved(partner_id, id)`, the tenant.
 */
export function replaceCharges(
  partnerId: string,
  charges: readonly Charge[],
  { removes }: { removes: boolean },
): Sql {
  return sql`
    given as materialized (
      select * from ${givenCharges(charges)}
    ), ${removes ? goneCharges(partnerId) : raw('')} kept as (
      ${keepCharges(sql`saved.partner_id, saved.id`, sql`given g, saved`)}
    )`;
}

/**
 * Does the same as `replaceCharges` in separate statements. On a cluster, a part that writes what
 * another part has read needs every server.
 */
export async function replaceChargesAlone(
  tx: Tx,
  { partnerId, tenantId }: TenantKey,
  charges: readonly Charge[],
): Promise<void> {
  const ids = charges.map(({ id }) => id);
  await Promise.all([
    tx.run(sql`
      delete from charge where partner_id = ${partnerId} and tenant_id = ${tenantId}
        and id <> all(${ids}::text[])`),
    tx.run(keepCharges(sql`${partnerId}, ${tenantId}`, givenCharges(charges))),
  ]);
}

const goneCharges = (partnerId: string) => sql`gone as (
      delete from charge c using saved
      where c.partner_id = ${partnerId} and c.tenant_id = saved.id
        and not exists (select from given g where g.id = c.id)
    ),`;

function givenCharges(charges: readonly Charge[]): Sql {
  const rows = charges.map((it, position) => ({ ...it, position }));
  return recordset(givenRow, rows, 'g');
}

/** Inserts or updates the charges `g` of a tenant. */
const keepCharges = (tenant: Sql, from: Sql) => sql`
      insert into charge as c (partner_id, tenant_id, id, position, type, description, due_date,
        amount_in_cents, amount_paid_in_cents)
      select ${tenant}, g.id, g."position", g.type, g.description, g.due_date,
        g.amount_in_cents, g.amount_paid_in_cents from ${from}
      on conflict (partner_id, tenant_id, id) do update set position = excluded.position,
        type = excluded.type, description = excluded.description, due_date = excluded.due_date,
        amount_in_cents = excluded.amount_in_cents,
        amount_paid_in_cents = excluded.amount_paid_in_cents
      where (c.position, c.type, c.description, c.due_date, c.amount_in_cents,
          c.amount_paid_in_cents) is distinct from
        (excluded.position, excluded.type, excluded.description, excluded.due_date,
          excluded.amount_in_cents, excluded.amount_paid_in_cents)`;
