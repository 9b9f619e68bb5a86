import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { attemptsQuery, messageQuery } from '../api/messages.ts';
import type { Pasted } from './use-diagnosis.ts';

const route = getRouteApi('/debugger');

/** Fills in the request of the attempt that the address names, as it was sent. */
export function useAttempt(onFound: (found: Pick<Pasted, 'headers' | 'body'>) => void): void {
  const { message_id = '', attempt_id } = route.useSearch();
  const enabled = message_id !== '';
  const message = useQuery({ ...messageQuery(message_id), enabled });
  const attempts = useQuery({ ...attemptsQuery(message_id), enabled });
  const attempt = attempts.data?.find(({ id }) => id === attempt_id);
  const found = useEffectEvent(onFound);
  const body = message.data?.body ?? undefined;
  const headers = attempt && JSON.stringify(attempt.request_headers, null, 2);
  useEffect(() => {
    if (headers !== undefined && body !== undefined) found({ headers, body });
  }, [headers, body]);
}
