import { deepEqual } from 'node:assert/strict';
import { type Database, sql } from '@svc/db';
import { rowsOf } from '@svc/db/testing';
import { verifyLedger } from '../../src/domain/ledger/verify.ts';

/** A charge or refund in the processor's books. */
export interface ProcessorCall {
  readonly key: string;
  readonly kind: 'charge' | 'refund';
  readonly state: string;
  readonly amount: number;
  /** The key of the charge that a refund belongs to. */
  readonly of: string | null;
  /** Cents that the bank took back and that we did not win back. */
  readonly takenBack: number;
}

/** Reads the simulator's books. */
export async function simulatorCalls(db: Database): Promise<ProcessorCall[]> {
  return rowsOf<ProcessorCall>(
    db,
    sql`
    select c.key, c.kind, c.state, c.amount_in_cents as amount, c.of_key as of,
      coalesce((select sum(case e.kind when 'returned' then 1 else -1 end
          * coalesce(e.amount_in_cents, c.amount_in_cents))
        from simulator_event e where e.partner_id = c.partner_id and e.key = c.key
          and e.kind in ('returned', 'dispute_won') and e.sent_at is not null), 0)::int8 as "takenBack"
    from simulator_call c`,
  );
}

interface OurCall {
  readonly key: string;
  readonly state: string;
  readonly ref: string | null;
  readonly payment_id: string;
  readonly installment_id: string;
  readonly agreed: number;
}

/**
 * Compares our books with the processor's: each call has the same final state in both, the clearing account
 * holds what the processor has taken, no installment was paid twice, and no charge was refunded beyond
 * its amount.
 */
export async function checkBooks(db: Database, theirs: readonly ProcessorCall[]): Promise<void> {
  const ours = await rowsOf<OurCall>(
    db,
    sql`
    select c.key, c.state, c.ref, c.payment_id, i.id as installment_id,
      i.agreed_in_cents as agreed
    from processor_call c
      join payment y on y.partner_id = c.partner_id and y.id = c.payment_id
      join installment i on i.partner_id = y.partner_id and i.id = y.installment_id`,
  );
  const theirsByKey = new Map(theirs.map((it) => [it.key, it]));
  // A call that the processor never received has failed in our books.
  const finalStates = (state: (it: OurCall) => string) =>
    ours.map((it) => `${it.key} ${state(it)}`).sort();
  deepEqual(
    finalStates((it) => it.state),
    finalStates((it) => theirsByKey.get(it.key)?.state ?? 'failed'),
  );
  const ourKeys = new Set(ours.map((it) => it.key));
  deepEqual(
    theirs.filter(({ key }) => !ourKeys.has(key)),
    [],
  );

  const takenInCents = (calls: readonly ProcessorCall[]) =>
    calls
      .filter((it) => it.state === 'succeeded')
      .reduce((sum, it) => sum + (it.kind === 'charge' ? it.amount - it.takenBack : -it.amount), 0);
  const ofCharges = await rowsOf<{ key: string; booked: number; facts: string }>(
    db,
    sql`
    select c.key, y.outcome || ' ' || i.state || ' of ' || p.state
        || coalesce((select ' ' || string_agg(v.kind || case when v.handled_at is null
          then ' waits' else '' end, ', ') from processor_event v
          where v.partner_id = c.partner_id and v.payment_id = c.key), '') as facts,
      coalesce((select sum(e.amount_in_cents) from processor_entry e
        where e.partner_id = c.partner_id and (e.source_id = c.key or e.source_id in (
          select v.id from processor_event v
          where v.partner_id = c.partner_id and v.payment_id = c.key))), 0)::int8 as booked
    from processor_call c
      join payment y on y.partner_id = c.partner_id and y.id = c.payment_id
      join installment i on i.partner_id = y.partner_id and i.id = y.installment_id
      join plan p on p.partner_id = i.partner_id and p.id = i.plan_id
    where c.kind = 'charge'`,
  );
  const mismatches = ofCharges.flatMap(({ key, booked, facts }) => {
    const theirCall = theirsByKey.get(key);
    const expected = theirCall ? takenInCents([theirCall]) : 0;
    return booked === expected ? [] : [{ key, facts, booked, expected, theirCall }];
  });
  deepEqual(mismatches, []);
  const [booked] = await rowsOf<{ entries: number; ledger: number }>(
    db,
    sql`
    select coalesce((select sum(amount_in_cents) from processor_entry), 0)::int8 as entries,
      coalesce((select sum(e.amount_in_cents) from ledger_entry e
        join ledger_account a on a.partner_id = e.partner_id and a.id = e.account_id
          and a.kind = 'processor_clearing'
        join ledger_transfer l on l.partner_id = e.partner_id and l.id = e.transfer_id
          and l.kind <> 'deposit'), 0)::int8 as ledger`,
  );
  deepEqual(booked, { entries: takenInCents(theirs), ledger: takenInCents(theirs) });
  deepEqual((await db.transaction(verifyLedger)).faults, []);

  const byInstallment = new Map<string, { agreed: number; calls: ProcessorCall[] }>();
  for (const it of ours) {
    const call = theirsByKey.get(it.key);
    const entry = byInstallment.get(it.installment_id) ?? { agreed: it.agreed, calls: [] };
    if (call) entry.calls.push(call);
    byInstallment.set(it.installment_id, entry);
  }
  const overcharged = [...byInstallment.values()].filter(
    (it) => takenInCents(it.calls) > it.agreed,
  );
  deepEqual(overcharged, []);
  const refunded = new Map<string | null, number>();
  for (const it of theirs) {
    if (it.kind === 'refund') refunded.set(it.of, (refunded.get(it.of) ?? 0) - takenInCents([it]));
  }
  const overRefunded = theirs.filter(
    (it) => it.kind === 'charge' && (refunded.get(it.key) ?? 0) > it.amount,
  );
  deepEqual(overRefunded, []);
}
