import type { OperatorRole, Permission } from '@svc/contract/operator';
import type { OperatorActor } from '../access/actor.ts';

/** Each role's permissions. An auditor reads everything and changes nothing. */
export const permissionsOf = {
  admin: [
    'read',
    'personal',
    'unmask',
    'work',
    'support',
    'money',
    'risk',
    'terms',
    'keys',
    'people',
  ],
  finance: ['read', 'personal', 'work', 'money'],
  support: ['read', 'unmask', 'work', 'support'],
  risk: ['read', 'personal', 'work', 'risk'],
  developer: ['read', 'work', 'keys'],
  auditor: ['read', 'personal'],
} as const satisfies Record<OperatorRole, readonly Permission[]>;

export function isAllowed({ role }: Pick<OperatorActor, 'role'>, permission: Permission): boolean {
  return (permissionsOf[role] as readonly Permission[]).includes(permission);
}
