export * from './operator/commands.ts';
export * from './operator/errors.ts';
export * from './operator/queues.ts';
export * from './operator/roles.ts';
export type * from './operator/routes.ts';
export * from './operator/search.ts';
export * from './operator/session.ts';
export * from './operator/tenants.ts';
