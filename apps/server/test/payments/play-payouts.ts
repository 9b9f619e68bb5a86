import { eventExamples } from '@svc/contract';
import { type Database, sql } from '@svc/db';
import { oneRowOf, rowsOf } from '@svc/db/testing';
import { expect } from 'vitest';
import type { PartnerActor } from '../../src/domain/access/actor.ts';
import { verifyLedger } from '../../src/domain/ledger/verify.ts';
import { readPayoutStatement } from '../../src/domain/payouts/statement.ts';
import { administer, type OperatorRequest } from '../../src/operator/administer.ts';
import type { Stage } from '../support/open-stage.ts';

const quiet = { info: () => {}, warn: () => {}, error: () => {} };

/** Runs the operator's commands, and reads what is stored about payouts. */
export function playPayouts(stage: Stage, partner: PartnerActor) {
  const { partnerId, pms } = partner;
  const plain = stage.plain as Database;

  async function answerTo(request: OperatorRequest) {
    const { db, service } = stage as { db: Database } & Stage;
    const clock = { now: () => stage.clock.now, after: () => () => {} };
    const commands = { db, clock, vault: service.vault, service };
    const parts = { commands, service, log: quiet, revoked: () => {} };
    return administer(parts, request, { user: 'anna', reason: 'a test of payouts' });
  }

  /** Runs an operator's command. */
  async function run<T = object>(request: OperatorRequest): Promise<T> {
    const answer = await answerTo(request);
    if (!answer.ok) throw new Error(answer.message);
    return answer.result as T;
  }

  return {
    run,

    async refusalOf(request: OperatorRequest): Promise<string> {
      const answer = await answerTo(request);
      if (answer.ok) throw new Error('It was not refused.');
      return answer.message;
    },

    schedule: (destination: string, method: 'credit' | 'debit' | 'each' = 'credit') =>
      run({ command: 'payout schedule', pms, method, destination, cut_off_hour: 17 }),

    payouts: () =>
      rowsOf<{ id: string; status: string; amount: number; day: string; reason: string | null }>(
        plain,
        sql`
        select id, status, amount_in_cents as amount, day, failure_reason as reason from payout
        where partner_id = ${partnerId} order by id`,
      ),

    settlements: async () => {
      const rows = await rowsOf<{ status: string }>(
        plain,
        sql`select status from settlement where partner_id = ${partnerId} order by id`,
      );
      return rows.map((it) => it.status);
    },

    /** The types of the payout events, in the order of their emission. */
    events: async () => {
      const rows = await rowsOf<{ type: string; body: string }>(
        plain,
        sql`
        select type, body from webhook_messages
        where owner = ${partnerId} and type like 'payout.%' order by id`,
      );
      for (const { type, body } of rows) {
        const { data, external_id } = JSON.parse(body);
        const example = eventExamples[type as keyof typeof eventExamples];
        expect(Object.keys(data).sort()).toEqual(Object.keys(example).sort());
        expect(external_id).toBe(null);
      }
      return rows.map((it) => it.type);
    },

    /** The balances in cents by kind of account, without those that are 0. */
    balances: async () => {
      const rows = await rowsOf<{ kind: string; amount: number }>(
        plain,
        sql`
        select a.kind, sum(e.amount_in_cents)::int8 as amount from ledger_entry e
          join ledger_account a on a.partner_id = e.partner_id and a.id = e.account_id
        where a.partner_id = ${partnerId} group by a.kind having sum(e.amount_in_cents) <> 0`,
      );
      return Object.fromEntries(rows.map((it) => [it.kind, it.amount]));
    },

    statement: (id: string) => stage.run(partner, (ctx) => readPayoutStatement(ctx, { id })),

    /** The orders that the rail received, with any outcome. */
    received: () =>
      rowsOf<{ key: string; amount: number }>(
        plain,
        sql`select key, amount_in_cents as amount from simulator_payout order by key`,
      ),

    /**
     * Checks that we owe the portal what is neither paid nor in transit, that the ledger is consistent, and that
     * nothing was paid twice.
     */
    async check(): Promise<void> {
      const facts = await oneRowOf<Record<string, number>>(
        plain,
        sql`
        select
          coalesce((select sum(e.amount_in_cents) from ledger_entry e
            join ledger_account a on a.partner_id = e.partner_id and a.id = e.account_id
            where a.partner_id = ${partnerId} and a.kind = 'partner_payable'), 0)::int8 as payable,
          coalesce((select sum(e.amount_in_cents) from ledger_entry e
            join ledger_account a on a.partner_id = e.partner_id and a.id = e.account_id
            where a.partner_id = ${partnerId} and a.kind = 'settlement_clearing'), 0)::int8 as clearing,
          coalesce((select sum(p.amount_in_cents) from payout p
            where p.partner_id = ${partnerId} and p.status = 'sent'), 0)::int8 as sent,
          (coalesce((select sum(s.amount_in_cents) from settlement s
              where s.partner_id = ${partnerId}), 0)
            - coalesce((select sum(f.amount_in_cents) from refund f
              where f.partner_id = ${partnerId} and f.deducted), 0)
            + coalesce((select sum(a.amount_in_cents) from payout_adjustment a
              where a.partner_id = ${partnerId}), 0)
            - coalesce((select sum(p.amount_in_cents) from payout p
              where p.partner_id = ${partnerId} and p.status in ('sent', 'paid')), 0))::int8 as owed,
          (select count(*) from (select l.source_id from payout_line l
            join payout p on p.partner_id = l.partner_id and p.id = l.payout_id
            where l.partner_id = ${partnerId} and p.status not in ('failed', 'returned')
            group by l.source_id having count(*) > 1) t) as twice`,
      );
      const { payable, clearing, sent, owed, twice } = facts;
      expect({ payable, clearing, twice }).toEqual({
        payable: 0 - (owed ?? 0),
        clearing: 0 - (sent ?? 0),
        twice: 0,
      });
      expect((await stage.plain.transaction(verifyLedger)).faults).toEqual([]);
    },
  };
}
