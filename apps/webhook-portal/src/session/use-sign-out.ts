import { useMutation, useQueryClient } from '@tanstack/react-query';
import { forgetAllButSession } from '../api/query-client.ts';
import { sessionQuery } from '../api/session.ts';
import { say } from '../components/toast.tsx';

/** Ends this browser's session by `end`, and forgets all that was loaded with it. */
export function useSignOut(end: () => Promise<unknown>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: end,
    onSuccess: () => {
      queryClient.setQueryData(sessionQuery.queryKey, null);
      forgetAllButSession(queryClient);
    },
    onError: (error) => say(`You are still signed in. ${error.message}`),
  });
}
