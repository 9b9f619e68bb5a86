import type { AuditEntryOutput } from '@svc/contract';
import type { FiltersOf } from '@svc/ui/console/api/api-list.ts';
import { apiList } from './call.ts';

export type { AuditEntryOutput as AuditEntry };

/** The audit log. `group` is the part of an action before the dot, such as `endpoint`. */
export const auditLogList = apiList({
  key: ['audit-log'],
  path: '/webhooks/audit_log',
  filterNames: ['endpoint_id', 'group', 'credential_id'],
});

export type AuditFilters = FiltersOf<typeof auditLogList>;
