import { showToast } from '@svc/ui/console/parts/toast.tsx';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import {
  type Endpoint,
  endpointQuery,
  type UpdateEndpointInput,
  updateEndpoint,
} from '../api/endpoints.ts';

/** Enables or disables an endpoint and refreshes every list that shows it. */
export function useEndpointChange(endpoint: Endpoint, onDone: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (change: UpdateEndpointInput) => updateEndpoint(endpoint.id, change),
    onSuccess: (changed) => {
      queryClient.setQueryData(endpointQuery(endpoint.id).queryKey, changed);
      void queryClient.invalidateQueries({ queryKey: ['endpoints'] });
      void queryClient.invalidateQueries({ queryKey: ['messages'] });
      showToast(changed.state === 'enabled' ? 'Endpoint enabled.' : 'Endpoint disabled.');
      onDone();
    },
  });
}
