import type { AuditEntryOutput } from '@svc/contract';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { callPage } from './client.ts';

export type { AuditEntryOutput as AuditEntry };

export interface AuditFilters {
  endpoint_id?: string | undefined;
  /** The part of the action before the dot, such as `endpoint`. */
  group?: string | undefined;
  /** The ID of an API key or console session. */
  by?: string | undefined;
}

export function auditLogQuery({ endpoint_id, group, by }: AuditFilters) {
  return infiniteQueryOptions({
    queryKey: ['audit-log', { endpoint_id, group, by }],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      callPage('/webhooks/audit_log', {
        query: { endpoint_id, group, credential_id: by, limit: 50, cursor: pageParam },
        signal,
      }),
    getNextPageParam: (page) => page.next_cursor,
  });
}
