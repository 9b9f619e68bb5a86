import { pollIntervals } from '@svc/ui/console/api/poll-intervals.ts';
import { MenuFilter } from '@svc/ui/console/filters/menu-filter.tsx';
import { withoutEmpty, writeSearch } from '@svc/ui/console/filters/search-params.ts';
import { PageHeader } from '@svc/ui/console/parts/page-header.tsx';
import { Empty, RowList } from '@svc/ui/console/parts/page-states.tsx';
import { StateMark, type Tone } from '@svc/ui/console/parts/state-mark.tsx';
import { formatDate } from '@svc/ui/console/text/format-date.ts';
import { formatCents } from '@svc/ui/console/text/format-money.ts';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type Payout, payoutsQuery } from '../api/money.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { CommandMenu } from '../commands/command-menu.tsx';
import { CsvLink } from '../parts/csv-link.tsx';
import { PortalFilter } from '../parts/portal-filter.tsx';
import './money.css';

const route = getRouteApi('/money/payouts');

const states: Record<string, { tone: Tone; word: string; commands: readonly string[] }> = {
  pending: {
    tone: 'warn',
    word: 'To be sent',
    commands: ['payout-send', 'payout-confirm', 'payout-fail'],
  },
  sent: { tone: 'info', word: 'On its way', commands: ['payout-confirm', 'payout-fail'] },
  paid: { tone: 'good', word: 'Paid', commands: ['payout-return'] },
  failed: { tone: 'bad', word: 'Failed', commands: [] },
  returned: { tone: 'bad', word: 'Came back', commands: [] },
};

const senders: Record<string, string> = {
  operator: 'sent by us',
  portal: 'debited by the portal',
};

const actions: Record<string, string> = {
  'payout-send': 'Mark as sent…',
  'payout-confirm': 'It arrived…',
  'payout-fail': 'It did not arrive…',
  'payout-return': 'It came back…',
  'payout-statement': 'Print its lines…',
};

/** The payouts to portals, unfinished ones first. */
export function PayoutsPage() {
  const { partner, status } = route.useSearch();
  const navigate = useNavigate();
  const change = (part: { partner?: string | undefined; status?: string | undefined }) =>
    void navigate({
      to: '/money/payouts',
      search: withoutEmpty({ partner, status, ...part }),
      replace: true,
    });
  const payouts = useQuery({
    ...payoutsQuery({ partner, status }),
    refetchInterval: pollIntervals.background,
  });
  const isFiltered = partner !== undefined || status !== undefined;
  return (
    <div className="page">
      <PageHeader
        title="Payouts"
        actions={
          <CommandButton command="payout-create" input={{}}>
            Create a payout…
          </CommandButton>
        }
      >
        <p className="page-header__lead">What is paid to portals, once per banking day.</p>
      </PageHeader>
      <div className="filters">
        <div className="filters__chips">
          <MenuFilter
            label="State"
            value={status}
            options={Object.entries(states).map(([value, { word }]) => ({ value, label: word }))}
            onChange={(value) => change({ status: value })}
          />
          <PortalFilter value={partner} onChange={(value) => change({ partner: value })} />
        </div>
        <div className="filters__more">
          <CsvLink href={`/payouts.csv${writeSearch({ partner, status })}`} />
        </div>
      </div>
      <RowList
        query={payouts}
        items={payouts.data?.items ?? []}
        loading="Loading the payouts"
        rows={8}
        failed="The payouts could not be loaded"
        empty={
          <Empty icon="payouts" title={isFiltered ? 'No payout matches' : 'No payouts yet'}>
            <p>
              {isFiltered
                ? 'Remove a filter to see others.'
                : 'Turn payouts on for a portal with “Set how a portal is paid”. What we owe it is then summed once per banking day and appears here, to be sent by you or by the processor.'}
            </p>
          </Empty>
        }
      >
        {(payout) => <PayoutRow key={payout.id} payout={payout} />}
      </RowList>
      {payouts.data?.has_more ? (
        <p className="money__quiet">Only the newest are listed. The CSV has all.</p>
      ) : null}
    </div>
  );
}

function PayoutRow({ payout }: { payout: Payout }) {
  const { id, status, day, amount_in_cents, line_count, destination, reference } = payout;
  const { tone, word } = states[status] ?? { tone: 'neutral', word: status };
  return (
    <li className="payout" data-row tabIndex={-1}>
      <span className="payout__amount">{formatCents(amount_in_cents)}</span>
      <StateMark tone={tone}>{word}</StateMark>
      <span className="payout__words">
        <span>
          {visibleText(payout.partner)}, {formatDate(day)},{' '}
          {line_count === 1 ? '1 line' : `${line_count} lines`}
        </span>
        <span className="money__quiet">
          to {visibleText(destination)},{' '}
          {senders[payout.sent_by] ?? `by ${visibleText(payout.sent_by)}`}
          {reference === null ? null : `, ${visibleText(reference)}`}
        </span>
        {payout.failure_reason === null ? null : (
          <span className="payout__failure">{visibleText(payout.failure_reason)}</span>
        )}
        <code>{id}</code>
      </span>
      <PayoutMenu payout={payout} />
    </li>
  );
}

function PayoutMenu({ payout }: { payout: Payout }) {
  const { id, status, partner, amount_in_cents, day } = payout;
  const about = `${formatCents(amount_in_cents)} to ${partner}, of ${formatDate(day)}.`;
  return (
    <div className="payout__act">
      <CommandMenu
        label={`Actions of ${id}`}
        commands={[...(states[status]?.commands ?? []), 'payout-statement'].map((name) => ({
          name,
          label: actions[name] ?? name,
          input: { payout_id: id },
          about,
        }))}
      />
    </div>
  );
}
