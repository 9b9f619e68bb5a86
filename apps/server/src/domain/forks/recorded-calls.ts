import { mostRecordedCalls, productVariant, type RecordedCall } from '@svc/contract';
import {
  bigint,
  bytes,
  instant,
  listOf,
  nullable,
  oneOf,
  type Queryable,
  row,
  type Sql,
  sql,
  text,
} from '@svc/db';
import type { Service } from '../../context.ts';
import { newId } from '../../ids.ts';
import type { Actor } from '../access/actor.ts';
import type { TenantKey } from '../tenant-key.ts';

/** The `call` of a tenant's choice of an account on a simulated bank's page, which is not a route of the API. */
export const bankPageCall = 'the page of a bank';

export interface CallToRecord {
  /** Method and path of the route, such as `POST /portal_info`. */
  readonly call: string;
  /** The tenant's time when the call began; null if the tenant's clock ran since the last recorded call. */
  readonly at: string | null;
  readonly now: Date;
  readonly actor: Pick<Actor, 'kind'> & Partial<TenantKey>;
  readonly params: unknown;
  readonly body: unknown;
  /** The response; null if the call was refused. */
  readonly result: unknown;
  /** The error code of a call that was refused. */
  readonly refused: string | null;
}

interface NamedTenant {
  readonly external_id?: unknown;
}

/**
 * Returns a statement that stores a call about a tenant, for forks of the tenant. It stores nothing if the call is
 * about no tenant, or if 400 calls of the tenant are stored already.
 */
export function recordCall(
  { vault }: Pick<Service, 'vault'>,
  { call, at, now, actor, params, body, result, refused }: CallToRecord,
): Sql {
  const id = newId('rec', now);
  const partnerId = actor.partnerId ?? '';
  const named = [params, body, result].map((it) => (it as NamedTenant | null)?.external_id);
  const externalId = named.find((it) => typeof it === 'string') ?? null;
  const settlementId = (params as { id?: string } | null)?.id ?? null;
  const ofTenant =
    actor.tenantId !== undefined
      ? sql`t.id = ${actor.tenantId}`
      : externalId !== null
        ? sql`t.external_id = ${externalId}`
        : sql`t.id = (select s.tenant_id from settlement s
            where s.partner_id = ${partnerId} and s.id = ${settlementId})`;
  const variant = (actor as { productVariant?: string }).productVariant ?? null;
  const input = JSON.stringify({ params: params ?? {}, body: withoutSecrets(body) });
  return sql`
    /* many rows: at most 400 calls of a tenant are kept, and counted here */
    insert into recorded_call (partner_id, id, tenant_id, call, input_sealed, product_variant,
      result_ids, refused, began_at, called_at, clock_offset_ms)
    select t.partner_id, ${id}, t.id, ${call}, ${vault.seal(input, id)}, ${variant},
      ${idsIn(result)}::text[], ${refused}, ${at}::timestamptz, ${now}, t.clock_offset_ms
    from tenant t
    where t.partner_id = ${partnerId} and ${ofTenant} and (
      select count(*) from (select from recorded_call r
        where r.partner_id = ${partnerId} and r.tenant_id = t.id limit ${mostRecordedCalls}) k
    ) < ${mostRecordedCalls}`;
}

/**
 * Removes `hosted`, because a fork needs no link for the tenant, and overwrites the digits of a Social Security
 * number, which is deleted once it has been used.
 */
function withoutSecrets(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return null;
  const { hosted: _, ...kept } = body as Record<string, unknown>;
  return typeof kept.ssn === 'string' ? { ...kept, ssn: '6'.repeat(kept.ssn.length) } : kept;
}

const idPattern = /^(?:[a-z]{3}_[0-9a-hjkmnp-tv-z]{26}|[0-9a-f]{64})$/;
const mostIds = 1_000;

/** Returns whether the text is one of our ids or the hash of an agreement, both of which differ in each copy. */
export function isOwnId(value: string): boolean {
  return idPattern.test(value);
}

/** Returns our ids and the hashes of agreements in a JSON value, in their order; at most 1,000. */
export function idsIn(value: unknown): string[] {
  const found: string[] = [];
  const walk = (part: unknown): void => {
    if (found.length === mostIds) return;
    if (typeof part === 'string') {
      if (isOwnId(part)) found.push(part);
    } else if (typeof part === 'object' && part !== null) {
      Object.values(part).forEach(walk);
    }
  };
  walk(value);
  return found;
}

const callRow = row('recorded call', {
  id: text,
  call: text,
  inputSealed: bytes,
  productVariant: nullable(oneOf(...productVariant.options)),
  resultIds: listOf(text),
  refused: nullable(text),
  beganAt: nullable(instant),
  calledAt: instant,
  clockOffsetMs: nullable(bigint),
});

/** Reads the recorded calls about a tenant, oldest first. */
export async function readCalls(
  q: Queryable,
  { vault }: Pick<Service, 'vault'>,
  { partnerId, tenantId }: TenantKey,
): Promise<RecordedCall[]> {
  const rows = await q.many(
    callRow,
    sql`
    /* many rows: at most 400 calls of a tenant are kept */
    select id, call, input_sealed, product_variant, result_ids, refused, began_at, called_at,
      clock_offset_ms
    from recorded_call where partner_id = ${partnerId} and tenant_id = ${tenantId} order by id`,
  );
  return rows.map(({ id, inputSealed, beganAt, calledAt, clockOffsetMs, ...it }, index) => {
    // Between two calls the clock runs, and its offset stays.
    const offsetBefore = rows[index - 1]?.clockOffsetMs ?? 0;
    const { params, body } = JSON.parse(vault.open(inputSealed, id)) as {
      params: Record<string, string>;
      body: unknown;
    };
    return {
      call: it.call,
      at: (beganAt ?? new Date(calledAt.getTime() + offsetBefore)).toISOString(),
      until: new Date(calledAt.getTime() + (clockOffsetMs ?? 0)).toISOString(),
      params,
      body,
      product_variant: it.productVariant,
      result_ids: [...it.resultIds],
      refused: it.refused,
    };
  });
}
