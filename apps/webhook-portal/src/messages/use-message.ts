import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { attemptsQuery, type MessageDetail, messageQuery } from '../api/messages.ts';
import { wallNow } from '../components/time/clock.ts';

/** A message and its attempts, asked for again as often as something may be happening. */
export function useMessage(id: string) {
  const queryClient = useQueryClient();
  const [watchedUntil, setWatchedUntil] = useState(0);
  const refetchInterval = (query: { state: { data: MessageDetail | undefined } }) =>
    nextLook(query.state.data, watchedUntil);
  const message = useQuery({ ...messageQuery(id), refetchInterval });
  const attempts = useQuery({
    ...attemptsQuery(id),
    refetchInterval: () => nextLook(message.data, watchedUntil),
  });
  /** After a send by hand: its result is a moment away. */
  const watch = () => {
    setWatchedUntil(wallNow() + 20_000);
    void queryClient.invalidateQueries({ queryKey: ['message', id] });
    void queryClient.invalidateQueries({ queryKey: ['messages'] });
  };
  return { message, attempts, watch };
}

/** Milliseconds until the next look: soon while something is on its way, else at leisure. */
function nextLook(message: MessageDetail | undefined, watchedUntil: number): number {
  const now = wallNow();
  if (now < watchedUntil) return 1_000;
  const soon = message?.deliveries.some(
    ({ state, next_attempt_at }) =>
      state === 'pending' ||
      state === 'delivering' ||
      (next_attempt_at !== null && Date.parse(next_attempt_at) - now < 10_000),
  );
  return soon ? 1_500 : 15_000;
}
