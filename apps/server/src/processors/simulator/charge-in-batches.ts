import {
  bigint,
  boolean,
  type Database,
  instant,
  nullable,
  oneOf,
  type RowOf,
  recordset,
  row,
  type Sql,
  sql,
  text,
} from '@svc/db';
import { partnerOfRows } from '../../domain/partner-of-rows.ts';
import { workHour } from '../../domain/partners/operating-hours.ts';
import type { ChargeRequest, Instrument, Outcome } from '../../domain/payments/processor.ts';
import { nextMorning } from '../../domain/payments/record-processor-entry.ts';
import { nextBankingDay } from '../../domain/tenants/banking-days.ts';
import { addDays, hourOf, localDate } from '../../domain/tenants/calendar.ts';
import { findCall, outcomeOf } from './calls.ts';
import { failureFor } from './failure-codes.ts';
import { failureOf, isSlow, upcomingEvents } from './test-instruments.ts';

interface Waiting {
  readonly request: ChargeRequest;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Returns a function that charges. Concurrent charges share two statements and one commit: while one batch is
 * written, the next one fills. A charge that comes alone is written at once.
 */
export function chargeInBatches(db: Database): (request: ChargeRequest) => Promise<Outcome> {
  let waiting: Waiting[] = [];
  let isWriting = false;

  /** Takes at most one charge of each tenant, because each uses up one of the tenant's prepared failures. */
  function takeBatch(): Waiting[] {
    const batch = new Map<string, Waiting>();
    const later: Waiting[] = [];
    const first = waiting[0]?.request.payer.partnerId;
    for (const it of waiting) {
      const { partnerId, tenantId } = it.request.payer;
      // On a cluster, a batch has charges of one partner.
      const isElsewhere = db.cluster && partnerId !== first;
      if (isElsewhere || batch.has(tenantId)) later.push(it);
      else batch.set(tenantId, it);
    }
    waiting = later;
    return [...batch.values()];
  }

  async function writeWaiting(): Promise<void> {
    while (waiting.length > 0) await writeBatch(takeBatch());
    isWriting = false;
  }

  /** If the batch fails, each charge is written alone, so that one tenant's error fails no other. */
  async function writeBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await charge(
        db,
        batch.map((it) => it.request),
      );
      for (const [index, outcome] of outcomes.entries()) batch[index]?.resolve(outcome);
    } catch (error) {
      if (batch.length > 1) for (const it of batch) await writeBatch([it]);
      else batch[0]?.reject(error);
    }
  }

  return (request) =>
    new Promise((resolve, reject) => {
      waiting.push({ request, resolve, reject });
      if (isWriting) return;
      isWriting = true;
      // Starts after the callbacks of this turn, which often make more charges.
      setImmediate(() => void writeWaiting());
    });
}

/**
 * Returns the outcomes in the order of the requests. Most charges are new and have no prepared failure, so one
 * statement writes them. The others are looked up.
 */
async function charge(db: Database, requests: readonly ChargeRequest[]): Promise<Outcome[]> {
  const expected = requests.map((request) => entryOf(request, undefined));
  // On a cluster, the condition on the tenant would need its own statement.
  const written = db.cluster ? new Set() : await insertNew(db, expected, notPrepared);
  const others = requests.filter(({ key }) => !written.has(key));
  const known = others.length > 0 ? await readKnown(db, others) : new Map<string, Known>();
  const entries = expected.map((entry) =>
    written.has(entry.key) ? entry : entryOf(entry.request, known.get(entry.key)),
  );
  const added = await insertNew(
    db,
    entries.filter((it) => it.isNew && !written.has(it.key)),
  );
  return Promise.all(
    entries.map(async (entry) => {
      if (!entry.isNew || written.has(entry.key) || added.has(entry.key)) return outcomeOf(entry);
      // A charge of another process with this key came first, so its outcome counts.
      const first = await findCall(db, entry.request.payer.partnerId, entry.key);
      if (!first) throw new Error(`the simulator lost the charge ${entry.key}`);
      return outcomeOf(first);
    }),
  );
}

