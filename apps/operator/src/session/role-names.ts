import type { Session } from '../api/session.ts';

export const roleNames: Record<Session['role'], string> = {
  admin: 'Admin',
  finance: 'Finance',
  support: 'Support',
  risk: 'Risk',
  developer: 'Developer',
  auditor: 'Auditor, reads everything',
};
