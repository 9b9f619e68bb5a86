import { CopyButton } from '@svc/ui/console/parts/copy-button.tsx';
import { Icon } from '@svc/ui/console/parts/icon.tsx';
import { LoadState } from '@svc/ui/console/parts/page-states.tsx';
import { formatCents } from '@svc/ui/console/text/format-money.ts';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { minuteTime } from '@svc/ui/console/time/format-time.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { historyQuery, type TenantEvent, type TenantHistory } from '../api/time-machine.ts';
import { ReadOnlyNotice } from '../session/read-only-notice.tsx';
import { useSession } from '../session/use-session.ts';
import { inWords } from '../tenants/describe-tenant.ts';
import { countEqual, findDifference, isEqualEvent, isEqualPosting } from './compare-histories.ts';
import { EventRows } from './event-rows.tsx';
import { ExportCommand } from './export-command.tsx';
import { Screen } from './screen.tsx';
import { TenantNow } from './tenant-now.tsx';

/** A tenant and a copy side by side: clock, plan, screens, webhooks and ledger. */
export function Comparison({ tenant, copy }: { tenant: string; copy: string }) {
  const { read_only } = useSession();
  const one = useQuery(historyQuery(tenant));
  const other = useQuery(historyQuery(copy));
  const { data: original } = one;
  const { data: copied } = other;
  return (
    <>
      <p className="time-machine__place">
        <Link to="/time-machine" search={{ tenant }} className="svc-link">
          <Icon name="back" /> Webhooks of {visibleText(tenant)}
        </Link>
        <span className="time-machine__share">
          Copy link <CopyButton text={() => Promise.resolve(location.href)} label="Copy link" />
        </span>
      </p>
      <LoadState
        query={one}
        loading="Loading the tenant"
        rows={4}
        failed="The tenant could not be loaded"
      />
      <LoadState
        query={other}
        loading="Loading the copy"
        rows={4}
        failed="The copy could not be loaded"
      />
      {original && copied ? (
        <>
          <Origin original={original} copied={copied} />
          {read_only ? <ReadOnlyNotice what="change the copy" /> : null}
          <Sides
            title="Now"
            one={<TenantNow history={original} actions={false} />}
            other={<TenantNow history={copied} actions={!read_only} />}
          />
          {read_only ? null : (
            <Sides
              title="Screens"
              one={<Screen history={original} />}
              other={<Screen history={copied} />}
            />
          )}
          <Webhooks original={original} copied={copied} />
          <Ledger original={original} copied={copied} />
          <ExportCommand
            tenant={copied.forked_from ?? tenant}
            at={copied.forked_at}
            change={copied.change}
          />
        </>
      ) : null}
    </>
  );
}

interface Histories {
  readonly original: TenantHistory;
  readonly copied: TenantHistory;
}

const changeWords: Record<string, string> = {
  fail_next_payment: 'In the copy, the next payment fails with',
  advance_clock: 'In the copy, the clock moved on by',
  underwriting_result: 'In the copy, an application has the result',
  terms_version: 'In the copy, the terms are',
};

/** Explains what the copy repeats and what was changed in it, or that it could not be reproduced. */
function Origin({ original, copied }: Histories) {
  const { forked_from, forked_at, reproduced_events, change } = copied;
  if (forked_from === null) {
    return <p>{visibleText(copied.external_id)} is not a copy. Both are compared as they are.</p>;
  }
  const at = original.events.findIndex(({ id }) => id === forked_at);
  const reproduced = reproduced_events ?? 0;
  if (forked_from === original.external_id && at >= reproduced) {
    return (
      <div className="svc-notice svc-tone-warn" role="status">
        <p className="svc-notice__title">The copy did not come out like the tenant</p>
        <p>
          {reproduced} of {at + 1} webhooks are equal. Something changed in between, such as the
          terms, or something other than a call of the API caused it. The first difference is marked
          below.
        </p>
      </div>
    );
  }
  const changed = Object.entries(change ?? {})[0];
  return (
    <p>
      {visibleText(copied.external_id)} repeats {reproduced}{' '}
      {reproduced === 1 ? 'webhook' : 'webhooks'} of {visibleText(forked_from)}
      {at === -1 ? '' : `, up to ${original.events[at]?.type}`}.{' '}
      {changed ? (
        <>
          {changeWords[changed[0]]} <code>{changed[1]}</code>.
        </>
      ) : (
        'Nothing was changed.'
      )}
    </p>
  );
}

