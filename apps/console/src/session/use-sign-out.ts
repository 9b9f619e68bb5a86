import { useMutation, useQueryClient } from '@tanstack/react-query';
import { clearAllButSession } from '../api/query-client.ts';
import { sessionQuery } from '../api/session.ts';
import { showToast } from '../components/toast.tsx';

/** Signs out by calling `end`, then clears all cached data. */
export function useSignOut(end: () => Promise<unknown>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: end,
    onSuccess: () => {
      queryClient.setQueryData(sessionQuery.queryKey, null);
      clearAllButSession(queryClient);
    },
    onError: (error) => showToast(`You are still signed in. ${error.message}`),
  });
}
