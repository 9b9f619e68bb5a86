import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { endpointsQuery, readSecret } from '../api/endpoints.ts';
import { messageQuery } from '../api/messages.ts';
import { useSession } from '../session/use-session.ts';
import type { Evidence } from './diagnosis/diagnose.ts';

/** Looks up the sent message and other endpoints' secrets to narrow down a problem. Runs only on request. */
export function LookUps(props: {
  messageId: string | null;
  onFound: (found: Partial<Pick<Evidence, 'sent' | 'others'>>) => void;
}) {
  const { messageId, onFound } = props;
  const { read_only } = useSession();
  const queryClient = useQueryClient();
  const endpoints = useQuery(endpointsQuery);
  const sent = useMutation({
    mutationFn: (id: string) => queryClient.fetchQuery(messageQuery(id)),
    onSuccess: ({ body }) => onFound({ sent: body }),
  });
  const secrets = useMutation({
    mutationFn: async () => {
      const found: Evidence['others'][number][] = [];
      for (const { id, url } of endpoints.data ?? []) {
        found.push({ name: url, secret: (await readSecret(id)).secret });
      }
      return found;
    },
    gcTime: 0,
    onSuccess: (others) => onFound({ others }),
  });
  const count = endpoints.data?.length ?? 0;
  return (
    <div className="debugger__look-ups">
      <button
        type="button"
        className="svc-button svc-button--secondary svc-button--small"
        disabled={messageId === null}
        aria-busy={sent.isPending}
        onClick={() => messageId !== null && sent.mutate(messageId)}
      >
        Compare with the sent message
      </button>
      {read_only || count === 0 ? null : (
        <button
          type="button"
          className="svc-button svc-button--secondary svc-button--small"
          aria-busy={secrets.isPending}
          onClick={() => secrets.mutate()}
        >
          {count === 1 ? 'Try my endpoint’s secret' : `Try my ${count} endpoints’ secrets`}
        </button>
      )}
      <p className="svc-field__hint" role="status">
        {sent.error || secrets.error
          ? (sent.error ?? secrets.error)?.message
          : [
              sent.data ? 'Compared with the sent message.' : '',
              secrets.data ? `Tried ${secrets.data.length} secrets.` : '',
            ].join(' ')}
      </p>
    </div>
  );
}
