export * from './operator/errors.ts';
export * from './operator/roles.ts';
export type * from './operator/routes.ts';
export * from './operator/session.ts';
