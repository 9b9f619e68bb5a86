import { formatDate } from '@svc/ui/console/text/format-date.ts';
import { formatCents } from '@svc/ui/console/text/format-money.ts';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { exactTime, minuteTime } from '@svc/ui/console/time/format-time.ts';
import type { ReactNode } from 'react';
import type { TimelineEntry } from '../api/tenants.ts';
import { sayWord } from './describe-tenant.ts';

/** The details of a timeline entry, below its line. */
export function EntryDetails({ entry }: { entry: TimelineEntry }) {
  const { at, tenant_time, by, subject_id, id, details } = entry;
  // The entry's title already says the type of a mail or message.
  const { deliveries, entries, type: _, event_type: __, ...others } = details;
  return (
    <>
      <dl className="entry__facts">
        <Detail name="Wall time">{exactTime(at)}</Detail>
        {tenant_time === null ? null : (
          <Detail name="Tenant time">{minuteTime(tenant_time)}</Detail>
        )}
        {by === null ? null : <Detail name="By">{visibleText(by)}</Detail>}
        {subject_id === null ? null : (
          <Detail name="About">
            <code>{subject_id}</code>
          </Detail>
        )}
        <Detail name="Entry">
          <code>{id}</code>
        </Detail>
        {rowsOf(others).map(([name, value], row) => (
          <Detail key={row} name={labelOf(name)}>
            {detailText(name, value)}
          </Detail>
        ))}
      </dl>
      {Array.isArray(entries) ? <Postings of={entries} /> : null}
      {Array.isArray(deliveries) ? <Deliveries of={deliveries} /> : null}
    </>
  );
}

interface Posting {
  readonly account: string;
  readonly amount_in_cents: number;
}

/** The lines of a ledger transfer: debits, then credits. */
function Postings({ of }: { of: readonly Posting[] }) {
  return (
    <table className="entry__table">
      <thead>
        <tr>
          <th scope="col">Account</th>
          <th scope="col">Debit</th>
          <th scope="col">Credit</th>
        </tr>
      </thead>
      <tbody>
        {of.map(({ account, amount_in_cents: cents }) => (
          <tr key={account}>
            <th scope="row">{sayWord(account)}</th>
            <td>{cents > 0 ? formatCents(cents) : ''}</td>
            <td>{cents < 0 ? formatCents(-cents) : ''}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface Delivery {
  readonly endpoint_url: string;
  readonly state: string;
  readonly next_attempt_at: string | null;
  readonly attempts: readonly { readonly at: string; readonly answer: string }[];
}

/** The endpoints that a message was sent to, with only the class of each response. */
function Deliveries({ of }: { of: readonly Delivery[] }) {
  return of.map(({ endpoint_url, state, next_attempt_at, attempts }) => (
    <table key={endpoint_url} className="entry__table">
      <caption>
        <code>{visibleText(endpoint_url)}</code> {sayWord(state)}
        {next_attempt_at === null ? '' : `, next attempt ${minuteTime(next_attempt_at)}`}
      </caption>
      <thead>
        <tr>
          <th scope="col">Attempt</th>
          <th scope="col">Time</th>
          <th scope="col">Answer</th>
        </tr>
      </thead>
      <tbody>
        {attempts.map(({ at, answer }, index) => (
          <tr key={at}>
            <th scope="row">{index + 1}</th>
            <td>{exactTime(at)}</td>
            <td>{responseLabels[answer] ?? sayWord(answer)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  ));
}

const responseLabels: Readonly<Record<string, string>> = {
  none: 'No answer',
  '2xx': 'Accepted (2xx)',
  '3xx': 'Redirected (3xx)',
  '4xx': 'Refused (4xx)',
  '5xx': 'Server error (5xx)',
  dns: 'Name not found',
  connect: 'No connection',
  tls: 'Certificate or TLS error',
  timeout: 'No answer in time',
  reset: 'Connection closed',
  protocol: 'Not HTTP',
  blocked_address: 'Address not allowed',
};

function Detail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Formats details as one line: "Monthly income $5,200.00, Lease age 400 days". */
export function sayFacts(facts: object): string {
  return rowsOf(facts)
    .map(([name, value]) => `${labelOf(name)} ${detailText(name, value)}`)
    .join(', ');
}

/**
 * Flattens details to rows. Leaves out null and empty ones, and replaces objects, such as a decision's facts, by
 * their members.
 */
function rowsOf(details: object): [name: string, value: unknown][] {
  return Object.entries(details).flatMap(([name, value]) => {
    if (value === null || (Array.isArray(value) && value.length === 0)) return [];
    return isRecord(value) ? rowsOf(value) : [[name, value]];
  });
}

export function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Details whose values are words of the API. */
const wordDetails = new Set(['about', 'debit_by', 'kind', 'via']);

/** Returns the label of a detail: "plan_id" is "Plan". */
function labelOf(name: string): string {
  return sayWord(name.replace(/^is_|_(id|in_(cents|ms|days|years))$/g, ''));
}

/** Formats the value of a detail. Its unit and form follow from the names and forms of the API. */
function detailText(name: string, value: unknown): string {
  if (typeof value === 'number' && name.endsWith('_in_cents')) return formatCents(value);
  const unit = /_in_(ms|days|years)$/.exec(name)?.[1];
  if (typeof value === 'number' && unit !== undefined) {
    return `${value} ${value === 1 ? unit.replace(/(day|year)s/, '$1') : unit}`;
  }
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'string') {
    if (/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value)) return minuteTime(value);
    if (/^\d{4}-\d\d-\d\d$/.test(value)) return formatDate(value);
    return visibleText(wordDetails.has(name) ? sayWord(value) : value);
  }
  if (Array.isArray(value)) return value.map((it) => itemText(name, it)).join(', ');
  return visibleText(String(value));
}

function itemText(name: string, item: unknown): string {
  if (typeof item === 'string') return visibleText(sayWord(item));
  return isRecord(item) ? sayFacts(item) : detailText(name, item);
}