const requestRow = row('charge to look up', { partner_id: text, tenant_id: text, key: text });
const states = oneOf('processing', 'succeeded', 'failed');
const knownRow = row('charge and prepared failure', {
  key: text,
  state: nullable(states),
  returnCode: nullable(text),
  prepared: nullable(text),
});
type Known = RowOf<typeof knownRow>;

/** Reads the books' entries for these charges, and the failures that `fail_next_payment` prepared. */
async function readKnown(
  db: Database,
  requests: readonly ChargeRequest[],
): Promise<Map<string, Known>> {
  const asked = requests.map(({ key, payer: { partnerId, tenantId } }) => ({
    partner_id: partnerId,
    tenant_id: tenantId,
    key,
  }));
  const partner = partnerOfRows(
    requests.map(({ payer }) => payer),
    sql`r.partner_id`,
  );
  const found = await db.many(
    knownRow,
    sql`
    select r.key, c.state, c.return_code, t.pending_payment_failures[1] as prepared
    from ${recordset(requestRow, asked, 'r')}
      left join simulator_call c on c.partner_id = ${partner} and c.key = r.key
      left join tenant t on t.partner_id = ${partner} and t.id = r.tenant_id`,
  );
  return new Map(found.map((it) => [it.key, it]));
}

interface Entry {
  readonly request: ChargeRequest;
  readonly key: string;
  readonly state: 'processing' | 'succeeded' | 'failed';
  readonly returnCode: string | null;
  /** True if the result was set with `fail_next_payment`. */
  readonly forced: boolean;
  readonly isNew: boolean;
}

function entryOf(request: ChargeRequest, known: Known | undefined): Entry {
  const { key, instrument, payer, occasion } = request;
  if (known?.state) {
    const { state, returnCode } = known;
    return { request, key, state, returnCode, forced: false, isNew: false };
  }
  const isFirst = occasion === 'first';
  const base = { request, key, isNew: true };
  if (known?.prepared) {
    const returnCode = failureFor(typeOf(instrument), known.prepared);
    return { ...base, state: 'failed', returnCode, forced: true };
  }
  if (isFirst && isSlow(instrument)) {
    return { ...base, state: 'processing', returnCode: null, forced: false };
  }
  const returnCode = failureOf(instrument, isFirst, localDate(payer.at, payer.timeZone));
  return {
    ...base,
    state: returnCode === null ? 'succeeded' : 'failed',
    returnCode,
    forced: false,
  };
}

function typeOf({ type }: Instrument): 'card' | 'bank_account' {
  return type === 'card' ? 'card' : 'bank_account';
}

const newCallRow = row('new simulated call', {
  partner_id: text,
  key: text,
  tenant_id: text,
  amount_in_cents: bigint,
  state: states,
  return_code: nullable(text),
  created_at: instant,
  forced: boolean,
});
const eventRow = row('simulated event', {
  partner_id: text,
  id: text,
  key: text,
  kind: text,
  return_code: nullable(text),
  amount_in_cents: nullable(bigint),
  occurs_at: instant,
});
const eventOfTenantRow = row('new simulated event', {
  partner_id: text,
  id: text,
  tenant_id: text,
  key: text,
  kind: text,
  return_code: nullable(text),
  amount_in_cents: nullable(bigint),
  occurs_at: instant,
});
const insertedRow = row('inserted call', { key: text });

/** The condition that the tenant has no failure that `fail_next_payment` prepared. */
const notPrepared = sql`
  not exists (select from tenant t where t.partner_id = e.partner_id and t.id = e.tenant_id
    and t.pending_payment_failures[1] is not null)`;

/**
 * Returns the keys that were inserted.
 * @param which a condition on an entry `e`
 */
