import { pollIntervals } from '@svc/ui/console/api/poll-intervals.ts';
import { PageHeader } from '@svc/ui/console/parts/page-header.tsx';
import { Empty, RowList } from '@svc/ui/console/parts/page-states.tsx';
import { StateMark } from '@svc/ui/console/parts/state-mark.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { Ago } from '@svc/ui/console/time/time.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type ListedPartner, partnersQuery } from '../api/partners.ts';
import { useMayRun } from '../commands/command-button.tsx';
import { CsvLink } from '../parts/csv-link.tsx';
import { HandOverDialog } from './hand-over-dialog.tsx';
import './partners.css';

/** Every portal with the state of its integration. */
export function PartnersPage() {
  const partners = useQuery({ ...partnersQuery, refetchInterval: pollIntervals.background });
  const [isCreating, setCreating] = useState(false);
  const create = useMayRun('partner-create') ? (
    <button
      type="button"
      className="svc-button svc-button--small"
      onClick={() => setCreating(true)}
    >
      New partner
    </button>
  ) : null;
  const isEmpty = partners.data?.length === 0;
  return (
    <div className="page">
      <PageHeader
        title="Partners"
        actions={
          isEmpty ? null : (
            <>
              <CsvLink href="/partners.csv" />
              {create}
            </>
          )
        }
      >
        <p className="page-header__lead">
          The portals that offer plans to their tenants, with what their integration does now.
        </p>
      </PageHeader>
      <RowList
        query={partners}
        items={partners.data ?? []}
        loading="Loading the partners"
        rows={6}
        failed="The partners could not be loaded"
        empty={
          <Empty icon="tenants" title="No partner yet">
            <p>
              A partner is a property portal that calls your API with its own key. Create one, and
              send its developer a link to the key.
            </p>
            {create}
          </Empty>
        }
      >
        {(partner) => <PartnerRow key={partner.pms} partner={partner} />}
      </RowList>
      <HandOverDialog open={isCreating} pms={null} onClose={() => setCreating(false)} />
    </div>
  );
}

function PartnerRow({ partner }: { partner: ListedPartner }) {
  const { pms, name, live_keys, last_used_at } = partner;
  return (
    <li>
      <Link to="/partners/$pms" params={{ pms }} className="row partner-row" data-row>
        <span className="partner-row__name">
          {visibleText(name)}
          {name === pms ? null : <code className="partner-row__pms">{visibleText(pms)}</code>}
        </span>
        <EndpointsState partner={partner} />
        <span className="partner-row__keys">{live_keys === 1 ? '1 key' : `${live_keys} keys`}</span>
        <span className="partner-row__used">
          {last_used_at === null ? (
            'Never called'
          ) : (
            <>
              Called <Ago at={last_used_at} />
            </>
          )}
        </span>
      </Link>
    </li>
  );
}

function EndpointsState({ partner }: { partner: ListedPartner }) {
  const { endpoints, failing_endpoints: failing } = partner;
  if (endpoints === 0) return <StateMark tone="neutral">No endpoint</StateMark>;
  if (failing === 0) {
    return (
      <StateMark tone="good">{endpoints === 1 ? 'Delivers' : `${endpoints} deliver`}</StateMark>
    );
  }
  return (
    <StateMark tone="bad">{`${failing} of ${endpoints} ${failing === 1 ? 'fails' : 'fail'}`}</StateMark>
  );
}
