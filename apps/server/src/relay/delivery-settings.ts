import { type Network, parseEgressProxy, parseNetwork } from '@svc/webhooks';
import { z } from 'zod';
import { flag, listOfTexts, wholeNumber } from '../setting-types.ts';
import { setting } from '../settings.ts';

/** The settings for delivering events to other systems. */
export const deliverySettings = {
  egressIps: setting({
    name: 'SVC_EGRESS_IPS',
    type: listOfTexts,
    default: '',
    description: "the addresses that webhooks come from, for receivers' allow-lists",
  }),
  /** The proxy for webhooks. Undefined means that they are sent directly. */
  egressProxy: setting({
    name: 'SVC_EGRESS_PROXY',
    type: z
      .string()
      .transform(parseEgressProxy)
      .refine((proxy) => proxy !== undefined, {
        error: 'must be a URL such as http://user:password@proxy.example:3128, without a path',
      }),
    secret: 'url',
    description:
      '`http(s)://[user:password@]host:port`: webhooks leave through this proxy, [to addresses checked before](../../packages/webhooks/README.md#through-a-proxy); the decision service and mail are reached directly',
  }),
  allowPrivateWebhooks: setting({
    name: 'SVC_ALLOW_PRIVATE_WEBHOOKS',
    type: flag,
    default: '0',
    defaultNote: '`0` (`npm start`: `1`)',
    inProduction: (isAllowed) =>
      isAllowed === true &&
      'must not be set in production, because webhooks could then reach your own network.',
    description: 'deliver webhooks to this machine and its network; refused in production',
  }),
  /** Private networks that webhooks may reach. */
  webhookAllowedNetworks: setting({
    name: 'SVC_WEBHOOK_ALLOWED_NETWORKS',
    type: listOfTexts.transform((texts, { addIssue }): readonly Network[] =>
      texts.flatMap((text) => {
        try {
          return parseNetwork(text);
        } catch (error) {
          if (!(error instanceof RangeError)) throw error;
          addIssue({ code: 'custom', message: `is wrong: ${error.message}` });
          return [];
        }
      }),
    ),
    default: '',
    description:
      'private networks with receivers, such as `10.20.0.0/16 fd12:3456:789a::/48`: [webhooks also reach them](production.md#private-receivers), with https in production; never a metadata service',
  }),
  /** The least number of days for which webhook messages and their attempts are kept. */
  webhookRetentionDays: setting({
    name: 'SVC_WEBHOOK_RETENTION_DAYS',
    type: wholeNumber('a whole number of days', 7, 3_650),
    default: '90',
    leadsToDatabase: true,
    description:
      'how long webhook messages and their attempts are kept; [a month is deleted as a whole](capacity.md#storage-webhooks) when its last day is that old',
  }),
  /** Delivers webhooks: our engine, or a Svix server. */
  webhooks: setting({
    name: 'SVC_WEBHOOKS',
    type: z.enum(['embedded', 'svix'], { error: 'must be embedded or svix' }),
    default: 'embedded',
    rule: (provider, { SVIX_SERVER_URL, SVIX_TOKEN }) =>
      provider === 'svix' &&
      (SVIX_SERVER_URL === undefined || SVIX_TOKEN === undefined) &&
      'needs SVIX_SERVER_URL and SVIX_TOKEN when it is svix. Set both, or remove SVC_WEBHOOKS.',
    description: '`embedded`: the service delivers webhooks; `svix`: a [Svix server](svix.md) does',
  }),
  /** Also gets every event: nothing, or a JetStream stream. */
  eventSink: setting({
    name: 'SVC_EVENT_SINK',
    type: z.enum(['none', 'nats'], { error: 'must be none or nats' }),
    default: 'none',
    rule: (sink, { NATS_URL }) =>
      sink === 'nats' &&
      NATS_URL === undefined &&
      'needs NATS_URL when it is nats. Set it, or remove SVC_EVENT_SINK.',
    description:
      '`nats`: every event also goes to a stream of [NATS JetStream](event-sink.md), for data teams',
  }),
};

/** Says which private networks webhooks may reach; null without any. */
export function describeAllowedNetworks(networks: readonly Network[]): string | null {
  if (networks.length === 0) return null;
  const list = networks.map(({ text }) => text).join(', ');
  return `webhooks may reach ${list} (SVC_WEBHOOK_ALLOWED_NETWORKS): every partner can send to these networks and read the responses`;
}
