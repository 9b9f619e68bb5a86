import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { controlReplay, type Replay, type ReplayControl, replayQuery } from '../api/replays.ts';
import { AskDialog } from '../components/dialog.tsx';
import { say } from '../components/toast.tsx';
import { countMessages } from './describe-replay.ts';

/** Pause, resume, cancel: what the replay's state allows. */
export function ReplayControls({ replay }: { replay: Replay }) {
  const [asking, setAsking] = useState(false);
  const queryClient = useQueryClient();
  const id = replay.id ?? '';
  const steering = useMutation({
    mutationFn: (what: ReplayControl) => controlReplay(id, what),
    onSuccess: (changed, what) => {
      queryClient.setQueryData(replayQuery(id).queryKey, changed);
      void queryClient.invalidateQueries({ queryKey: ['replays'] });
      if (what === 'cancel') setAsking(false);
    },
    // The dialog says it itself.
    onError: (error, what) => what === 'cancel' || say(error.message),
  });
  if (replay.state === 'completed' || replay.state === 'canceled') return null;
  const running = replay.state === 'running';
  return (
    <>
      <button
        type="button"
        className="svc-button svc-button--secondary svc-button--small"
        aria-busy={steering.isPending}
        onClick={() => {
          if (!steering.isPending) steering.mutate(running ? 'pause' : 'resume');
        }}
      >
        {running ? 'Pause' : 'Resume'}
      </button>
      <button
        type="button"
        className="svc-button svc-button--secondary svc-button--small"
        onClick={() => {
          steering.reset();
          setAsking(true);
        }}
      >
        Cancel replay
      </button>
      <AskDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Cancel this replay?"
        error={steering.error}
        cancel="Go on with it"
        act="Cancel replay"
        danger
        pending={steering.isPending}
        onAct={() => steering.mutate('cancel')}
      >
        <p>
          {countMessages(Math.max(0, replay.total - replay.replayed))} will not be sent again. What
          was sent stays sent, and what was being retried before goes on by its schedule.
        </p>
      </AskDialog>
    </>
  );
}
