import { pollIntervals } from '@svc/ui/console/api/poll-intervals.ts';
import { MenuFilter } from '@svc/ui/console/filters/menu-filter.tsx';
import { withoutEmpty } from '@svc/ui/console/filters/search-params.ts';
import { Icon } from '@svc/ui/console/parts/icon.tsx';
import { listenToKeys } from '@svc/ui/console/parts/keyboard.ts';
import { PageHeader } from '@svc/ui/console/parts/page-header.tsx';
import { Empty, MoreRows, RowList } from '@svc/ui/console/parts/page-states.tsx';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { type QueueFilter, queueCsv, queueList, queuesQuery } from '../api/queues.ts';
import { CsvLink } from '../parts/csv-link.tsx';
import { useSelection } from '../parts/work-item.tsx';
import { usePermission } from '../session/use-session.ts';
import { ViewButton } from '../views/view-button.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { QueueItemRow } from './queue-item.tsx';
import './queues.css';

const route = getRouteApi('/queues/$queue');

/** The items of one queue. Several can be taken, released or snoozed at once. */
export function QueuePage() {
  const { queue } = route.useParams();
  const filter = route.useSearch();
  const navigate = useNavigate();
  const about = useQuery(queuesQuery).data?.find(({ name }) => name === queue);
  const list = useInfiniteQuery({
    ...queueList(queue, filter),
    refetchInterval: pollIntervals.background,
  });
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  const { chosen, toggle, clear } = useSelection();
  const selected = items.filter(({ id }) => chosen.has(id));
  const toggleFocused = useEffectEvent(() => {
    const id = document.activeElement?.closest<HTMLElement>('[data-item]')?.dataset.item;
    if (id !== undefined) toggle(id);
  });
  useEffect(() => listenToKeys({ x: () => toggleFocused() }), []);
  const mayWork = usePermission('work');
  const setFilter = (change: QueueFilter) =>
    void navigate({
      to: '/queues/$queue',
      params: { queue },
      search: withoutEmpty({ ...filter, ...change }),
    });
  return (
    <div className="page" key={`${queue} ${filter.snoozed} ${filter.owner}`}>
      <Link to="/queues" className="page__back svc-link">
        <Icon name="back" /> Queues
      </Link>
      <PageHeader title={about?.title ?? 'Queue'} />
      <div className="filters">
        <div className="filters__chips">
          <MenuFilter
            label="Show"
            value={filter.snoozed}
            options={[{ value: 'true', label: 'Snoozed' }]}
            onChange={(value) => setFilter({ snoozed: value })}
          />
          <MenuFilter
            label="Owner"
            value={filter.owner}
            options={[{ value: 'me', label: 'Me' }]}
            onChange={(value) => setFilter({ owner: value })}
          />
        </div>
        <div className="filters__more">
          <ViewButton />
          <CsvLink href={queueCsv(queue, filter)} />
        </div>
      </div>
      <RowList
        query={list}
        items={items}
        loading="Loading the queue"
        rows={6}
        failed="The queue could not be loaded"
        empty={<EmptyQueue filter={filter} />}
      >
        {(item) => (
          <QueueItemRow
            key={item.id}
            item={item}
            isChosen={chosen.has(item.id)}
            onToggle={mayWork ? () => toggle(item.id) : null}
          />
        )}
      </RowList>
      <MoreRows of={list}>Show more</MoreRows>
      <BulkBar queue={queue} items={selected} onDone={clear} />
    </div>
  );
}

function EmptyQueue({ filter: { snoozed, owner } }: { filter: QueueFilter }) {
  if (owner !== undefined) {
    return (
      <Empty icon="user" title="You have taken nothing here">
        <p>Select items and choose Take, so that others see that you work on them.</p>
      </Empty>
    );
  }
  if (snoozed !== undefined) {
    return (
      <Empty icon="check" title="Nothing is snoozed">
        <p>What you snooze comes back to the queue at the time that you choose.</p>
      </Empty>
    );
  }
  return (
    <Empty icon="check" title="Nothing waits here">
      <p>New work appears here on its own. You can leave the page open.</p>
    </Empty>
  );
}