async function insertNew(
  db: Database,
  entries: readonly Entry[],
  which = sql`true`,
): Promise<Set<string>> {
  if (entries.length === 0) return new Set();
  const calls = entries.map(({ request: { payer, amountInCents }, ...it }) => ({
    partner_id: payer.partnerId,
    key: it.key,
    tenant_id: payer.tenantId,
    amount_in_cents: amountInCents,
    state: it.state,
    return_code: it.returnCode,
    created_at: payer.at,
    forced: it.forced,
  }));
  const events = entries.flatMap(eventsOf);
  if (db.cluster) return insertOnCluster(db, { calls, events });
  const inserted = await db.many(
    insertedRow,
    sql`
    with entry as (
      select * from ${recordset(newCallRow, calls, 'e')} where ${which}
    ), call as (${insertCalls(sql`entry`)} returning partner_id, tenant_id, key
    ), events as (
      insert into simulator_event (partner_id, id, tenant_id, key, kind, return_code,
        amount_in_cents, occurs_at)
      select e.partner_id, e.id, c.tenant_id, e.key, e.kind, e.return_code, e.amount_in_cents,
        e.occurs_at
      from ${recordset(eventRow, events, 'e')}
        join call c on c.partner_id = e.partner_id and c.key = e.key
    ), prepared as (
      update tenant t set pending_payment_failures = '{}' || t.pending_payment_failures[2:]
      from entry e join call c on c.partner_id = e.partner_id and c.key = e.key
      where e.forced and t.partner_id = e.partner_id and t.id = e.tenant_id
    )
    select key from call`,
  );
  return new Set(inserted.map(({ key }) => key));
}

const insertCalls = (from: Sql) => sql`
      insert into simulator_call (partner_id, key, tenant_id, kind, amount_in_cents, state,
        return_code, created_at)
      select partner_id, key, tenant_id, 'charge', amount_in_cents, state, return_code, created_at
      from ${from}
      on conflict (partner_id, key) do nothing`;

interface NewRows {
  readonly calls: readonly RowOf<typeof newCallRow>[];
  readonly events: readonly RowOf<typeof eventRow>[];
}

/** Uses separate statements: in one, a part that writes what another part has written needs every server. */
function insertOnCluster(db: Database, { calls, events }: NewRows): Promise<Set<string>> {
  return db.transaction(async (tx) => {
    const inserted = await tx.many(
      insertedRow,
      sql`${insertCalls(recordset(newCallRow, calls, 'e'))} returning key`,
    );
    const keys = new Set(inserted.map(({ key }) => key));
    const added = calls.filter(({ key }) => keys.has(key));
    const payers = new Map(added.map((it) => [it.key, it.tenant_id]));
    const ofAdded = events.flatMap((it) => {
      const tenant_id = payers.get(it.key);
      return tenant_id === undefined ? [] : [{ ...it, tenant_id }];
    });
    if (ofAdded.length > 0) {
      await tx.run(sql`
        insert into simulator_event (partner_id, id, tenant_id, key, kind, return_code,
        amount_in_cents, occurs_at)
        select e.partner_id, e.id, e.tenant_id, e.key, e.kind, e.return_code, e.amount_in_cents,
          e.occurs_at
        from ${recordset(eventOfTenantRow, ofAdded, 'e')}`);
    }
    for (const { partner_id, tenant_id } of added.filter(({ forced }) => forced)) {
      await tx.run(sql`
        update tenant set pending_payment_failures = '{}' || pending_payment_failures[2:]
        where partner_id = ${partner_id} and id = ${tenant_id}`);
    }
    return keys;
  });
}

/** The events that the simulator will report about a charge: a slow bank's answer, or a return and its dispute. */
function eventsOf({ request, state }: Entry): RowOf<typeof eventRow>[] {
  const { key, instrument, occasion, payer, amountInCents } = request;
  const { at, timeZone, partnerId: partner_id } = payer;
  if (state === 'processing') {
    const occurs_at = nextMorning(at, timeZone);
    const id = `${key}.outcome`;
    const kind = 'outcome';
    return [{ partner_id, id, key, kind, return_code: null, amount_in_cents: null, occurs_at }];
  }
  if (state === 'failed' || occasion !== 'first') return [];
  return upcomingEvents(instrument, amountInCents).map(({ kind, returnCode, ...event }) => {
    const day = nextBankingDay(addDays(localDate(at, timeZone), event.afterDays));
    return {
      partner_id,
      id: `${key}.${kind}`,
      key,
      kind,
      return_code: returnCode,
      amount_in_cents: event.amountInCents,
      occurs_at: hourOf(day, workHour, timeZone),
    };
  });
}
