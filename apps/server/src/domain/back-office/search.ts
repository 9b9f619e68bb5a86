import type { FoundItem } from '@svc/contract/operator';
import { bigint, json, nullable, type RowOf, row, type Sql, sql, text } from '@svc/db';
import { byKey } from '../../cluster.ts';
import type { Ctx } from '../../context.ts';
import type { OperatorActor } from '../access/actor.ts';
import { areRows } from '../partner-of-rows.ts';
import { areTenants } from '../tenant-key.ts';
import { openPersonal, storedPersonal, storedPersonalSchema } from '../tenants/personal-data.ts';
import { readPersonalQuery } from '../tenants/search-hashes.ts';
import { type Discloser, loadIsDisclosed, maskName } from './mask.ts';
import { visiblePartners } from './visible-partners.ts';

/** The most items that a search shows. A person who sees this many adds words to the search. */
const mostFound = 20;

/**
 * The most tenants whose personal data are decrypted for a search; those that match are kept. Words that are
 * in no name share their stored bits with about five in a million tenants, so this is enough for many millions.
 */
const mostOpened = 400;

type Kind = FoundItem['kind'];

const foundRow = row('found item', {
  id: text,
  partnerId: nullable(text),
  tenantId: nullable(text),
  externalId: nullable(text),
  state: nullable(text),
  amountInCents: nullable(bigint),
});

interface Match extends RowOf<typeof foundRow> {
  readonly kind: Kind;
  readonly foundBy: FoundItem['found_by'];
}

interface Found {
  readonly items: FoundItem[];
  readonly has_more: boolean;
}

/**
 * Finds what an operator's text may refer to: people first, and otherwise items that have it as their id.
 *
 * A database may log the parameters of slow statements. People are looked up by hashes, and once some are found, the
 * text is not looked up as anything else, so a text that is somebody's name, address or number is in no statement.
 */
export async function search(
  ctx: Pick<Ctx, 'tx' | 'now' | 'service'> & { readonly actor: OperatorActor },
  { query }: { readonly query: string },
): Promise<Found> {
  const words = query.trim();
  const partners = await visiblePartners(ctx.tx, ctx.actor);
  const partnerIds = [...partners.keys()];
  const people = await byPerson(ctx, partnerIds, words);
  const matches =
    people.length > 0 || !/^[^\s@]+$/.test(words)
      ? people
      : await byName({ ...ctx, partnerIds, isLimited: ctx.actor.partners !== null }, words);
  const shown = matches.slice(0, mostFound);
  const described = await describeTenants(ctx, shown);
  return {
    items: shown.map((match) => {
      const { kind, id, partnerId, tenantId, state, amountInCents, foundBy } = match;
      const tenant = tenantId === null ? undefined : described.get(tenantId);
      return {
        kind,
        id,
        partner: (partnerId === null ? undefined : partners.get(partnerId)) ?? null,
        external_id: tenant?.externalId ?? match.externalId,
        name: tenant?.name ?? null,
        state,
        amount_in_cents: amountInCents,
        found_by: foundBy,
      };
    }),
    has_more: matches.length > mostFound,
  };
}

interface Scope extends Pick<Ctx, 'tx' | 'service'> {
  readonly partnerIds: readonly string[];
  readonly isLimited: boolean;
}

/** Finds things that have these letters or digits as their id, number or reference. */
async function byName(scope: Scope, words: string): Promise<Match[]> {
  return [
    ...(await byId(scope, words)),
    ...(await byExternalId(scope, words)),
    ...(await byReference(scope, words)),
    ...(await byLastDigits(scope, words)),
  ];
}

