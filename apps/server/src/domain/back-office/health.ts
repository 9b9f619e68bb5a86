import type { HealthOutput } from '@svc/contract/operator';

type Item = HealthOutput['items'][number];
type Finding = Pick<Item, 'state' | 'sentence'>;

/** The metrics of what the database holds, by their names: see `measure-stored.ts`. */
export type Measurements = Readonly<
  Record<
    string,
    readonly { readonly labels?: Readonly<Record<string, string>>; readonly value: number }[]
  >
>;

/** Reports which parts run and which do not. The limits are those of the alerts. `docs` is the origin of the docs. */
export function describeHealth(
  measured: Measurements,
  { at, docs }: { readonly at: Date; readonly docs: string },
): HealthOutput {
  const items = Object.entries(checks).map(([name, { alert, find }]): Item => {
    const runbook = `${docs}/docs/operate/alerts#${alert.toLowerCase()}`;
    return { name: name as Item['name'], runbook, ...find(readerOf(measured)) };
  });
  return { measured_at: at.toISOString(), items };
}

interface Reader {
  /** Returns the largest value of a metric among the samples with this label; 0 if there are none. */
  most(name: string, label?: Readonly<Record<string, string>>): number;
  /** Returns the value of a label in the sample with the largest value; empty without samples. */
  worst(name: string, label: string): string;
}

function readerOf(measured: Measurements): Reader {
  const samplesOf = (name: string, label: Readonly<Record<string, string>> = {}) =>
    (measured[name] ?? []).filter(({ labels = {} }) =>
      Object.entries(label).every(([key, value]) => labels[key] === value),
    );
  return {
    most: (name, label) => Math.max(0, ...samplesOf(name, label).map(({ value }) => value)),
    worst: (name, label) =>
      samplesOf(name).toSorted((one, other) => other.value - one.value)[0]?.labels?.[label] ?? '',
  };
}

interface Check {
  /** The alert whose section of the runbook says what to do. */
  readonly alert: string;
  find(read: Reader): Finding;
}

// In seconds.
const minute = 60;
const day = 86_400;

