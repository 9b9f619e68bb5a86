import { useMutation, useQueryClient } from '@tanstack/react-query';
import { clearAllButSession, sessionKey } from '../api/query-client.ts';
import { showToast } from '../parts/toast.tsx';

/** Signs out by calling `end`, then clears all cached data. */
export function useSignOut(end: () => Promise<unknown>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: end,
    onSuccess: () => {
      queryClient.setQueryData(sessionKey, null);
      clearAllButSession(queryClient);
    },
    onError: (error) => showToast(`You are still signed in. ${error.message}`),
  });
}
