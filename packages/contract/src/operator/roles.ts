import { z } from 'zod';

/** The roles of the people who run Svc. Each has the permissions that the service's `roles.ts` lists. */
export const operatorRoles = [
  'admin',
  'finance',
  'support',
  'risk',
  'developer',
  'auditor',
] as const;
export const operatorRole = z.enum(operatorRoles);
export type OperatorRole = (typeof operatorRoles)[number];

export const permissions = [
  /** Read everything, with personal data masked. */
  'read',
  /** See personal data in clear. */
  'personal',
  /** See one tenant's personal data in clear for a while, with a reason that is audited. */
  'unmask',
  /** Take, release and snooze items of the work queues. */
  'work',
  /** Do contact work: send a mail again, switch a tenant to paper. */
  'support',
  /** Refund, return and write off payments, make payouts, close the books. */
  'money',
  /** Decide reviews and disputes. */
  'risk',
  /** Change terms, lending rules and the money switch. */
  'terms',
  /** Create partners, API keys and endpoints. */
  'keys',
  /** Invite people and change their roles. */
  'people',
] as const;
export const permission = z.enum(permissions);
export type Permission = (typeof permissions)[number];
