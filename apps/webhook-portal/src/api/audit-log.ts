import type { AuditEntryOutput } from '@svc/contract';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { call, type Page } from './client.ts';

export type { AuditEntryOutput as AuditEntry };

export function auditLogQuery(endpointId: string | undefined) {
  return infiniteQueryOptions({
    queryKey: ['audit-log', endpointId ?? 'all'],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      call<Page<AuditEntryOutput>>('GET', '/webhooks/audit_log', {
        query: { endpoint_id: endpointId, limit: 50, cursor: pageParam },
        signal,
      }),
    getNextPageParam: (page) => page.next_cursor,
  });
}
