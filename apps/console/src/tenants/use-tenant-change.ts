import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';

/** Returns a mutation that changes the tenant and then refetches everything shown about it. */
export function useTenantChange<Input, Output>(
  change: (input: Input) => Promise<Output>,
  done: (output: Output) => void,
): UseMutationResult<Output, Error, Input> {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (output) => {
      for (const key of ['tenants', 'settlements', 'messages', 'deliveries']) {
        void queryClient.invalidateQueries({ queryKey: [key] });
      }
      done(output);
    },
  });
}
