import { type SvcEnvironment, testRoutingNumber } from '@svc/contract';
import { type Database, sql } from '@svc/db';
import type { Clock } from '@svc/runtime';
import {
  type BankAccount,
  type Processor,
  type Registered,
  type SetupStep,
  WebhookNotAuthentic,
} from '../../domain/payments/processor.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { AchSettings } from './ach-settings.ts';
import { entriesSince, eventsOf, findEntry, outcomeOf } from './entries.ts';
import { outcomeByKey, storeCredit, storeDebit } from './store-entries.ts';

interface Deps {
  readonly db: Database;
  readonly clock: Pick<Clock, 'now'>;
  readonly environment: SvcEnvironment;
}

/**
 * Debits and credits bank accounts through ACH files. A charge or refund is a row of `ach_entry`,
 * which a lane writes to a file at the next cut-off (`exchange-files.ts`). Its outcome follows from the
 * bank's files and from time, so there are no webhooks, and each answer is in our database.
 */
export function createAchProcessor(settings: AchSettings, deps: Deps): Processor {
  const { db, clock, environment } = deps;
  const entries = { clock, settings };

  return {
    name: 'ach',
    accountEntry: 'fields',
    takesCards: false,
    deposits: 'daily',
    depositAccount: 'ach_clearing',

    async setup({ type, typed }): Promise<SetupStep> {
      if (type === 'card')
        throw refuse('type', 'not_accepted', 'must be a bank account: cards are not accepted');
      if (typed?.type !== 'bank_account') return { kind: 'fields' };
      if (environment === 'sandbox' && typed.routing_number !== testRoutingNumber) {
        const message = `must be ${testRoutingNumber}: the sandbox takes its test bank only, never a real account`;
        throw refuse('routing_number', 'invalid_value', message);
      }
      return { kind: 'ready', method: registerAccount(typed), ref: null };
    },

    async findSetup(ref) {
      throw new Error(`no setup ${ref}: ACH accounts are set up in one step`);
    },

    charge: (request) => storeDebit(db, entries, request),
    refund: (request) => db.transaction((tx) => storeCredit(tx, entries, request)),

    async cancel(name, { partnerId }) {
      const known = await findEntry(db, partnerId, name);
      if (!known) return { state: 'unknown', reason: 'no such charge' };
      // Once it is in a file, only the bank can stop it. The lane locks the row when it takes it.
      await db.run(sql`
        update ach_entry set state = 'failed', return_code = 'canceled', returned_at = ${clock.now()}
        where partner_id = ${partnerId} and key = ${known.key} and state = 'waiting'`);
      return outcomeByKey(db, partnerId, known.key);
    },

    async find(call, { partnerId }) {
      const known = await findEntry(db, partnerId, call);
      return known ? outcomeOf(known) : null;
    },

    parseWebhook() {
      throw new WebhookNotAuthentic(
        'ACH files come through a folder, and no webhook belongs to them.',
      );
    },

    async *list(since) {
      const events = (await entriesSince(db, since)).flatMap(eventsOf);
      const recent = events.filter(({ occurredAt }) => occurredAt >= since);
      yield* recent.sort((a, b) => a.occurredAt.getTime() - b.occurredAt.getTime());
    },
  };
}

/** The numbers are stored sealed, as those of every payment method. */
function registerAccount(typed: BankAccount): Registered {
  const last4 = typed.account_number.slice(-4);
  return { type: 'bank_account', brand: null, last4, expires: null, instrument: typed };
}

function refuse(param: string, code: 'not_accepted' | 'invalid_value', message: string): Refusal {
  return new Refusal('validation_failed', { errors: [{ param, code, message }] });
}
