import { resolve } from 'node:path';
import { databaseUrlProblem, isUnencrypted } from '@svc/db';
import { z } from 'zod';
import { flag } from './setting-types.ts';
import { type OtherValues, setting } from './settings.ts';

/** The default data folder, relative to the folder in which the service is started. */
export const defaultDataDir = '.svc';

/** Where the data is: PostgreSQL, or the embedded database in the data folder. */
export const databaseSettings = {
  /** Undefined means the embedded database. */
  databaseUrl: setting({
    name: 'DATABASE_URL',
    type: databaseUrl('read-write'),
    defaultNote: 'the embedded database',
    secret: 'url',
    leadsToDatabase: true,
    inProduction: (url, others) =>
      url === undefined
        ? others.SVC_ALLOW_EMBEDDED !== true &&
          'must be set in production, because the embedded database can lose data in a power failure. Set SVC_ALLOW_EMBEDDED=1 to accept that.'
        : needsTls(url, others),
    description:
      '`postgres://user:password@host:5432/name?sslmode=verify-full`; required in production, with TLS. [Several hosts](failover.md): `postgres://user:password@a:5432,b:5432/name?target_session_attrs=read-write`',
  }),
  directUrl: setting({
    name: 'DATABASE_DIRECT_URL',
    type: databaseUrl('read-write'),
    defaultNote: '`DATABASE_URL`',
    secret: 'url',
    leadsToDatabase: true,
    rule: needsDatabaseUrl,
    inProduction: needsTls,
    description:
      'the same database without a pooler, when `DATABASE_URL` leads to [PgBouncer](processes.md#pgbouncer): for migrations and `LISTEN`',
  }),
  /** A server that may be some seconds behind, for reports. Undefined means the database itself. */
  replicaUrl: setting({
    name: 'DATABASE_REPLICA_URL',
    type: databaseUrl('read-only'),
    defaultNote: '`DATABASE_URL`',
    secret: 'url',
    rule: needsDatabaseUrl,
    inProduction: needsTls,
    description:
      '[a replica](failover.md#reports-from-a-replica) for the reports of `svc-admin`: `ledger verify`, `audit verify`, `audit list`, `dispute list` and `loss list`',
  }),
  allowPlainDatabase: setting({
    name: 'SVC_ALLOW_PLAIN_DATABASE',
    type: flag,
    default: '0',
    description:
      'accept a database connection without TLS in production, for example inside an encrypted network; sockets and loopback addresses need no TLS',
  }),
  allowEmbedded: setting({
    name: 'SVC_ALLOW_EMBEDDED',
    type: flag,
    default: '0',
    description: 'accept the embedded database in production',
  }),
  /** True if a process applies missing migrations when it starts. */
  migrateOnStart: setting({
    name: 'SVC_MIGRATE_ON_START',
    type: flag,
    default: { sandbox: '1', production: '0' },
    description:
      'apply missing migrations when a process starts; otherwise it [refuses to start](upgrade.md) until `svc-admin migrate apply` has run',
  }),
  /** An absolute path. */
  dataDir: setting({
    name: 'SVC_DATA_DIR',
    type: z.string().transform((folder) => resolve(folder)),
    default: defaultDataDir,
    leadsToDatabase: true,
    description:
      'holds the embedded database, the secret key and the control socket; not written when `DATABASE_URL` and `SVC_SECRET_KEY` are set',
  }),
};

function databaseUrl(access: 'read-write' | 'read-only') {
  return z.string().superRefine((url, context) => {
    const problem = databaseUrlProblem(url, access);
    if (problem !== undefined) context.addIssue(problem);
  });
}

function needsDatabaseUrl(url: string | undefined, { DATABASE_URL }: OtherValues) {
  return (
    url !== undefined &&
    DATABASE_URL === undefined &&
    'needs DATABASE_URL, which it does not replace. Set both, or neither.'
  );
}

function needsTls(url: string | undefined, { SVC_ALLOW_PLAIN_DATABASE }: OtherValues) {
  return (
    url !== undefined &&
    SVC_ALLOW_PLAIN_DATABASE !== true &&
    isUnencrypted(url) &&
    'must use TLS in production: add sslmode=verify-full to its parameters (or require, verify-ca). Set SVC_ALLOW_PLAIN_DATABASE=1 to connect without TLS.'
  );
}