/** The kind and the query of each item that has an id, by the id's prefix. */
const idLookups: Readonly<Record<string, readonly [Kind, (lookup: Lookup) => Sql]>> = {
  ten: [
    'tenant',
    ({ ids, id }) => sql`
    select t.id, t.partner_id, t.id as tenant_id, t.external_id, t.eligibility_state as state,
      null::int8 as amount_in_cents
    from tenant t where t.partner_id = any(${ids}::text[]) and t.id = ${id}`,
  ],
  pln: [
    'plan',
    ({ ids, id }) => sql`
    select p.id, p.partner_id, p.tenant_id, null as external_id, p.state,
      p.principal_in_cents as amount_in_cents
    from plan p where p.partner_id = any(${ids}::text[]) and p.id = ${id}`,
  ],
  ins: [
    'installment',
    ({ ids, id }) => sql`
    select i.id, i.partner_id, p.tenant_id, null as external_id, i.state, i.amount_in_cents
    from installment i join plan p on p.partner_id = i.partner_id and p.id = i.plan_id
    where i.partner_id = any(${ids}::text[]) and i.id = ${id}`,
  ],
  pay: [
    'payment',
    ({ tx, ids, id }) => sql`
    select y.id, y.partner_id, p.tenant_id, null as external_id, y.outcome as state, y.amount_in_cents
    from payment y
      cross join lateral (select i.plan_id from installment i
        where i.partner_id = y.partner_id and i.id = y.installment_id ${byKey(tx)}) i
      cross join lateral (select p.tenant_id from plan p
        where p.partner_id = y.partner_id and p.id = i.plan_id ${byKey(tx)}) p
    where y.partner_id = any(${ids}::text[]) and y.id = ${id}`,
  ],
  pmt: [
    'payment_method',
    ({ ids, id }) => sql`
    select m.id, m.partner_id, m.tenant_id, null as external_id, m.type || ' ' || m.last4 as state,
      null::int8 as amount_in_cents
    from payment_method m where m.partner_id = any(${ids}::text[]) and m.id = ${id}`,
  ],
  app: [
    'application',
    ({ ids, id }) => sql`
    select a.id, a.partner_id, a.tenant_id, null as external_id, a.state, a.amount_in_cents
    from application a where a.partner_id = any(${ids}::text[]) and a.id = ${id}`,
  ],
  stl: [
    'settlement',
    ({ ids, id }) => sql`
    select s.id, s.partner_id, s.tenant_id, null as external_id, s.status as state, s.amount_in_cents
    from settlement s where s.partner_id = any(${ids}::text[]) and s.id = ${id}`,
  ],
  pyt: [
    'payout',
    ({ ids, id }) => sql`
    select o.id, o.partner_id, null as tenant_id, null as external_id, o.status as state,
      o.amount_in_cents
    from payout o where o.partner_id = any(${ids}::text[]) and o.id = ${id}`,
  ],
  rfd: [
    'refund',
    ({ ids, id }) => sql`
    select r.id, r.partner_id, s.tenant_id, null as external_id, null as state, r.amount_in_cents
    from refund r join settlement s on s.partner_id = r.partner_id and s.id = r.settlement_id
    where r.partner_id = any(${ids}::text[]) and r.id = ${id}`,
  ],
  trf: [
    'transfer',
    ({ ids, id }) => sql`
    select l.id, l.partner_id, null as tenant_id, null as external_id, l.kind as state,
      null::int8 as amount_in_cents
    from ledger_transfer l where l.partner_id = any(${ids}::text[]) and l.id = ${id}`,
  ],
  mal: [
    'mail',
    ({ ids, id }) => sql`
    select m.id, m.partner_id, m.tenant_id, null as external_id, m.type as state,
      null::int8 as amount_in_cents
    from mail m where m.partner_id = any(${ids}::text[]) and m.id = ${id}`,
  ],
  txt: [
    'text',
    ({ ids, id }) => sql`
    select m.id, m.partner_id, m.tenant_id, null as external_id, m.type as state,
      null::int8 as amount_in_cents
    from text_message m where m.partner_id = any(${ids}::text[]) and m.id = ${id}`,
  ],
  evt: [
    'message',
    ({ ids, id }) => sql`
    select m.id, m.owner as partner_id, null as tenant_id, m.subject as external_id, m.type as state,
      null::int8 as amount_in_cents
    from webhook_messages m where m.owner = any(${ids}::text[]) and m.id = ${id}`,
  ],
  req: [
    'request',
    ({ ids, id }) => sql`
    select r.id, r.partner_id, null as tenant_id, r.external_id, r.status::text as state,
      null::int8 as amount_in_cents
    from request_log r where r.partner_id = any(${ids}::text[]) and r.id = ${id}`,
  ],
  ptn: [
    'partner',
    ({ ids, id }) => sql`
    select p.id, p.id as partner_id, null as tenant_id, null as external_id, null as state,
      null::int8 as amount_in_cents
    from partner p where p.id = any(${ids}::text[]) and p.id = ${id}`,
  ],
};

interface Lookup extends Pick<Ctx, 'tx'> {
  readonly ids: readonly string[];
  readonly id: string;
}

async function byId({ tx, partnerIds: ids }: Scope, words: string): Promise<Match[]> {
  const id = words.toLowerCase();
  if (!/^[a-z]{3}_[0-9a-z]{26}$/.test(id)) return [];
  const lookup = idLookups[id.slice(0, 3)];
  if (!lookup) return [];
  const [kind, statement] = lookup;
  const rows = await tx.many(foundRow, statement({ tx, ids, id }));
  return rows.map((it) => ({ ...it, kind, foundBy: 'id' }));
}

async function byExternalId({ tx, partnerIds }: Scope, words: string): Promise<Match[]> {
  const rows = await tx.many(
    foundRow,
    sql`
    select t.id, t.partner_id, t.id as tenant_id, t.external_id, t.eligibility_state as state,
      null::int8 as amount_in_cents
    from tenant t
    where t.partner_id = any(${partnerIds}::text[])
      and lower(t.external_id) = lower(${words} collate "C")
    order by t.external_id limit ${mostFound + 1}`,
  );
  return rows.map((it) => ({ ...it, kind: 'tenant', foundBy: 'external_id' }));
}

