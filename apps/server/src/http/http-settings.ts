import { isIP } from 'node:net';
import { isExactOrigin } from '@svc/contract';
import { z } from 'zod';
import { listOfTexts, numberFrom, portNumber, positiveCount } from '../setting-types.ts';
import { setting } from '../settings.ts';

/** Where the service answers, and how much of it one caller may use. */
export const httpSettings = {
  /** Undefined means `http://localhost:<port>` with the port that is listened on. */
  publicOrigin: setting({
    name: 'SVC_PUBLIC_ORIGIN',
    type: z.string().refine(isExactOrigin, {
      error: 'must be an origin such as https://svc.example, without a path',
    }),
    defaultNote: '`http://localhost:$PORT`',
    rule: (origin, { SVC_ROLES }) =>
      origin === undefined &&
      String(SVC_ROLES) === 'worker' &&
      'must be set with SVC_ROLES=worker, because the links in mails lead to the origin of the processes with the role api.',
    inProduction: (origin) =>
      !origin?.startsWith('https://') &&
      'must be an https origin in production, such as https://svc.example.',
    description: 'the origin that partners and tenants use; required in production, with https',
  }),
  operatorOrigin: setting({
    name: 'SVC_OPERATOR_ORIGIN',
    type: z.string().refine(isExactOrigin, {
      error: 'must be an origin such as https://ops.svc.example, without a path',
    }),
    defaultNote: 'the public origin in the sandbox; in production the console is off',
    inProduction: (origin, { SVC_PUBLIC_ORIGIN }) =>
      origin !== undefined &&
      (!origin.startsWith('https://') || origin === SVC_PUBLIC_ORIGIN) &&
      'must be an https origin in production, such as https://ops.svc.example, and not that of SVC_PUBLIC_ORIGIN: no page for partners or tenants may share it.',
    description:
      'the origin of the operator’s console, whose host answers nothing else; without it in production the console is off',
  }),
  port: setting({
    name: 'PORT',
    type: portNumber,
    default: '4000',
    description: 'the port of the API and the pages',
  }),
  host: setting({
    name: 'SVC_HOST',
    type: z.string(),
    default: 'localhost',
    description: 'the address to listen on; `0.0.0.0` or `::` in a container',
  }),
  demoPort: setting({
    name: 'DEMO_PORT',
    type: portNumber,
    default: '4100',
    description: 'the port of the demo property portal; `npm start` only',
  }),
  rateLimitPerSecond: setting({
    name: 'SVC_RATE_LIMIT_PER_SECOND',
    type: positiveCount,
    default: '200',
    description: 'requests a second for each API key, at all processes together',
  }),
  rateLimitPerMinute: setting({
    name: 'SVC_RATE_LIMIT_PER_MINUTE',
    type: positiveCount,
    default: '120',
    description:
      'requests a minute for each address (IPv6: and each /64 network) where no key is needed, at all processes together; half as many wrong keys',
  }),
  trustedProxies: setting({
    name: 'SVC_TRUSTED_PROXIES',
    type: listOfTexts.refine((addresses) => addresses.every(isNetwork), {
      error: 'must be addresses or networks such as 10.0.0.0/8, separated by commas',
    }),
    default: '',
    description:
      'addresses or networks of your proxies, whose `X-Forwarded-For` is trusted; behind a proxy without it, all callers share one limit, and a warning says so',
  }),
  maxConnections: setting({
    name: 'SVC_MAX_CONNECTIONS',
    type: positiveCount,
    default: '5000',
    description:
      'open HTTP connections for each process; further ones are closed at once, without a response',
  }),
  drainSeconds: setting({
    name: 'SVC_DRAIN_SECONDS',
    type: numberFrom('a number of seconds', 0, 600),
    // Load balancers probe every few seconds and need two or three answers to remove a process.
    default: { sandbox: '0', production: '10' },
    description: 'how long a process keeps serving after SIGTERM while `/readyz` is 503',
  }),
};

function isNetwork(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return (
    prefix === undefined || (/^\d+$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128))
  );
}
