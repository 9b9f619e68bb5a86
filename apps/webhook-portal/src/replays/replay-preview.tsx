import { keepPreviousData, type UseMutationResult, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type Replay, type ReplayInput, replayPreviewQuery } from '../api/replays.ts';
import { countMessages } from './describe-replay.ts';

/** How many it would be, counted anew with every change, and the button that starts it. */
export function ReplayPreview(props: {
  input: ReplayInput | string;
  starting: UseMutationResult<Replay, Error, ReplayInput>;
  cancel: ReactNode;
}) {
  const { input, starting } = props;
  const ready = typeof input !== 'string';
  const preview = useQuery({
    ...replayPreviewQuery(ready ? input : { endpoint_id: '', since: '' }),
    enabled: ready,
    placeholderData: keepPreviousData,
  });
  const total = preview.data?.total;
  const failed = starting.error ?? (ready ? preview.error : null);
  return (
    <>
      <div className="svc-notice svc-tone-info replay__preview" role="status">
        <p className="svc-notice__title">{ready ? headline(total) : 'Not ready yet'}</p>
        <p>{ready ? explain(input, total) : input}</p>
      </div>
      <p className="svc-field__error" role="alert">
        {failed?.message}
      </p>
      <div className="endpoint-form__actions">
        <button
          type="submit"
          className="svc-button"
          aria-busy={starting.isPending || preview.isFetching}
          disabled={!ready || !total}
        >
          {total ? `Send ${countMessages(total)} again` : 'Send again'}
        </button>
        {props.cancel}
      </div>
    </>
  );
}

function headline(total: number | undefined): string {
  if (total === undefined) return 'Counting …';
  return total === 0 ? 'No message fits' : countMessages(total);
}

function explain({ filter }: ReplayInput, total: number | undefined): string {
  if (total === undefined) return 'One moment.';
  if (total === 0) return 'Choose a longer time or more kinds of messages.';
  const again = filter?.states?.includes('delivered')
    ? ' Some were delivered before: your server tells them by their webhook-id.'
    : '';
  return `Each is sent with its own id and bytes, freshly signed.${again}`;
}
