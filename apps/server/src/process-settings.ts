import { environments } from '@svc/contract';
import { parseSecretKeys, weaknessOf } from '@svc/runtime';
import { z } from 'zod';
import { listOfTexts } from './setting-types.ts';
import { setting } from './settings.ts';

/** `api` answers requests; `worker` sends webhooks and runs the background work. */
const roles = ['api', 'worker'] as const;
export type Role = (typeof roles)[number];

/** The environment and the work of a process. */
export const processSettings = {
  environment: setting({
    name: 'SVC_ENVIRONMENT',
    type: z.enum(environments, { error: 'must be sandbox or production' }),
    default: 'sandbox',
    leadsToDatabase: true,
    description: 'or `production`; one deployment serves one environment',
  }),
  /** The work of this process. At least one role. */
  roles: setting({
    name: 'SVC_ROLES',
    type: listOfTexts
      .refine((names) => names.length > 0 && names.every(isRole), {
        error: 'must be api, worker, or both, separated by a comma',
      })
      .transform((names): readonly Role[] => roles.filter((role) => names.includes(role))),
    default: 'api,worker',
    rule: (chosen, { DATABASE_URL }) =>
      chosen?.length !== roles.length &&
      DATABASE_URL === undefined &&
      'needs DATABASE_URL, because the embedded database belongs to one process. Set DATABASE_URL, or remove SVC_ROLES.',
    description:
      'what the process does: `api` answers requests, `worker` sends webhooks and runs background work; both on any number of processes',
  }),
};

/**
 * The secret keys, of 32 bytes each. The first one seals, all of them open. Undefined means a key file in the data
 * folder, which is created once.
 */
export const secretKeySetting = setting({
  name: 'SVC_SECRET_KEY',
  type: z.string().transform((text, context) => {
    const keys = parseSecretKeys(text);
    if (keys) return keys;
    context.addIssue(
      'must be 32 bytes as base64, or several such keys separated by commas, the newest first. Create a key with "openssl rand -base64 32"',
    );
    return z.NEVER;
  }),
  defaultNote: 'made once in the data folder',
  secret: 'text',
  rule: (keys) => {
    const weakness = keys && weaknessOf(keys[0]);
    return (
      weakness !== undefined &&
      `${weakness}, so it can be guessed. Create another one with "openssl rand -base64 32". If data is encrypted with this key, write the new key before it, separated by a comma, and run "svc-admin secret rotate".`
    );
  },
  inProduction: (keys) =>
    keys === undefined &&
    'must be set in production. Create 32 random bytes with "openssl rand -base64 32" and keep them with your secrets.',
  description:
    '32 bytes as base64, from `openssl rand -base64 32`; required in production. Several keys, separated by commas, while [the key is replaced](secret-keys.md)',
});

export const logLevelSetting = setting({
  name: 'SVC_LOG_LEVEL',
  type: z.enum(['debug', 'info', 'warn', 'error', 'silent'], {
    error: 'must be debug, info, warn, error or silent',
  }),
  default: 'info',
  defaultNote: '`info` (`npm start`: `warn`)',
  description: '`debug`, `info`, `warn`, `error` or `silent`',
});

function isRole(name: string): boolean {
  return (roles as readonly string[]).includes(name);
}
