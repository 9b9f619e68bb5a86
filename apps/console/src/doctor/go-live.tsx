import { Icon } from '@svc/ui/console/parts/icon.tsx';
import { Ago } from '@svc/ui/console/time/time.tsx';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type GoLiveLine, goLiveQuery, markGoLive } from '../api/doctor.ts';
import { useSession } from '../session/use-session.ts';
import { type Place, PlaceLink } from './place-link.tsx';

/** The go-live checklist: what the service has observed, and what only the partner can confirm. */
export function GoLive() {
  const { data } = useQuery(goLiveQuery);
  const items = data?.items ?? [];
  const done = items.filter((it) => it.done).length;
  return (
    <section className="go-live" aria-label="Go-live checklist">
      <header className="go-live__head">
        <h2>Go-live checklist</h2>
        {data ? (
          <span className="go-live__count">
            {done} of {items.length} done
          </span>
        ) : null}
      </header>
      {data ? (
        <>
          <Part title="Seen by the service" items={items.filter((it) => it.how === 'observed')} />
          <Part title="For you to mark" items={items.filter((it) => it.how === 'manual')} />
        </>
      ) : (
        <span className="svc-skeleton go-live__skeleton" />
      )}
    </section>
  );
}

/** The console page on which each item can be completed. */
const placesToFix: Partial<Record<GoLiveLine['id'], Place>> = {
  origins_set: { to: '/origins', label: 'Open Origins' },
  webhook_delivered: { to: '/endpoints', label: 'Open Endpoints' },
  key_rotated: { to: '/api-keys', label: 'Open API keys' },
  settlement_verified: { to: '/settlements', label: 'Open Settlements' },
  duplicates_handled: { to: '/certify', label: 'Open Certify' },
  decline_rehearsed: { to: '/certify', label: 'Open Certify' },
};

function Part({ title, items }: { title: string; items: GoLiveLine[] }) {
  return (
    <div className="go-live__part">
      <h3>{title}</h3>
      <ul>
        {items.map((item) => (
          <li key={item.id} className={item.done ? 'go-live__item is-done' : 'go-live__item'}>
            {item.how === 'manual' ? <ManualMark item={item} /> : <ObservedMark item={item} />}
            <span className="go-live__note">
              {item.done && item.done_at ? <Ago at={item.done_at} /> : item.todo}
              {item.done ? null : <PlaceLink place={placesToFix[item.id]} />}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function ObservedMark({ item: { title, done } }: { item: GoLiveLine }) {
  return (
    <span className="go-live__mark">
      <span className="go-live__dot">{done ? <Icon name="check" /> : null}</span>
      {title}
      <span className="svc-visually-hidden">{done ? ' (done)' : ' (not yet)'}</span>
    </span>
  );
}

function ManualMark({ item }: { item: GoLiveLine }) {
  const { read_only } = useSession();
  const client = useQueryClient();
  const mark = useMutation({
    mutationFn: (done: boolean) => markGoLive(item.id, done),
    onSuccess: (checklist) => client.setQueryData(goLiveQuery.queryKey, checklist),
  });
  return (
    <label className="go-live__mark">
      <input
        type="checkbox"
        checked={item.done}
        disabled={read_only || mark.isPending}
        onChange={(event) => mark.mutate(event.target.checked)}
      />
      {item.title}
    </label>
  );
}
