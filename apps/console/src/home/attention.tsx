import { pollIntervals } from '@svc/ui/console/api/poll-intervals.ts';
import { LoadState } from '@svc/ui/console/parts/page-states.tsx';
import { StateMark, type Tone } from '@svc/ui/console/parts/state-mark.tsx';
import { formatDate } from '@svc/ui/console/text/format-date.ts';
import { formatCents } from '@svc/ui/console/text/format-money.ts';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { countOutcomes } from '../activity/summarize-activity.ts';
import { type EndpointHealth, healthQuery } from '../api/activity.ts';
import { type Endpoint, endpointsQuery } from '../api/endpoints.ts';
import { type Payout, payoutList } from '../api/payouts.ts';
import { settlementList } from '../api/settlements.ts';
import { heldWords } from '../endpoints/endpoint-state.tsx';

/** Lists what needs the partner's attention. Money is read with the scope `admin` only. */
export function Attention({ isAdmin }: { isAdmin: boolean }) {
  const poll = { refetchInterval: pollIntervals.background };
  const endpoints = useQuery({ ...endpointsQuery, ...poll });
  const health = useQuery({ ...healthQuery, ...poll });
  const stale = useInfiniteQuery({
    ...settlementList.query({ is_stale: 'true' }),
    ...poll,
    enabled: isAdmin,
  });
  const payouts = useInfiniteQuery({ ...payoutList.query({}), ...poll, enabled: isAdmin });
  const queries = isAdmin ? [endpoints, health, stale, payouts] : [endpoints, health];
  const hasAll = queries.every(({ data }) => data !== undefined);
  const failedQuery = queries.find(({ error, data }) => error !== null && data === undefined);
  const items = hasAll
    ? [
        ...(endpoints.data ?? []).flatMap((endpoint) => endpointItems(endpoint, health.data ?? [])),
        ...staleSettlementItems(stale.data?.pages[0]),
        ...payoutItems(payouts.data?.pages[0]?.items ?? []),
      ]
    : [];
  return (
    <section className="home__part" aria-labelledby="home-attention">
      <h2 id="home-attention" className="home__title">
        Needs attention
      </h2>
      <LoadState
        query={failedQuery ?? queries.find(({ isPending }) => isPending) ?? endpoints}
        loading="Loading what needs attention"
        rows={2}
        failed="What needs attention could not be loaded"
      />
      {hasAll && items.length === 0 ? (
        <p className="home__calm">
          <StateMark tone="good">Nothing needs your attention.</StateMark>
        </p>
      ) : null}
      {items.length > 0 ? (
        <ul className="home__items">
          {items.map(({ id, tone, word, about, link }) => (
            <li key={id}>
              <Link {...link} className="row home__item" data-row>
                <StateMark tone={tone}>{word}</StateMark>
                <span className="home__item-about">{about}</span>
              </Link>
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}

interface Item {
  readonly id: string;
  readonly tone: Tone;
  readonly word: string;
  readonly about: string;
  readonly link: Pick<LinkProps, 'to' | 'params' | 'search'>;
}

function endpointItems(endpoint: Endpoint, health: readonly EndpointHealth[]): Item[] {
  const { id, url, state, failing_since, disabled_reason, held_count } = endpoint;
  const link: Item['link'] = { to: '/endpoints/$endpointId', params: { endpointId: id } };
  const where = visibleText(url);
  if (state === 'enabled' && failing_since !== null)
    return [{ id, tone: 'bad', word: 'Endpoint fails', about: where, link }];
  if (state !== 'enabled') {
    if (disabled_reason === 'by_owner' && held_count === 0) return [];
    const held = held_count === 0 ? '' : `, ${heldWords(held_count)} held`;
    return [{ id, tone: 'bad', word: `Endpoint disabled${held}`, about: where, link }];
  }
  const hours = health.find(({ endpoint_id }) => endpoint_id === id)?.hours ?? [];
  const { delivered, failed } = countOutcomes(hours);
  if (failed === 0) return [];
  const count = (number: number) => number.toLocaleString('en-US');
  return [
    {
      id,
      tone: 'warn',
      word: 'Failed attempts',
      about: `${count(failed)} of ${count(delivered + failed)} in the last 24 hours: ${where}`,
      link: { to: '/deliveries', search: { endpoint_id: id, order: 'failures_first' } },
    },
  ];
}

function staleSettlementItems(
  page: { readonly items: readonly unknown[]; readonly next_cursor: string | null } | undefined,
): Item[] {
  const number = page?.items.length ?? 0;
  if (number === 0) return [];
  const words = `${number}${page?.next_cursor === null ? '' : ' or more'}`;
  return [
    {
      id: 'stale',
      tone: 'warn',
      word: 'Overdue reports',
      about: `${words} ${number === 1 ? 'settlement is' : 'settlements are'} still open three banking days after the debit was due`,
      link: { to: '/settlements', search: { is_stale: 'true' } },
    },
  ];
}

/** Lists payouts that did not arrive. A later payout that was paid includes their lines and so settles them. */
function payoutItems(payouts: readonly Payout[]): Item[] {
  return payouts.flatMap(({ id, status, day, amount_in_cents, failure_reason, ended_at }) => {
    if (status !== 'failed' && status !== 'returned') return [];
    const isSettled = payouts.some(
      (other) => other.status === 'paid' && ended_at !== null && other.created_at > ended_at,
    );
    if (isSettled) return [];
    const reason = failure_reason === null ? '' : `: ${visibleText(failure_reason)}`;
    return [
      {
        id,
        tone: 'bad',
        word: status === 'failed' ? 'Payout failed' : 'Payout returned',
        about: `${formatCents(amount_in_cents)} of ${formatDate(day)}${reason}`,
        link: { to: '/payouts', search: { status } },
      },
    ];
  });
}