function Sides(props: { title: string; equal?: ReactNode; one: ReactNode; other: ReactNode }) {
  return (
    <section className="sides" aria-label={props.title}>
      <h2 className="section-title">{props.title}</h2>
      {props.equal}
      <div className="sides__both">
        <div>{props.one}</div>
        <div>{props.other}</div>
      </div>
    </section>
  );
}

function Webhooks({ original, copied }: Histories) {
  const equal = countEqual(original.events, copied.events, isEqualEvent);
  const [one, other] = [original.events.slice(equal), copied.events.slice(equal)];
  const [first, second] = [one[0], other[0]];
  const isDifferent = first !== undefined && second !== undefined;
  const side = (history: TenantHistory, events: TenantEvent[], difference: string | null) => (
    <Side name={history.external_id} rest={events.length} what="webhooks">
      <EventRows events={events} onCopy={null} {...(isDifferent ? { difference } : {})} />
    </Side>
  );
  return (
    <Sides
      title="Webhooks"
      equal={
        <Equal count={equal} what={equal === 1 ? 'webhook is' : 'webhooks are'}>
          <EventRows events={original.events.slice(0, equal)} onCopy={null} />
        </Equal>
      }
      one={side(original, one, describeSide(first, second, 'one'))}
      other={side(copied, other, describeSide(first, second, 'other'))}
    />
  );
}

/** Describes one side of the first difference, such as `fee_in_cents is 3000`. Null if the types differ. */
function describeSide(
  first: TenantEvent | undefined,
  second: TenantEvent | undefined,
  side: 'one' | 'other',
): string | null {
  if (!first || !second || first.type !== second.type) return null;
  const difference = findDifference(first.data, second.data);
  if (difference === null) return 'another time';
  return `${difference.path} is ${JSON.stringify(difference[side]) ?? 'missing'}`;
}

function Ledger({ original, copied }: Histories) {
  const equal = countEqual(original.postings, copied.postings, isEqualPosting);
  const side = ({ external_id, postings }: TenantHistory) => (
    <Side name={external_id} rest={postings.length - equal} what="transfers">
      <Postings postings={postings.slice(equal)} />
    </Side>
  );
  return (
    <Sides
      title="Ledger"
      equal={
        <Equal count={equal} what={equal === 1 ? 'transfer is' : 'transfers are'}>
          <Postings postings={original.postings.slice(0, equal)} />
        </Equal>
      }
      one={side(original)}
      other={side(copied)}
    />
  );
}

/** The items at the start that are equal on both sides, collapsed. */
function Equal({ count, what, children }: { count: number; what: string; children: ReactNode }) {
  if (count === 0) return null;
  return (
    <details className="sides__equal">
      <summary>
        {count} {what} equal
      </summary>
      {children}
    </details>
  );
}

function Side(props: { name: string; rest: number; what: string; children: ReactNode }) {
  return (
    <>
      <h3 className="sides__name">{visibleText(props.name)}</h3>
      {props.rest === 0 ? <p className="side-card__quiet">No other {props.what}.</p> : null}
      {props.children}
    </>
  );
}

function Postings({ postings }: { postings: TenantHistory['postings'] }) {
  return (
    <ol className="postings">
      {postings.map((posting, index) => (
        <li key={index} className="postings__one">
          <p className="postings__head">
            <b>{inWords(posting.kind)}</b>
            <time dateTime={posting.occurred_at}>{minuteTime(posting.occurred_at)}</time>
          </p>
          <dl>
            {posting.entries.map(({ account, amount_in_cents }) => (
              <div key={`${account} ${amount_in_cents}`}>
                <dt>{inWords(account)}</dt>
                <dd>{formatCents(amount_in_cents)}</dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ol>
  );
}
