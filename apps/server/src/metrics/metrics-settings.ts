import { z } from 'zod';
import { isLoopback, portNumber } from '../setting-types.ts';
import { setting } from '../settings.ts';

/** The settings of the server for metrics. */
export const metricsSettings = {
  /** Undefined means that no metrics are served. */
  metricsPort: setting({
    name: 'SVC_METRICS_PORT',
    type: portNumber,
    defaultNote: 'no metrics',
    description: 'serves [`/metrics`](monitoring.md) for Prometheus on a separate port',
  }),
  metricsHost: setting({
    name: 'SVC_METRICS_HOST',
    type: z.string(),
    default: '127.0.0.1',
    description: 'the address that metrics are served on; another host needs `SVC_METRICS_TOKEN`',
  }),
  /** The bearer token that scrapers must send. Undefined if none is needed. */
  metricsToken: setting({
    name: 'SVC_METRICS_TOKEN',
    type: z.string().regex(/^[\x21-\x7e]{16,200}$/, {
      error: 'must be 16 to 200 characters without spaces. Create one with "openssl rand -hex 32"',
    }),
    secret: 'text',
    rule: (token, { SVC_METRICS_PORT, SVC_METRICS_HOST }) =>
      SVC_METRICS_PORT !== undefined &&
      token === undefined &&
      !isLoopback(String(SVC_METRICS_HOST)) &&
      'must be set when SVC_METRICS_HOST is not a loopback address, because metrics would be public. Create one with "openssl rand -hex 32".',
    description:
      'scrapers send it as `Authorization: Bearer …`; required when `SVC_METRICS_HOST` is not a loopback address',
  }),
};
