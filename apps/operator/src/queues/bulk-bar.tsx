import { showToast } from '@svc/ui/console/parts/toast.tsx';
import { currentTime } from '@svc/ui/console/time/clock.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { everyQueue, type QueueItem, releaseItems, snoozeItems, takeItems } from '../api/queues.ts';
import { TextDialog } from '../parts/text-dialog.tsx';
import { useSession } from '../session/use-session.ts';

interface Bulk {
  readonly queue: string;
  readonly items: readonly QueueItem[];
  readonly onDone: () => void;
}

/** Actions on all selected items at once. */
export function BulkBar(bulk: Bulk) {
  const { queue, items, onDone } = bulk;
  const [snoozing, setSnoozing] = useState(false);
  const { name: me } = useSession();
  const ids = items.map(({ id }) => id);
  const others = [...new Set(items.map(({ owner }) => owner))].filter(
    (owner) => owner !== null && owner !== me,
  );
  const from = others.length === 1 && others[0] !== null ? others[0] : undefined;
  const taking = useQueueChange(() => takeItems(queue, ids, from), 'You have taken', bulk);
  const releasing = useQueueChange(() => releaseItems(queue, ids), 'Released', bulk);
  if (items.length === 0) return null;
  return (
    <div className="selection-bar" role="toolbar" aria-label="Selected items">
      <strong className="selection-bar__sums">{counted(items.length)}</strong>
      <button
        type="button"
        className="svc-button svc-button--small"
        aria-busy={taking.isPending}
        onClick={() => taking.isPending || taking.mutate()}
      >
        {from === undefined ? 'Take' : `Take over from ${from}`}
      </button>
      <button
        type="button"
        className="svc-button svc-button--secondary svc-button--small"
        aria-busy={releasing.isPending}
        onClick={() => releasing.isPending || releasing.mutate()}
      >
        Release
      </button>
      <button
        type="button"
        className="svc-button svc-button--secondary svc-button--small"
        onClick={() => setSnoozing(true)}
      >
        Snooze…
      </button>
      <button
        type="button"
        className="svc-button svc-button--quiet svc-button--small"
        onClick={onDone}
      >
        Clear
      </button>
      {snoozing ? <SnoozeDialog bulk={bulk} onClose={() => setSnoozing(false)} /> : null}
    </div>
  );
}

const day = 24 * 3_600_000;
const periods = [
  { label: 'Tomorrow', ms: day },
  { label: 'In 3 days', ms: 3 * day },
  { label: 'In a week', ms: 7 * day },
  { label: 'In 30 days', ms: 30 * day },
] as const;

function SnoozeDialog({ bulk, onClose }: { bulk: Bulk; onClose: () => void }) {
  const [ms, setMs] = useState<number>(day);
  const snoozing = useQueueChange(
    (reason: string) =>
      snoozeItems(bulk.queue, {
        ids: bulk.items.map(({ id }) => id),
        until: new Date(currentTime() + ms).toISOString(),
        reason,
      }),
    'Snoozed',
    { ...bulk, onDone: () => [onClose(), bulk.onDone()] },
  );
  return (
    <TextDialog
      title={`Snooze ${counted(bulk.items.length)}`}
      act="Snooze"
      about="Snoozed work leaves the queue and comes back at the chosen time."
      label="Why can it wait?"
      hint="The next person reads it."
      param="reason"
      least={4}
      most={500}
      acting={snoozing}
      onClose={onClose}
    >
      <fieldset className="svc-field">
        <legend className="svc-field__label">Until</legend>
        <div className="choices choices--row">
          {periods.map((period) => (
            <label key={period.ms}>
              <input
                type="radio"
                name="until"
                checked={ms === period.ms}
                onChange={() => setMs(period.ms)}
              />
              {period.label}
            </label>
          ))}
        </div>
      </fieldset>
    </TextDialog>
  );
}

function useQueueChange<Input = void>(
  change: (input: Input) => Promise<{ changed: number }>,
  done: string,
  { onDone }: Pick<Bulk, 'onDone'>,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: ({ changed }) => {
      showToast(`${done} ${counted(changed)}.`);
      void client.invalidateQueries(everyQueue);
      onDone();
    },
    onError: (error) => showToast(error.message),
  });
}

function counted(count: number): string {
  return count === 1 ? '1 item' : `${count} items`;
}
