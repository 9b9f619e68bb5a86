import type { AuditEntry } from '../api/audit-log.ts';
import { minuteTime } from '../components/time/format-time.ts';

/** Who did it, and what tells this key or session from the others. */
export function describeActor({ via, credential }: Pick<AuditEntry, 'via' | 'credential'>): {
  name: string;
  detail: string;
} {
  const { ends_with, person, read_only, since } = credential;
  if (via === 'cli') {
    return { name: person ?? 'Operator', detail: 'operator of the service, command line' };
  }
  if (via === 'key') {
    return {
      name: ends_with === null ? 'API key' : `API key …${ends_with}`,
      detail: `made ${minuteTime(since)}`,
    };
  }
  return {
    name: person ?? 'Portal session',
    detail: `${read_only ? 'read-only, ' : ''}opened ${minuteTime(since)}`,
  };
}
