import { testBanks } from '@svc/contract';
import { type Database, sql } from '@svc/db';
import type { Outcome } from '../../domain/payments/processor.ts';
import type { Simulator } from '../../domain/payments/simulator.ts';
import { localDate } from '../../domain/tenants/calendar.ts';
import { beginVisit, endVisit, endVisitsOf, findVisit, stepOfVisit } from './bank-visits.ts';
import { findCall, keyOf, outcomeOf } from './calls.ts';
import { chargeInBatches } from './charge-in-batches.ts';
import {
  dropPlannedEvents,
  listEventsSentSince,
  listUpcomingEventTimes,
  planReturn,
  takeEvents,
} from './events.ts';
import { refundCharge } from './refunds.ts';
import {
  isDepositedShort,
  isSilent,
  registerBankAccount,
  registerCard,
} from './test-instruments.ts';
import { createSimulatedWebhooks, repeatAndShuffle } from './webhooks.ts';

interface Options {
  readonly db: Database;
  /**
   * Disturbs the webhooks: some come twice, and those due together come in any order. Returns 0 to 1,
   * like `Math.random`.
   */
  readonly random?: () => number;
}

const noAnswer: Outcome = { state: 'unknown', reason: 'no answer' };

/**
 * Simulates the bank and the card network. The contract's list of test accounts decides each outcome.
 * The books are in tables that only the simulator reads, so that it knows each key after a restart.
 */
export function createSimulator({ db, random }: Options): Simulator {
  const webhooks = createSimulatedWebhooks();
  const charge = chargeInBatches(db);

  return {
    name: 'simulator',

    accountEntry: 'banks',
    takesCards: true,
    deposits: 'daily',
    depositAccount: 'cash',
    // Charges that are made together share a commit (`chargeInBatches`).
    callsAtOnce: 50,

    async setup(request) {
      const { typed, type, bank, payer, now } = request;
      const { at, timeZone } = payer;
      if (typed === null) {
        if (type === 'card') return { kind: 'fields' };
        return bank === null
          ? { kind: 'banks', banks: testBanks }
          : beginVisit(db, { ...request, bank }, now);
      }
      const method =
        typed.type === 'card'
          ? registerCard(typed, localDate(at, timeZone))
          : registerBankAccount(typed);
      return { kind: 'ready', method, ref: null };
    },

    findSetup(ref, now) {
      return stepOfVisit(db, ref, now);
    },

    findVisit(ref, now) {
      return findVisit(db, ref, now);
    },

    endVisit(ref, accountNumber, now) {
      return endVisit(db, { ref, accountNumber, now });
    },

    endVisitsOf(tenant, accountNumber, now) {
      return endVisitsOf(db, { ...tenant, accountNumber, now });
    },

    charge: async (request) => (isSilent(request.instrument) ? noAnswer : charge(request)),

    refund: (request) => db.transaction((tx) => refundCharge(tx, request)),

    async cancel(charge, { partnerId }) {
      const key = keyOf(charge);
      await db.run(sql`
        with canceled as (
          update simulator_call set state = 'failed', return_code = 'canceled'
          where partner_id = ${partnerId} and key = ${key} and state = 'processing'
          returning key
        )
        delete from simulator_event e using canceled c
        where e.partner_id = ${partnerId} and e.key = c.key and e.sent_at is null`);
      const known = await findCall(db, partnerId, key);
      return known ? outcomeOf(known) : { state: 'unknown', reason: 'no such charge' };
    },

    async find(call, { partnerId }) {
      if (isSilent(call.instrument)) return noAnswer;
      const known = await findCall(db, partnerId, keyOf(call));
      return known ? outcomeOf(known) : null;
    },

    parseWebhook: (raw, headers, now) => [webhooks.read(raw, headers, now)],

    async *list(since) {
      yield* await listEventsSentSince(db, since);
    },

    upcoming: listUpcomingEventTimes,

    async takeWebhooks(q, { now, limit, tenant }) {
      const events = await takeEvents(q, { now, limit, ...(tenant && { tenant }) });
      const sent = events.map((event) => webhooks.write(event, now));
      return random ? repeatAndShuffle(sent, random) : sent;
    },

    deposit(instrument, amountInCents) {
      const isShort = amountInCents > 0 && isDepositedShort(instrument);
      return isShort ? amountInCents - 1_00 : amountInCents;
    },

    planReturn,

    reset: dropPlannedEvents,
  };
}
