import { pollIntervals } from '@svc/ui/console/api/poll-intervals.ts';
import { MenuFilter } from '@svc/ui/console/filters/menu-filter.tsx';
import { withoutEmpty } from '@svc/ui/console/filters/search-params.ts';
import { Icon, type IconName } from '@svc/ui/console/parts/icon.tsx';
import { Empty, LoadState, MoreRows } from '@svc/ui/console/parts/page-states.tsx';
import { StateMark } from '@svc/ui/console/parts/state-mark.tsx';
import { formatCents } from '@svc/ui/console/text/format-money.ts';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { localDay, minuteTime } from '@svc/ui/console/time/format-time.ts';
import { Ago } from '@svc/ui/console/time/time.tsx';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import {
  type TenantName,
  type TimelineEntry,
  type TimelineKind,
  timelineCsv,
  timelineList,
} from '../api/tenants.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { CsvLink } from '../parts/csv-link.tsx';
import { markOf } from './describe-tenant.ts';
import { EntryDetails } from './entry-details.tsx';
import './timeline.css';

const route = getRouteApi('/tenants/$partner/$externalId');

/** Everything that happened to the tenant, newest first. The kinds to show are in the address. */
export function Timeline({ name }: { name: TenantName }) {
  const { kinds, about } = route.useSearch();
  const navigate = useNavigate();
  const timeline = useInfiniteQuery({
    ...timelineList(name, kinds),
    refetchInterval: pollIntervals.background,
  });
  const entries = timeline.data?.pages.flatMap((page) => page.items) ?? [];
  const list = useRef<HTMLOListElement>(null);
  const hasEntries = entries.length > 0;
  useEffect(() => {
    // The person came from a search result that links to this entry.
    if (!hasEntries || about === undefined) return;
    list.current?.querySelector('[data-about] [open]')?.scrollIntoView({ block: 'center' });
  }, [hasEntries, about]);
  return (
    <section className="timeline" aria-labelledby="timeline-title">
      <div className="timeline__head">
        <h2 id="timeline-title" className="section-title">
          Timeline
        </h2>
        <MenuFilter
          label="Kinds"
          many
          value={kinds}
          options={kindOptions}
          onChange={(chosen) =>
            void navigate({
              to: '/tenants/$partner/$externalId',
              params: { ...name },
              search: withoutEmpty({ about, kinds: chosen }),
              replace: true,
            })
          }
        />
        <CsvLink href={timelineCsv(name, kinds)} />
      </div>
      <LoadState
        query={timeline}
        loading="Loading the timeline"
        rows={6}
        failed="The timeline could not be loaded"
      />
      {timeline.isSuccess && !hasEntries ? (
        <Empty
          icon={kinds === undefined ? 'clock' : 'filter'}
          title={kinds === undefined ? 'Nothing has happened yet' : 'Nothing of this kind'}
        >
          <p>
            {kinds === undefined
              ? 'The first entry appears when the portal reports what this tenant owes.'
              : 'Choose another kind, or remove the filter to see everything.'}
          </p>
        </Empty>
      ) : null}
      {hasEntries ? (
        <ol className="entries" ref={list}>
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} about={about} />
          ))}
        </ol>
      ) : null}
      <MoreRows of={timeline}>Show older entries</MoreRows>
      {hasEntries && kinds === undefined ? (
        <p className="timeline__note">
          Webhooks that no endpoint has subscribed to are left out. Choose Webhooks in Kinds to see
          them.
        </p>
      ) : null}
    </section>
  );
}

/** Opens the entry that a search result links to, and marks those about the same thing, such as a plan. */
function Entry({ entry, about }: { entry: TimelineEntry; about: string | undefined }) {
  const { id, kind, at, title, state, amount_in_cents, subject_id } = entry;
  const isAbout = about !== undefined && (id === about || subject_id === about);
  return (
    <li className="entry" data-about={isAbout}>
      <details className="entry__details" open={id === about}>
        <summary className="entry__line" data-row>
          <span className="entry__icon">
            <Icon name={kindMarks[kind].icon} />
          </span>
          <span className="entry__title">{visibleText(title)}</span>
          {state !== null && hasTone(state) ? (
            <StateMark tone={markOf(state).tone}>{markOf(state).word}</StateMark>
          ) : null}
          {amount_in_cents === null ? null : (
            <span className="entry__amount">{formatCents(amount_in_cents)}</span>
          )}
          <span className="entry__time">
            <Ago at={at} />
            <TenantDay entry={entry} />
          </span>
        </summary>
        <EntryDetails entry={entry} />
        <EntryActions entry={entry} />
      </details>
    </li>
  );
}

/** The day on the tenant's simulated clock, shown only when it differs from the real day. */
function TenantDay({ entry: { at, tenant_time } }: { entry: TimelineEntry }) {
  if (tenant_time === null || localDay(tenant_time) === localDay(at)) return null;
  return (
    <time
      className="entry__day"
      dateTime={tenant_time}
      title={`Tenant time: ${minuteTime(tenant_time)}`}
    >
      {localDay(tenant_time)}
    </time>
  );
}

/** Actions on an entry. */
function EntryActions({ entry: { kind, id, state, subject_id } }: { entry: TimelineEntry }) {
  if (kind === 'payment' && state === 'succeeded') {
    return (
      <div className="entry__actions">
        <CommandButton command="payment-refund" input={{ payment_id: id }}>
          Refund…
        </CommandButton>
        <CommandButton command="payment-return" input={{ payment_id: id }}>
          Record a return…
        </CommandButton>
      </div>
    );
  }
  if (kind === 'mail') {
    return (
      <div className="entry__actions">
        <CommandButton command="mail-resend" input={{ mail_id: id }}>
          Send again…
        </CommandButton>
        <CommandButton command="mail-print" input={{ mail_id: id }}>
          Print…
        </CommandButton>
      </div>
    );
  }
  if (kind === 'application' && state === 'in_review') {
    return (
      <div className="entry__actions">
        <CommandButton command="review-decide" input={{ application_id: id }}>
          Decide…
        </CommandButton>
      </div>
    );
  }
  if (kind === 'settlement' && state === 'failed' && subject_id !== null) {
    return (
      <div className="entry__actions">
        <CommandButton command="settlement-reopen" input={{ settlement_id: subject_id }}>
          Reopen…
        </CommandButton>
      </div>
    );
  }
  return null;
}

function hasTone(state: string): boolean {
  return markOf(state).tone !== 'neutral';
}

const kindMarks: Record<TimelineKind, { icon: IconName; label: string }> = {
  request: { icon: 'requests', label: 'Reports of the portal' },
  application: { icon: 'doctor', label: 'Applications' },
  decision: { icon: 'debugger', label: 'Decisions' },
  consent: { icon: 'check', label: 'Consents' },
  plan: { icon: 'catalog', label: 'Plan' },
  payment: { icon: 'payouts', label: 'Payments' },
  dispute: { icon: 'back', label: 'Returns and disputes' },
  settlement: { icon: 'settlements', label: 'Settlements' },
  refund: { icon: 'replay', label: 'Refunds from the portal' },
  mail: { icon: 'messages', label: 'Mails' },
  text: { icon: 'messages', label: 'Texts' },
  posting: { icon: 'activity', label: 'Ledger' },
  webhook: { icon: 'send', label: 'Webhooks' },
  action: { icon: 'user', label: 'Actions of people' },
};

const kindOptions = Object.entries(kindMarks).map(([value, { label }]) => ({ value, label }));