const checks: Readonly<Record<Item['name'], Check>> = {
  lanes: {
    alert: 'SvcLaneLate',
    find({ most, worst }) {
      const seconds = most('svc_lane_lag_seconds');
      if (seconds <= 2 * minute) return ok('All background work is done on time.');
      const lane = worst('svc_lane_lag_seconds', 'lane');
      const sentence = `The lane "${lane}" is ${durationOf(seconds)} behind.`;
      return seconds > 15 * minute ? failed(sentence) : warning(sentence);
    },
  },
  processor: {
    alert: 'SvcProcessorEventUnmatched',
    find({ most }) {
      const events = most('svc_processor_events_unmatched');
      return events === 0
        ? ok('Every report of the processor is in the books.')
        : warning(
            `${counted(events, 'report')} of the processor moved money that is not in the books.`,
          );
    },
  },
  payments: {
    alert: 'SvcPaymentUnknown',
    find({ most }) {
      const seconds = most('svc_processor_call_age_seconds', { state: 'unknown' });
      const refused = most('svc_processor_refunds_refused');
      if (seconds > 30 * minute) {
        return failed(`The outcome of a payment is unknown for ${durationOf(seconds)}.`);
      }
      if (refused > 0)
        return warning(`${counted(refused, 'refund')} of the last week were refused.`);
      return ok('The outcome of every payment is known or expected.');
    },
  },
  mail: {
    alert: 'SvcMailsGivenUp',
    find({ most }) {
      const givenUp = most('svc_mails_given_up');
      const bounced = most('svc_mails_bounced');
      if (givenUp > 0) {
        return warning(`${counted(givenUp, 'mail')} of the last week could not be sent.`);
      }
      return bounced > 0
        ? warning(`${counted(bounced, 'mail')} of the last week bounced.`)
        : ok('Mails are sent.');
    },
  },
  notices: {
    alert: 'SvcNoticesLate',
    find({ most }) {
      const late = most('svc_notices_late');
      const waiting = most('svc_notices_to_print');
      if (late > 0)
        return failed(`${counted(late, 'notice')} must be sent on paper within a week.`);
      return waiting > 0
        ? warning(`${counted(waiting, 'notice')} must be sent on paper.`)
        : ok('No notice has to be printed.');
    },
  },
  webhooks: {
    alert: 'SvcWebhooksLate',
    find({ most }) {
      const seconds = most('svc_webhook_due_lag_seconds');
      const failing = most('svc_webhook_endpoints_failing');
      if (seconds > minute) return failed(`Webhooks are ${durationOf(seconds)} late.`);
      return failing > 0
        ? warning(`${counted(failing, 'partner endpoint')} with failed deliveries.`)
        : ok('Webhooks are delivered.');
    },
  },
  outbox: {
    alert: 'SvcOutboxLate',
    find({ most }) {
      const seconds = most('svc_outbox_age_seconds');
      const parked = most('svc_outbox_items', { state: 'parked' });
      if (seconds > 5 * minute) {
        return failed(`Messages wait for another system for ${durationOf(seconds)}.`);
      }
      return parked > 0
        ? warning(`Another system has refused ${counted(parked, 'message')}.`)
        : ok('No message waits for another system.');
    },
  },
  settlements: {
    alert: 'SvcSettlementsStale',
    find({ most }) {
      const cents = most('svc_settlement_cents', { stale: 'true' });
      return cents > 0
        ? warning(`Portals have not debited ${dollars(cents)} in time.`)
        : ok('Portals debit what we owe in time.');
    },
  },
  payouts: {
    alert: 'SvcPayoutsOverdue',
    find({ most }) {
      const failing = most('svc_payouts_failing');
      const overdue = most('svc_payouts_overdue');
      if (failing > 0) {
        return failed(`The last three payouts of ${counted(failing, 'portal')} did not arrive.`);
      }
      return overdue > 0
        ? warning(`${counted(overdue, 'payout')} should have been sent or confirmed.`)
        : ok('Payouts are on time.');
    },
  },
  books: {
    alert: 'SvcDayNotClosed',
    find({ most }) {
      const days = most('svc_books_open_days');
      const seconds = most('svc_books_exception_age_seconds');
      if (days > 2) return warning(`${counted(days, 'banking day')} are not closed.`);
      return seconds > 7 * day
        ? warning(`An exception of the books is ${durationOf(seconds)} old.`)
        : ok(days === 0 ? 'Every day that has ended is closed.' : 'The books are up to date.');
    },
  },
  ledger: { alert: 'SvcChecksOverdue', find: (read) => verified(read, 'ledger', 'The ledger') },
  audit: {
    alert: 'SvcChecksOverdue',
    find: (read) => verified(read, 'audit', 'The chain of the audit log'),
  },
  backup: {
    alert: 'SvcBackupOverdue',
    find({ most }) {
      const seconds = most('svc_operator_check_age_seconds', { check: 'backup' });
      return seconds > 26 * 60 * minute
        ? failed(`No backup was recorded for ${durationOf(seconds)}.`)
        : ok(`The last backup is ${durationOf(seconds)} old.`);
    },
  },
  money: {
    alert: 'SvcMoneyStopped',
    find({ most }) {
      if (most('svc_money_stopped') > 0) return failed('All money is stopped.');
      const pauses = most('svc_collections_paused');
      return pauses > 0
        ? warning(`Collections are paused in ${counted(pauses, 'place')}.`)
        : ok('Money moves, and no collections are paused.');
    },
  },
  database: {
    alert: 'SvcOldTransaction',
    find({ most }) {
      const seconds = most('svc_db_oldest_transaction_seconds');
      return seconds > 5 * minute
        ? warning(`A transaction of the database is open for ${durationOf(seconds)}.`)
        : ok('The database answers.');
    },
  },
};

function verified({ most }: Reader, check: 'ledger' | 'audit', what: string): Finding {
  const faults = most('svc_operator_check_faults', { check });
  const seconds = most('svc_operator_check_age_seconds', { check });
  if (faults > 0) return failed(`${what} has ${counted(faults, 'fault')}.`);
  return seconds > 2 * day
    ? warning(`${what} was not verified for ${durationOf(seconds)}.`)
    : ok(`${what} was verified ${durationOf(seconds)} ago.`);
}

function ok(sentence: string): Finding {
  return { state: 'ok', sentence };
}

function warning(sentence: string): Finding {
  return { state: 'warning', sentence };
}

function failed(sentence: string): Finding {
  return { state: 'failed', sentence };
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function durationOf(seconds: number): string {
  if (seconds < 2 * minute) return `${Math.round(seconds)} seconds`;
  if (seconds < 2 * 60 * minute) return `${Math.round(seconds / minute)} minutes`;
  if (seconds < 2 * day) return `${Math.round(seconds / 60 / minute)} hours`;
  return `${Math.round(seconds / day)} days`;
}

function dollars(cents: number): string {
  return (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' });
}
