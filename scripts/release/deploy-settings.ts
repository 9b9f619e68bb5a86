import { randomBytes } from 'node:crypto';
import { allSettings } from '../../apps/server/src/config.ts';
import { settingsOf } from '../../apps/server/src/settings.ts';

/** Example values for the settings that an operator keeps in files. */
const EXAMPLES: Record<string, string> = {
  DATABASE_URL_FILE: 'postgres://svc@db/svc?sslmode=verify-full',
  SVC_SECRET_KEY_FILE: randomBytes(32).toString('base64'),
  SVC_METRICS_TOKEN_FILE: 'a-token-for-prometheus',
  SVC_SMTP_URL_FILE: 'smtps://user:password@mail.example:465',
  STRIPE_SECRET_KEY_FILE: 'sk_live_123456',
  STRIPE_WEBHOOK_SECRET_FILE: 'whsec_123456',
};

/** Returns an environment of `deploy/` for `readConfig`, with an example value in place of each file that it names. */
export function inFiles(environment: Record<string, string>): Record<string, string> {
  const given = Object.entries(environment).map(([name, value]) => {
    if (!name.endsWith('_FILE')) return [name, value];
    const example = EXAMPLES[name];
    if (example === undefined) throw new Error(`There is no example of ${name}.`);
    return [name.replace(/_FILE$/, ''), example];
  });
  return Object.fromEntries(given);
}

/** Returns the names that are not settings of the service. */
export function unknownSettings(names: readonly string[]): string[] {
  const known = settingsOf(allSettings()).flatMap(({ name }) => [name, `${name}_FILE`]);
  return names.filter((name) => !known.includes(name));
}