/** Finds payments by a bank file's trace number or a processor's id, and lines of bank statements by reference. */
async function byReference(scope: Scope, words: string): Promise<Match[]> {
  if (!/^\S{5,100}$/.test(words)) return [];
  const { tx, partnerIds, isLimited, service } = scope;
  const traced = await readTraced(scope, words);
  const processor = service.processor?.name ?? null;
  const hasReference = sql`c.processor = ${processor} and c.kind in ('charge', 'refund') and c.ref = ${words}`;
  const calls = [
    ...(await tx.many(foundRow, callsThat(hasReference, partnerIds))),
    ...(traced.length === 0
      ? []
      : await tx.many(
          foundRow,
          callsThat(areRows([sql`c.partner_id`, sql`c.key`], traced), partnerIds),
        )),
  ];
  // A statement of a bank is about all partners.
  const lines = isLimited
    ? []
    : await tx.many(
        foundRow,
        sql`
    select l.id, null as partner_id, null as tenant_id, null as external_id,
      case when l.match_id is null then 'open' else 'matched' end as state, l.amount_in_cents
    from bank_line l where l.reference = ${words} and l.reference <> '' limit ${mostFound + 1}`,
      );
  return [
    ...calls.map((it) => ({ ...it, kind: 'payment' as const, foundBy: 'reference' as const })),
    ...lines.map((it) => ({
      ...it,
      kind: 'statement_line' as const,
      foundBy: 'reference' as const,
    })),
  ];
}

function callsThat(condition: Sql, partnerIds: readonly string[]): Sql {
  return sql`
    select c.payment_id as id, c.partner_id, c.tenant_id, null as external_id, c.state,
      c.amount_in_cents
    from processor_call c where c.partner_id = any(${partnerIds}::text[]) and ${condition}
    limit ${mostFound + 1}`;
}

const tracedRow = row('call with a trace number', { partnerId: text, id: text });

/** Reads the keys of the calls that have this trace number in a file of the bank. */
async function readTraced({ tx, service }: Scope, words: string) {
  if (!/^\d{7,15}$/.test(words)) return [];
  const calls = [];
  for (const { tracedCalls } of service.processorRecords) {
    if (tracedCalls) calls.push(...(await tx.many(tracedRow, tracedCalls(words))));
  }
  return calls;
}

async function byLastDigits({ tx, partnerIds }: Scope, words: string): Promise<Match[]> {
  if (!/^\d{4}$/.test(words)) return [];
  const rows = await tx.many(
    foundRow,
    sql`
    /* many rows: all accounts with these digits */
    select m.id, m.partner_id, m.tenant_id, null as external_id, m.type || ' ' || m.last4 as state,
      null::int8 as amount_in_cents
    from payment_method m
    where m.last4 = ${words} and m.partner_id = any(${partnerIds}::text[])
    limit ${mostFound + 1}`,
  );
  return rows.map((it) => ({ ...it, kind: 'payment_method', foundBy: 'last4' }));
}

const candidateRow = row('tenant who may match', {
  ...foundRow.columns,
  stored: json(storedPersonalSchema),
});

async function byPerson(
  { tx, service }: Pick<Ctx, 'tx' | 'service'>,
  partnerIds: readonly string[],
  words: string,
): Promise<Match[]> {
  const query = readPersonalQuery(service.vault, words);
  if (!query) return [];
  const contains = query.hashes
    .map((hashes) => sql`t.search_hashes @> ${hashes}::integer[]`)
    .reduce((all, each) => sql`${all} or ${each}`);
  const candidates = await tx.many(
    candidateRow,
    sql`
    /* many rows: all tenants who share a word */
    select t.id, t.partner_id, t.id as tenant_id, t.external_id, t.eligibility_state as state,
      null::int8 as amount_in_cents, ${storedPersonal} as stored
    from tenant t where t.partner_id = any(${partnerIds}::text[]) and (${contains})
    limit ${mostOpened}`,
  );
  const matches: Match[] = [];
  for (const { stored, ...it } of candidates) {
    if (matches.length > mostFound) break;
    const person = openPersonal(service.vault, it.id, stored);
    if (!person || !query.matches(person)) continue;
    matches.push({ ...it, kind: 'tenant', foundBy: 'personal' });
  }
  return matches;
}

const nameRow = row('tenant of a found item', {
  id: text,
  partnerId: text,
  externalId: text,
  stored: json(storedPersonalSchema),
});

async function describeTenants(
  ctx: Discloser,
  matches: readonly Match[],
): Promise<ReadonlyMap<string, { readonly externalId: string; readonly name: string | null }>> {
  const tenants = matches.flatMap(({ partnerId, tenantId }) =>
    partnerId === null || tenantId === null ? [] : [{ partnerId, tenantId }],
  );
  if (tenants.length === 0) return new Map();
  const rows = await ctx.tx.many(
    nameRow,
    sql`
    select t.id, t.partner_id, t.external_id, ${storedPersonal} as stored from tenant t
    where ${areTenants([sql`t.partner_id`, sql`t.id`], tenants)}`,
  );
  const isClear = await loadIsDisclosed(ctx, tenants);
  return new Map(
    rows.map(({ id, externalId, stored }) => {
      const person = openPersonal(ctx.service.vault, id, stored);
      const name = person && `${person.firstName} ${person.lastName}`;
      return [id, { externalId, name: name && (isClear(id) ? name : maskName(name)) }];
    }),
  );
}
