import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';

/** A mutation that changes the tenant, after which everything shown about it is read again. */
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
